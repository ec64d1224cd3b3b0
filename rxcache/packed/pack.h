/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packer of a pool replaces plain blocks by compressed ones. All blocks are in one order,
 * that of the policy, and their place in it decides: those that it calls young stay plain, so
 * that blocks that leave at once cost no compression. A hit leaves a block as it is.
 *
 * The packer is a work. It goes through the whole index, a lap, after a part of the blocks
 * has been taken from the pool for new ones, and only if the pool is nearly full. A block is
 * compressed without a lock. Then the packer replaces the page, in one section under the lock
 * of the set, if the way still has the same key and the same page: to the rest of the cache
 * the copy is the same one before and after. So ranges in flight (busy.h) need not know.
 * Blocks of bins of which little is left move to other bins in the same way, and pinned blocks
 * become plain: one of them would keep a bin whose other blocks are evicted.
 *
 * After each lap the index gets as many sets as blocks fit into the pool by what the lap has
 * yielded. So policies, which count ways, count what there is memory for.
 */
#ifndef _RXC_PACK_H
#define _RXC_PACK_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "blocks/index.h"
#include "memory/pool.h"
#include "packed/bin.h"
#include "packed/codec.h"

/* Bins that the packer adds to at a time, of one codec or of two. */
enum { RXC_OPEN_BINS = 4 };

/**
 * struct rxc_packed_stats - what the packer has done since the pool's first compressed block
 * @tried: blocks that were compressed, or were not worth it
 * @packed: of these, blocks that are compressed since
 * @filled: of these, blocks with one value
 * @moved: compressed blocks that moved to another bin
 * @ns: time of all this
 * @incompressible: plain blocks of the caches that the last lap compressed, marked as not worth
 *	it
 */
struct rxc_packed_stats {
	u64 tried;
	u64 packed;
	u64 filled;
	u64 moved;
	u64 ns;
	u64 incompressible;
};

/**
 * struct rxc_packed_by - what the packer has done for a cache; the work's own, but for the
 *	sums, which are READ_ONCE/WRITE_ONCE
 * @lap: blocks that this lap has met while few are tried
 * @last_tried: @tried when it was last decided whether few blocks are tried
 * @last_shrunk: likewise
 * @tried: blocks that were tried
 * @shrunk: of these, blocks that were worth it
 * @bytes: what became of these
 * @ns: the time for all this, and for moves of its compressed blocks
 */
struct rxc_packed_by {
	u64 lap;
	u64 last_tried;
	u64 last_shrunk;
	u64 tried;
	u64 shrunk;
	u64 bytes;
	u64 ns;
};

/**
 * struct rxc_pack - the packer of a pool
 * @codec: what new blocks of a cache are compressed with; written under rxc_mutex,
 *	smp_store_release/smp_load_acquire
 * @wanted: caches, as bits, that are to be compressed, also those for which that pauses; written
 *	under rxc_mutex, READ_ONCE/WRITE_ONCE
 * @lanes: for readers and the packer
 * @taken: blocks that were taken from the pool for new ones
 * @begun: that number when the last lap began; READ_ONCE/WRITE_ONCE
 * @fresh: caches, as bits, that have another codec since that lap began
 * @rarely: caches of whose blocks little was worth it, so that few are tried; written by the
 *	work, READ_ONCE/WRITE_ONCE
 * @work: runs laps
 * @damaged_work: tells of @damaged
 * @damaged: caches that have lost a block to failed memory, as bits
 *
 * The work's own:
 * @open: the bins that it adds to
 * @pick: blocks of a set
 * @lap_codec: what this lap compresses blocks of a cache with
 * @short_of: there was no memory for a bin or a page, so the lap ends
 * @lap_marked: blocks that were not worth it in this lap
 * @by: for each cache
 * @judged: when caches whose setting is auto were last judged, in jiffies
 * @stats: written by the work, READ_ONCE/WRITE_ONCE
 */
struct rxc_pack {
	struct rxc_pool *pool;
	u8 codec[RXC_SHARERS];
	u32 wanted;
	struct rxc_lanes *lanes;
	/* Written for each miss, and not where hits look. */
	atomic64_t taken ____cacheline_aligned_in_smp;
	u64 begun;
	atomic_t fresh;
	u32 rarely;
	struct work_struct work;
	struct work_struct damaged_work;
	atomic_t damaged;
	struct rxc_bin_open open[RXC_OPEN_BINS];
	struct rxc_pick pick[RXC_WAYS_MAX];
	u8 lap_codec[RXC_SHARERS];
	bool short_of;
	u64 lap_marked;
	struct rxc_packed_by by[RXC_SHARERS];
	unsigned long judged;
	struct rxc_packed_stats stats;
};

/*
 * Makes a packer for a pool, whose works call @lap and @damaged, or returns NULL. Context:
 * process, may sleep.
 */
struct rxc_pack *rxc_pack_new(struct rxc_pool *pool, work_func_t lap, work_func_t damaged);

/* Frees a packer that nobody can find, or NULL. Context: process, may sleep. */
void rxc_pack_free(struct rxc_pack *pack);

/* Goes through all sets once. Context: the packer's work. */
void rxc_pack_lap(struct rxc_pack *pack);

/*
 * Whether the pool or its index is so full that less memory for a block, or more ways, make a
 * difference. Context: any.
 */
bool rxc_pack_full(const struct rxc_pool *pool);

/*
 * The caches that are to be compressed, as bits, to which that, or what they may have of the
 * pool, does. The pool has a packer. Context: any.
 */
u32 rxc_pack_due(const struct rxc_pool *pool);

/* Says whether a cache is to be compressed. Context: process, rxc_mutex. */
void rxc_pack_want(struct rxc_pack *pack, unsigned int key, bool wanted);

/*
 * Sets what new blocks of a cache are compressed with. If another codec is @fresh, nothing that
 * is known of the cache's blocks counts any more. Context: process, rxc_mutex.
 */
void rxc_pack_use(struct rxc_pack *pack, unsigned int key, u32 codec, bool fresh);

/* What new blocks of a cache are compressed with. Context: any. */
u32 rxc_pack_codec(const struct rxc_pool *pool, unsigned int key);

/* Ends the packer's work; the pool is @ending. Context: process, may sleep. */
void rxc_pack_stop(struct rxc_pool *pool);

/* @nr blocks were taken from the pool. Context: any. */
void rxc_pack_taken(struct rxc_pack *pack, unsigned int nr);

/*
 * Begins a lap, because blocks were pinned, or the pool's last cache has stopped to compress.
 * Context: process, rxc_mutex.
 */
void rxc_pack_queue(struct rxc_pool *pool);

/* Ends the additions to all bins. Context: the packer's work. */
void rxc_pack_end_bins(struct rxc_pack *pack);

/* Compressed blocks of a cache have been lost to failed memory. Context: any. */
void rxc_pack_damaged(struct rxc_pack *pack, unsigned int key);

int rxc_pack_init(void);	/* process, may sleep; 0 or an errno */
void rxc_pack_exit(void);	/* process, may sleep */

#endif
