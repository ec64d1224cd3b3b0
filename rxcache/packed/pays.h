/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether compression pays, for a cache whose setting is auto. The cache compresses until it
 * has replaced half of its blocks, and then is judged by what that cost and brought, again
 * and again. If it does not pay, the cache pauses until it has replaced all of its blocks
 * four times, and tries again, as data and origin may have changed.
 *
 * This is arithmetic only: the caller has the sums, the lock and the codec.
 */
#ifndef _RXC_PAYS_H
#define _RXC_PAYS_H

#include <linux/types.h>

enum {
	/* A pause replaces all blocks so many times. */
	RXC_PAYS_PAUSE	= 4,
	/* So few tries, hits or misses tell nothing. */
	RXC_PAYS_FEW	= 64,
	/*
	 * Of traces that gain, five to seven hits were decompressed for each miss that was saved.
	 * So decompression pays while a miss takes PART times as long. A processor's time for
	 * compression is to be 1/PART of the time that readers wait for misses at most.
	 */
	RXC_PAYS_PART	= 8,
	/* At least this many blocks must fit into the memory of 100 plain ones. */
	RXC_PAYS_BLOCKS	= 110,
	/* Less is asked of a cache for which it pays, or that would change its mind too often. */
	RXC_PAYS_STILL_PART	= 6,
	RXC_PAYS_STILL_BLOCKS	= 105,
};

/**
 * struct rxc_pay_sums - what a cache did, as sums that only grow
 * @taken: blocks that came into the cache, or were written or read anew
 * @tried: blocks that were to be compressed
 * @tried_bytes: these as they are on the origin
 * @packed_bytes: the memory that they take since
 * @spent_ns: the time for this
 * @hits: blocks that were decompressed for readers
 * @hit_ns: the time of these
 * @misses: blocks for which readers waited
 * @miss_ns: the time of reads that waited for any
 */
struct rxc_pay_sums {
	u64 taken;
	u64 tried;
	u64 tried_bytes;
	u64 packed_bytes;
	u64 spent_ns;
	u64 hits;
	u64 hit_ns;
	u64 misses;
	u64 miss_ns;
};

/**
 * struct rxc_pays - the state of a cache
 * @automatic: its setting is auto; only then the others mean anything
 * @on: it compresses
 * @begun: @since is set
 * @verdict: enum rxcache_compress_verdict; untried during a trial
 * @judged: the last other verdict, or untried
 * @blocks: the most that it had since the trial, or the pause, began
 * @since: the sums then
 */
struct rxc_pays {
	bool automatic;
	bool on;
	bool begun;
	u8 verdict;
	u8 judged;
	u64 blocks;
	struct rxc_pay_sums since;
};

/* Begins the first trial of a cache, which counts from the next rxc_pays_lap() on. */
void rxc_pays_begin(struct rxc_pays *pays);

/*
 * A lap of the packer has ended, and the cache, which has @blocks, is so full that memory
 * matters. Returns whether @judged has changed. @on and @verdict may change, too.
 */
bool rxc_pays_lap(struct rxc_pays *pays, const struct rxc_pay_sums *now, u64 blocks);

#endif
