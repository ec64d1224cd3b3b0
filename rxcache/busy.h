/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is in flight at the origin, as ranges of blocks: fills, writes, and
 * reads that bypass the cache.
 *
 * This is what keeps the cache equal to the origin. Every write, discard and
 * write-zeroes enters its range before it is sent and leaves when it has
 * ended, whether the cache holds the blocks or not; every fill likewise. Two
 * ranges that overlap while in flight have raced, since nobody knows which one
 * the origin did first:
 *
 *	fill, then write	the fill is raced: it is not kept and takes no
 *				more readers
 *	write, then fill	does not happen: a reader that meets a write
 *				goes past the cache
 *	write and write		both are raced: neither is kept
 *
 * And whoever reads the origin while a write is in flight may see the new
 * data; nobody may see the old after that. So all readers go one way: a reader
 * goes past the cache only over blocks that are not cached (they can't become
 * so before the write leaves), and a write that begins while any read of its
 * blocks is in flight at the origin has to drop the cached copies first.
 *
 * Verification compares the origin with the cache and shows nobody what it
 * reads. Its range is there to be marked raced and is else invisible.
 *
 * The entry is embedded in its owner: entering needs no allocation.
 */
#ifndef _RXC_BUSY_H
#define _RXC_BUSY_H

#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/types.h>

enum rxc_busy_kind {
	RXC_BUSY_FILL, RXC_BUSY_BYPASS, RXC_BUSY_WRITE, RXC_BUSY_VERIFY,
};

/**
 * struct rxc_busy - one range in flight
 * @first: first block
 * @last: last block, included
 * @kind: constant while entered
 * @raced: see above; set under the lock, never cleared
 * @met: of a write: a read or a write overlapped when it entered
 */
struct rxc_busy {
	struct rb_node rb;
	u64 first;
	u64 last;
	u64 subtree_last;
	enum rxc_busy_kind kind;
	bool raced;
	bool met;
};

/**
 * struct rxc_busy_tree - all ranges in flight of one mapping
 * @lock: taken in any context, irqsave; outer to a set's lock of the index
 * @root: the ranges
 */
struct rxc_busy_tree {
	spinlock_t lock;
	struct rb_root_cached root;
};

void rxc_busy_init(struct rxc_busy_tree *tree);

/*
 * Enters a write and marks what it races; afterwards @busy->raced says whether
 * another write was in flight, @busy->met whether anything was. Context: any,
 * takes the lock.
 */
void rxc_busy_enter_write(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Enters a fill that overlaps nothing. Context: any, under the lock. */
void rxc_busy_enter_fill(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Enters a read that bypasses the cache. Context: any, under the lock. */
void rxc_busy_enter_bypass(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * Enters a verification; @busy->raced says whether a write is in flight.
 * Context: any, takes the lock.
 */
void rxc_busy_enter_verify(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Context: any, takes the lock. */
void rxc_busy_leave(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Context: any, under the lock. */
void rxc_busy_leave_locked(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * The write or else the fill in flight that covers @block, or NULL. Context:
 * any, under the lock.
 */
struct rxc_busy *rxc_busy_find(struct rxc_busy_tree *tree, u64 block);

/*
 * How far from @first, at most to @last, no write or fill is in flight; @first
 * itself is known to be free. Context: any, under the lock.
 */
u64 rxc_busy_free_until(struct rxc_busy_tree *tree, u64 first, u64 last);

#endif
