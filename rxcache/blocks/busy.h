/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of blocks that are in flight at the origin: fills, writes, and reads that
 * bypass the cache.
 *
 * These ranges keep the cache equal to the origin. Every write, discard,
 * write-zeroes and fill enters its range before it is sent and leaves when it
 * has ended, whether the cache holds the blocks or not. Two ranges that overlap
 * while in flight have raced, because their order at the origin is unknown:
 *
 *	fill, then write	the fill is raced: it is not kept and takes no
 *				more readers
 *	write, then fill	does not happen: a reader that meets a write
 *				goes past the cache
 *	write and write		both are raced: neither is kept
 *	fill and fill		both are kept: a write that could make them differ
 *				races both. A reader begins a fill over one that is
 *				raced, or that it may not wait for (speed.h)
 *
 * A read of the origin while a write is in flight may return the new data, and no
 * read may return the old data after that. So all readers of a block go the same way.
 * A reader goes past the cache only over blocks that are not cached. A write that
 * begins while a read of its blocks is in flight at the origin drops the cached copies
 * before it is sent. A bypassing reader enters its range before it looks at the index.
 * If a write began before the reader entered, no fill stores a copy of these blocks. If
 * a write begins later, the write sees the reader and drops the copy.
 *
 * Verification compares the origin with the cache and returns the bytes to no reader.
 * A write marks its range raced; otherwise other ranges ignore it.
 *
 * Locks. Blocks are divided into regions of RXC_BUSY_REGION bytes, the maximum of a
 * user's bio, and regions by hash into stripes, each with a tree and a lock of its
 * own, so that processors that work on different blocks do not contend. A range within
 * two neighbouring regions is entered under the one or two locks of their stripes.
 *
 * Only a large discard or write-zeroes has a wider range, and the cache itself when it
 * drops many blocks. It is a write. First it enters a tree of its own, then it marks what
 * it overlaps in each stripe, under one lock after the other. A section under the lock of
 * a stripe looks into that tree, too, if there is any wide range. If the section came
 * before the wide range did, it left what it entered for the wide range to find. So a wide
 * range has entered when it has been to all stripes, and is sent after that; it holds no
 * two locks, and nobody waits for longer than it looks at one stripe.
 *
 * The rules hold because ranges that overlap share a stripe, or one of them is wide.
 *
 * The entry is embedded in its owner: entering needs no allocation.
 *
 * tests/model/busy.pml models these rules and the sections under the lock. "make
 * model" proves the rules by visiting every state, and fails if one of them is left
 * out. A change to the effect of a section belongs in the model, too.
 */
#ifndef _RXC_BUSY_H
#define _RXC_BUSY_H

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
 * @raced: see above; set under one of the range's locks, never cleared
 * @met: of a write: a read or another write overlapped it when it entered
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
 * struct rxc_busy_stripe - the ranges in flight in the regions of one hash value
 * @lock: taken in any context, irqsave; outer to wide_lock and to a set's lock of the
 *	index. Two locks are taken in the order of their addresses
 * @root: the nodes of the ranges, except wide ones
 */
struct rxc_busy_stripe {
	spinlock_t lock;
	struct rb_root_cached root;
} ____cacheline_aligned_in_smp;

/**
 * struct rxc_busy_tree - all ranges in flight of one cache
 * @region_shift: from the number of a block to the number of its region
 * @nr_wide: how many ranges touch more than two regions; written under wide_lock,
 *	READ_ONCE/WRITE_ONCE. Under the lock of a stripe that such a range has been to, it
 *	counts that range
 * @wide: these ranges; wide_lock
 * @wide_lock: taken in any context; written to with interrupts off
 * @stripe: the other ranges
 */
struct rxc_busy_tree {
	unsigned int region_shift;
	unsigned int nr_wide;
	struct rb_root_cached wide;
	rwlock_t wide_lock;
	struct rxc_busy_stripe stripe[RXC_BUSY_STRIPES];
};

/* The locks that are held for a range. */
struct rxc_busy_held {
	struct rxc_busy_stripe *first;
	struct rxc_busy_stripe *second;	/* NULL: one is enough */
	unsigned long flags;
};

/* @block_shift: from a byte of the origin to its block. */
void rxc_busy_init(struct rxc_busy_tree *tree, unsigned int block_shift);

/*
 * Takes the locks of the blocks from @first to @last, all within two regions. "Under the
 * lock" below means that the locks of the given blocks are held. Context: any; one range at
 * a time.
 */
void rxc_busy_lock(struct rxc_busy_tree *tree, u64 first, u64 last,
		   struct rxc_busy_held *held);
void rxc_busy_unlock(struct rxc_busy_tree *tree, struct rxc_busy_held *held);

/*
 * Waits until all sections under the lock of any block that have begun have ended. Context:
 * process.
 */
void rxc_busy_sync(struct rxc_busy_tree *tree);

/*
 * Returns whether no range seems to be in flight near the blocks from @first to @last,
 * all within two regions. The answer is a hint and may be outdated. Context: any, no
 * lock.
 */
bool rxc_busy_quiet(struct rxc_busy_tree *tree, u64 first, u64 last);

/* Asserts, with lockdep, that the lock of @block is held. */
void rxc_busy_assert_held(struct rxc_busy_tree *tree, u64 block);

/*
 * Enters a write and marks all ranges that overlap it as raced. Afterwards @busy->raced
 * says whether another write was in flight, and @busy->met whether a read or another
 * write was. Context: any, takes the lock.
 */
void rxc_busy_enter_write(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Enters a fill that overlaps no write. Context: any, under the lock. */
void rxc_busy_enter_fill(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * Enters a read that bypasses the cache. The caller looks at the index after that.
 * Context: any, takes the lock.
 */
void rxc_busy_enter_bypass(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/*
 * Replaces @fill by a read that bypasses the cache, with the same range. Context: any,
 * under the lock.
 */
void rxc_busy_replace(struct rxc_busy_tree *tree, struct rxc_busy *fill,
		      struct rxc_busy *bypass);

/*
 * Enters a verification. Afterwards @busy->raced says whether a write was in flight.
 * Context: any, takes the lock.
 */
void rxc_busy_enter_verify(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Removes a range. Context: any, takes the lock. */
void rxc_busy_leave(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Removes a range that is not wide. Context: any, under the lock. */
void rxc_busy_leave_locked(struct rxc_busy_tree *tree, struct rxc_busy *busy);

/* Whether the fill @busy is one that the caller looks for. */
typedef bool (*rxc_busy_suits)(const struct rxc_busy *busy, void *arg);

/**
 * struct rxc_busy_found - what is in flight over a block
 * @fill: NULL: it is a write, which may be wide, and may end at any time
 * @last: the last block of its range
 */
struct rxc_busy_found {
	struct rxc_busy *fill;
	u64 last;
};

/*
 * Finds the write in flight that covers @block, or else a fill that @suits. Returns whether
 * there is one. Context: any, under the lock.
 */
bool rxc_busy_find(struct rxc_busy_tree *tree, u64 block, rxc_busy_suits suits, void *arg,
		   struct rxc_busy_found *found);

/*
 * Returns the last block, at most @last, up to which no write and no fill that @suits is in
 * flight from @first on. The caller has found @first free under the same lock, and @first is
 * returned at least, whatever has come meanwhile. Both are in the same region or in
 * neighbouring ones. Context: any, under the lock.
 */
u64 rxc_busy_free_until(struct rxc_busy_tree *tree, u64 first, u64 last,
			rxc_busy_suits suits, void *arg);

#endif
