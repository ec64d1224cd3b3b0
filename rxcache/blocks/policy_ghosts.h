/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ghosts: fingerprints of blocks that a set of RX has evicted from probation.
 *
 * A set has as many ghosts as ways, because half as many do not notice a loop of twice
 * the cache. A ghost has 12 bits and a lane, because there is no room for more. A lane
 * has the ghosts whose fingerprints have the same low bits, so that a search compares one
 * ghost in LANES. Ghosts are in the order of age, so a place in a lane tells the age.
 */
#ifndef _RXC_POLICY_GHOSTS_H
#define _RXC_POLICY_GHOSTS_H

#include "blocks/policy.h"

enum {
	RX_LANES	= 4,
	RX_LANE		= RXC_WAYS_MAX / RX_LANES,
};

/* Zeroed, it has no ghost. */
struct rx_ghosts {
	__u64 high[RX_LANES];		/* 4 bits of each ghost, youngest lowest */
	__u8 low[RX_LANES][RX_LANE];	/* 8 more bits, youngest first */
};

/* Returns the 12 bits of a fingerprint that its lane stores; 0 would mean no ghost. */
static inline unsigned int rx_ghost_print(__u16 print)
{
	unsigned int kept = print / RX_LANES & 0xfff;

	return kept ? kept : 1;
}

static inline void rx_ghost_put(struct rx_ghosts *ghosts, __u16 print)
{
	unsigned int lane = print % RX_LANES, kept = rx_ghost_print(print), i;

	for (i = RX_LANE - 1; i; i--)
		ghosts->low[lane][i] = ghosts->low[lane][i - 1];
	ghosts->low[lane][0] = kept;
	ghosts->high[lane] = ghosts->high[lane] << 4 | kept >> 8;
}

/*
 * Takes a ghost out and returns its age, or 0 if there is none among as many as the set
 * has ways. Each place in a lane stands for as many ghosts as there are lanes.
 */
static inline unsigned int rx_ghost_take(struct rx_ghosts *ghosts, unsigned int ways,
					 __u16 print)
{
	unsigned int lane = print % RX_LANES, kept = rx_ghost_print(print), i;
	unsigned int depth = ways < RX_LANES ? 1 : ways / RX_LANES;

	for (i = 0; i < depth; i++) {
		if (ghosts->low[lane][i] != (__u8)kept ||
		    (ghosts->high[lane] >> 4 * i & 15) != kept >> 8)
			continue;
		ghosts->low[lane][i] = 0;
		ghosts->high[lane] &= ~(15ULL << 4 * i);
		return i * RX_LANES + RX_LANES / 2;
	}
	return 0;
}

#endif
