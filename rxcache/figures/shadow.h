/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shadow of a cache estimates the hits that other sizes or settings would have.
 *
 * It is a miniature simulation. One block in N is sampled, always the same blocks. Their
 * reads and writes go through small caches, each 1/N of the size of the cache that it
 * stands for. A small cache has sets and the policy's own state, as the index has, but
 * no pages, and finds a block in its set by 16 bits.
 *
 * All small caches see the same blocks. The sampling error depends mostly on whether a
 * few very hot blocks are sampled. These are hits at any size, so the error is alike in
 * all small caches. So the best estimate of the misses at another size is: misses of
 * the cache (its counters) * misses of that size's small cache / misses of the current
 * size's small cache. On traces of 300000 blocks the mean error of this estimate is 0.2
 * to 0.4 points, and the mean error of a small cache's own ratio is 0.2 to 0.6.
 *
 * This is pure C: the caller has the memory, the clock and the lock, and the same code
 * runs against traces.
 */
#ifndef _RXC_SHADOW_H
#define _RXC_SHADOW_H

#include <linux/types.h>
#include "blocks/policy.h"

/* The estimates. The first five differ from the cache in size only. */
enum rxc_shadow_point {
	RXC_SHADOW_HALF, RXC_SHADOW_SAME, RXC_SHADOW_TWICE, RXC_SHADOW_FOURFOLD,
	RXC_SHADOW_EIGHTFOLD,
	RXC_SHADOW_FLIPPED,	/* the other setting of write-allocate */
	RXC_SHADOW_BYPASS,	/* long sequential runs go past the cache */
	RXC_NR_SHADOWS
};

/* The operations on a block. */
enum rxc_shadow_op {
	RXC_SHADOW_READ,
	RXC_SHADOW_READ_RUN,	/* in a long run, see RXC_SHADOW_BYPASS */
	RXC_SHADOW_WRITE,	/* of the whole block, so that it may enter */
	RXC_SHADOW_DROP,	/* by a write in the mode write-around */
	RXC_SHADOW_OP_MASK = 3
};

enum {
	/*
	 * The most blocks of the small cache of the same size. All small caches
	 * together have 17.5 times as many, which take 175 KB with the largest
	 * state of a policy. The mean error is then half a point, on traces of
	 * 300000 blocks and more.
	 */
	RXC_SHADOW_BLOCKS = 2048,
	/* A run of this many bytes is long. */
	RXC_RUN_LONG = 1024 * 1024,
	RXC_RUNS = 16,
};

/* The sets of one small cache in rxc_shadow.room. */
struct rxc_shadow_cache {
	u32 first;
	u32 sets;
	unsigned int ways;
};

/**
 * struct rxc_shadow - the small caches and their counts
 * @policy: of all small caches
 * @room: the sets, @stride bytes each
 * @reads: reads of sampled blocks, in units of 2^-16; @reads and @hits decay
 * @hits: those of @reads that were hits in each small cache
 */
struct rxc_shadow {
	const struct rxc_policy *policy;
	void *room;
	u32 stride;
	struct rxc_shadow_cache cache[RXC_NR_SHADOWS];
	u64 reads;
	u64 hits[RXC_NR_SHADOWS];
};

/**
 * struct rxc_runs - sequential runs that the next read may continue, in bytes
 * @end: where each run ends
 * @length: its length; 0 for no run
 * @next: modulo RXC_RUNS, the place of the next new run
 */
struct rxc_runs {
	u64 end[RXC_RUNS];
	u64 length[RXC_RUNS];
	u32 next;
};

/*
 * Returns a number for a block. The upper half decides whether the block is sampled.
 * The lower half, without the operation's bits, identifies the block. The number does
 * not depend on the index's hash, so blocks of all sets are sampled.
 */
static inline u64 rxc_shadow_mix(u64 block)
{
	block *= 0x9e3779b97f4a7c15ULL;
	block ^= block >> 32;
	return block * 0xff51afd7ed558ccdULL;
}

/* Returns whether a block is sampled. @below is 2^32 / rate; 0 samples no block. */
static inline bool rxc_shadow_looks(u64 below, u64 mix)
{
	return mix >> 32 < below;
}

/* Returns N for a cache of @blocks (at least 1): one block in N is sampled. */
static inline u32 rxc_shadow_rate(u64 blocks)
{
	return (blocks + RXC_SHADOW_BLOCKS - 1) / RXC_SHADOW_BLOCKS;
}

/* Returns the size that a point estimates for a cache of @size. */
static inline u64 rxc_shadow_scale(enum rxc_shadow_point point, u64 size)
{
	return point <= RXC_SHADOW_EIGHTFOLD ? size << point >> 1 : size;
}

/* Returns how many bytes of room the shadow of a cache of @blocks needs at @rate. */
size_t rxc_shadow_room(const struct rxc_policy *policy, u64 blocks, u32 rate);

/*
 * Begins with empty small caches and no counts. @room is aligned to 8 bytes and has at
 * least rxc_shadow_room() bytes.
 */
void rxc_shadow_begin(struct rxc_shadow *shadow, const struct rxc_policy *policy,
		      void *room, u64 blocks, u32 rate);

/*
 * Does @op to a sampled block, given by the lower half of its number. @allocate is the
 * cache's setting of write-allocate.
 */
void rxc_shadow_access(struct rxc_shadow *shadow, u32 block,
		       enum rxc_shadow_op op, bool allocate);

/* Lets the counts decay by @minutes; after an hour e^-1 of the counts is left. */
void rxc_shadow_age(struct rxc_shadow *shadow, u64 minutes);

/* Clears the counts, but keeps the cached blocks. */
void rxc_shadow_forget(struct rxc_shadow *shadow);

u64 rxc_shadow_reads(const struct rxc_shadow *shadow);
u64 rxc_shadow_hits(const struct rxc_shadow *shadow,
		    enum rxc_shadow_point point);

/*
 * Adds a read of more than one block, in bytes, to its run. Returns whether the run was
 * long before this read.
 */
bool rxc_runs_add(struct rxc_runs *runs, u64 begin, u64 length);

#endif
