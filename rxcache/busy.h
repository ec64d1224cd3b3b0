/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of blocks that are in flight at the origin: fills, writes, and reads that
 * bypass the cache.
 *
 * These ranges keep the cache equal to the origin. Every write, discard and
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
 * And a read of the origin while a write is in flight may return the new data; no
 * read may return the old data after that. So all readers go one way: a reader goes
 * past the cache only over blocks that are not cached, and a write that begins while
 * any read of its blocks is in flight at the origin has to drop the cached copies
 * first. A bypassing reader first enters its range and looks at the index after that:
 * a write that began before it keeps fills from storing a copy of these blocks, a
 * write that begins later sees the reader and drops the copy.
 *
 * Verification compares the origin with the cache and passes its bytes on to nobody.
 * Its range can be marked raced; otherwise no other range takes notice of it.
 *
 * Locks. Blocks are divided into regions of RXC_BUSY_REGION bytes, the maximum of a
 * user's bio, and regions by hash into stripes, each with a tree and a lock of its
 * own, so that processors that work on different blocks do not meet. A range within
 * two neighbouring regions, which is any range but a large discard's, is entered under
 * the one or two locks of their stripes. The rules hold because two ranges that
 * overlap have a stripe in common. A wider range takes the locks of all stripes, and
 * is found through a tree that is read under any of them.
 *
 * The entry is embedded in its owner: entering needs no allocation.
 *
 * tests/model/busy.pml models these rules and the sections under the lock, and
 * "make model" proves them by visiting every state; without any one of the rules
 * it fails. A change to the effect of a section belongs into the model, too.
 */
#ifndef _RXC_BUSY_H
#define _RXC_BUSY_H

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/types.h>

enum {
	RXC_BUSY_REGION_SHIFT	= 20,
	RXC_BUSY_REGION		= 1 << RXC_BUSY_REGION_SHIFT,
	RXC_BUSY_STRIPE_BITS	= 7,
	RXC_BUSY_STRIPES	= 1 << RXC_BUSY_STRIPE_BITS,
};

/* A wide range holds all locks, each of which counts in preempt_count's 8 bits. */
static_assert(RXC_BUSY_STRIPES <= 128);

enum rxc_busy_kind {
	RXC_BUSY_FILL, RXC_BUSY_BYPASS, RXC_BUSY_WRITE, RXC_BUSY_VERIFY,
};

struct rxc_busy;

/* The part of a range that lies in one region, or a wide range. */
struct rxc_busy_node {
	struct rb_node rb;
	u64 first;
	u64 last;
	u64 subtree_last;
	struct rxc_busy *busy;
};

/**
 * struct rxc_busy - one range in flight
 * @first: first block
 * @last: last block, included
 * @node: its places in the trees: one, or two if it touches two regions
 * @kind: constant while entered
 * @raced: see above; set under a lock of the range's, never cleared
 * @met: of a write: a read or a write overlapped when it entered
 */
struct rxc_busy {
	u64 first;
	u64 last;
	struct rxc_busy_node node[2];
	enum rxc_busy_kind kind;
	bool raced;
	bool met;
};

/**
 * struct rxc_busy_stripe - what is in flight in the regions of one hash
 * @lock: taken in any context, irqsave; outer to a set's lock of the index. Two of
 *	them are taken in the order of their addresses, all under wide_lock
 * @root: the nodes
 */
struct rxc_busy_stripe {
	spinlock_t lock;
	struct rb_root_cached root;
} ____cacheline_aligned_in_smp;

/**
 * struct rxc_busy_tree - all ranges in flight of one cache
 * @region_shift: from a block's number to its region's
 * @wide: ranges that touch more than two regions; changed under the locks of all
 *	stripes, read under any of them
 * @wide_lock: outer to the stripes' where all are taken
 * @stripe: the others
 */
struct rxc_busy_tree {
	unsigned int region_shift;
	struct rb_root_cached wide;
	spinlock_t wide_lock;
	struct rxc_busy_stripe stripe[RXC_BUSY_STRIPES];
};

/* The locks of a range, held. */
struct rxc_busy_held {
	struct rxc_busy_stripe *first;	/* NULL: those of all stripes */
	struct rxc_busy_stripe *second;	/* NULL: one is enough */
	unsigned long flags;
};

/* @block_shift: from a byte of the origin to its block. */
void rxc_busy_init(struct rxc_busy_tree *tree, unsigned int block_shift);

/*
 * Takes the locks of the blocks from @first to @last. "Under the lock" below
 * means for the blocks in question. Context: any; one range at a time.
 */
void rxc_busy_lock(struct rxc_busy_tree *tree, u64 first, u64 last,
		   struct rxc_busy_held *held);
void rxc_busy_unlock(struct rxc_busy_tree *tree, struct rxc_busy_held *held);

/*
 * Whether nothing seems to be in flight near the blocks from @first to @last, all
 * within two regions. A hint: it may be outdated. Context: any, no lock.
 */
bool rxc_busy_quiet(struct rxc_busy_tree *tree, u64 first, u64 last);

/* Asserts for lockdep that the lock of @block is held. */
void rxc_busy_assert_held(struct rxc_busy_tree *tree, u64 block);

/*
 * Enters a write and marks what it races; afterwards @busy->raced says whether
 * another write was in flight, @busy->met whether anything was. Context: any,
 * takes the lock.
 */
void rxc_busy_enter_write(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Enters a fill that overlaps nothing. Context: any, under the lock. */
void rxc_busy_enter_fill(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * Enters a read that bypasses the cache. The caller looks at the index after that.
 * Context: any, takes the lock.
 */
void rxc_busy_enter_bypass(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * Puts a read that bypasses the cache in the place of @fill, whose range it has.
 * Context: any, under the lock.
 */
void rxc_busy_replace(struct rxc_busy_tree *tree, struct rxc_busy *fill,
		      struct rxc_busy *bypass);

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
 * itself is known to be free, and both are in the same or neighbouring regions.
 * Context: any, under the lock.
 */
u64 rxc_busy_free_until(struct rxc_busy_tree *tree, u64 first, u64 last);

#endif
