/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shadow of a cache: what it would do with another size or setting.
 *
 * Miniature simulation: one block in N is sampled, always the same ones, and its reads
 * and writes go through small caches, each 1/N of the size of the cache that it stands
 * for. A small cache has sets and the policy's own state, as the index has, but no
 * pages, and knows a block by 16 bits.
 *
 * All small caches see the same blocks. Chance is mostly whether a few very hot blocks
 * are among them, and that affects all alike: these are hits at any size. So the best
 * estimate for another size is what the cache itself has missed, by its counters, times
 * the misses of the small cache of that size, divided by those of the small cache
 * of the present size. On traces of 300000 blocks the mean error of this is 0.2 to
 * 0.4 points, and that of a small cache's own ratio 0.2 to 0.6.
 *
 * Pure C: the caller has the memory, the clock and the lock, and the same code runs
 * against traces.
 */
#ifndef _RXC_SHADOW_H
#define _RXC_SHADOW_H

#include <linux/types.h>
#include "policy.h"

/* The estimates. The first five differ from the cache in size only. */
enum rxc_shadow_point {
	RXC_SHADOW_HALF, RXC_SHADOW_SAME, RXC_SHADOW_TWICE, RXC_SHADOW_FOURFOLD,
	RXC_SHADOW_EIGHTFOLD,
	RXC_SHADOW_FLIPPED,	/* the other setting of write-allocate */
	RXC_SHADOW_BYPASS,	/* long sequential runs go past the cache */
	RXC_NR_SHADOWS
};

/* What is done to a block. */
enum rxc_shadow_op {
	RXC_SHADOW_READ,
	RXC_SHADOW_READ_RUN,	/* in a run that a bypass would take */
	RXC_SHADOW_WRITE,	/* as a whole, so that it may enter */
	RXC_SHADOW_DROP,	/* by a write in the mode write-around */
	RXC_SHADOW_OP_MASK = 3
};

enum {
	/*
	 * Most blocks of the small cache of the same size. All have 17.5 times
	 * as many, which take 175 KB with the largest state that a policy has.
	 * The mean error is then half a point, on traces of 300000 blocks and
	 * more.
	 */
	RXC_SHADOW_BLOCKS = 2048,
	/* A run is long from there on, in bytes. */
	RXC_RUN_LONG = 1024 * 1024,
	RXC_RUNS = 16,
};

/* Sets of one small cache, see rxc_shadow. */
struct rxc_shadow_cache {
	u32 first;
	u32 sets;
	unsigned int ways;
};

/**
 * struct rxc_shadow - the small caches, and what they have come to
 * @policy: of all of them
 * @room: the sets, @stride bytes each
 * @reads: of the blocks that are looked at, in units of 2^-16; it and @hits decay
 * @hits: those of them that were there
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
 * struct rxc_runs - sequential runs that may be going on, in bytes
 * @end: where each ends; all that is looked at to find one
 * @length: how long it is
 * @next: the place of the next one that begins
 */
struct rxc_runs {
	u64 end[RXC_RUNS];
	u64 length[RXC_RUNS];
	u32 next;
};

/*
 * A number for a block. Its upper half decides whether the block is sampled. Its
 * lower half, without the operation's bits, identifies the block. The number does
 * not depend on the index's hash, so blocks of all sets are sampled.
 */
static inline u64 rxc_shadow_mix(u64 block)
{
	block *= 0x9e3779b97f4a7c15ULL;
	block ^= block >> 32;
	return block * 0xff51afd7ed558ccdULL;
}

/* @below is 2^32 divided by the rate, or 0: no block is. */
static inline bool rxc_shadow_looks(u64 below, u64 mix)
{
	return mix >> 32 < below;
}

/* One block in how many for a cache of @blocks; not 0. */
static inline u32 rxc_shadow_rate(u64 blocks)
{
	return (blocks + RXC_SHADOW_BLOCKS - 1) / RXC_SHADOW_BLOCKS;
}

/* The size that a point is about, of a cache of that size. */
static inline u64 rxc_shadow_scale(enum rxc_shadow_point point, u64 size)
{
	return point <= RXC_SHADOW_EIGHTFOLD ? size << point >> 1 : size;
}

/* Bytes of room for a cache of @blocks at that rate. */
size_t rxc_shadow_room(const struct rxc_policy *policy, u64 blocks, u32 rate);

/*
 * Begins with empty caches and no counts, in @room, which is aligned to 8 bytes
 * and large enough.
 */
void rxc_shadow_begin(struct rxc_shadow *shadow, const struct rxc_policy *policy,
		      void *room, u64 blocks, u32 rate);

/*
 * The operation @op on a block that is looked at, by the lower half of its number;
 * @allocate is whether writes of whole blocks enter the cache as it is.
 */
void rxc_shadow_access(struct rxc_shadow *shadow, u32 block,
		       enum rxc_shadow_op op, bool allocate);

/* Lets the counts decay: after an hour e^-1 of them is left. */
void rxc_shadow_age(struct rxc_shadow *shadow, u64 minutes);

/* Forgets the counts, not what is cached. */
void rxc_shadow_forget(struct rxc_shadow *shadow);

u64 rxc_shadow_reads(const struct rxc_shadow *shadow);
u64 rxc_shadow_hits(const struct rxc_shadow *shadow,
		    enum rxc_shadow_point point);

/*
 * Takes down a read of more than one block, in bytes; returns whether what came
 * before it in its run was long.
 */
bool rxc_runs_add(struct rxc_runs *runs, u64 begin, u64 length);

#endif
