/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The length of probation in a set of RX, in quarters of a block.
 *
 * A block is back at once if the age of its ghost is at most 1/RX_AT_ONCE of the ways. It makes
 * probation longer by RX_LONGER. Any other block with a ghost makes probation shorter by
 * RX_SHORTER. So probation grows if more than one of these blocks in five is back at once. With
 * independent reads one in eight is, with loops fewer. More than one in five is back at once
 * only if recent reads predict most.
 *
 * RX_LONGER is a whole block, because a load changes within a few hundred reads. Probation has
 * at most half the set, because a scan must not reach the other half. It starts with a tenth
 * of the set, as in S3-FIFO.
 */
#ifndef _RXC_POLICY_QUOTA_H
#define _RXC_POLICY_QUOTA_H

#include "blocks/policy.h"

enum {
	RX_QUARTER	= 4,
	RX_AT_ONCE	= 8,
	RX_LONGER	= 4,
	RX_SHORTER	= 1,
	/*
	 * If several caches share the set, probation grows only if more than one
	 * block in four is back at once. The blocks of one cache may be back at
	 * once, while those of another are back late, or so late that they have no
	 * ghost any more and are not counted. Probation would then be right for the
	 * first cache, and too long for the other one, whose blocks need main.
	 */
	RX_LONGER_SHARED = 3,
	/*
	 * Probation may save a read, never a write, and blocks soon written again are
	 * mostly logs. So a written block that is back makes nothing shorter, and
	 * longer by half a block only up to RX_PROBATION_WRITTEN, for what is read later.
	 */
	RX_LONGER_WRITTEN = 2,

	/* Lengths in blocks, in a set of RXC_WAYS_MAX. */
	RX_PROBATION_START = 6,
	RX_PROBATION_MAX = 32,
	RX_PROBATION_WRITTEN = 10,
};

static inline unsigned int rx_at_least_1(unsigned int n)
{
	return n ? n : 1;
}

static inline unsigned int rx_quota_min(unsigned int ways)
{
	return rx_at_least_1(ways / 32) * RX_QUARTER;
}

/* Returns the length of @blocks of RXC_WAYS_MAX in a set of @ways. */
static inline unsigned int rx_quota_of(unsigned int ways, unsigned int blocks)
{
	return rx_at_least_1(ways * blocks / RXC_WAYS_MAX) * RX_QUARTER;
}

static inline unsigned int rx_quota_start(unsigned int ways)
{
	return rx_quota_of(ways, RX_PROBATION_START);
}

static inline unsigned int rx_quota_shorter(unsigned int quota, unsigned int ways,
					    unsigned int quarters)
{
	unsigned int min = rx_quota_min(ways);

	return quota < min + quarters ? min : quota - quarters;
}

/* Returns the length once a block is back whose ghost has this age. */
static inline unsigned int rx_quota_back(unsigned int quota, unsigned int ways,
					 unsigned int age, enum rxc_policy_entry entry)
{
	_Bool written = entry & RXC_ENTRY_WRITE;
	unsigned int max = rx_quota_of(ways, written ? RX_PROBATION_WRITTEN :
						       RX_PROBATION_MAX);

	if (age > ways / RX_AT_ONCE)
		return rx_quota_shorter(quota, ways, written ? 0 : RX_SHORTER);
	if (quota >= max)
		return quota;
	quota += written ? RX_LONGER_WRITTEN :
		 entry & RXC_ENTRY_SHARED ? RX_LONGER_SHARED : RX_LONGER;
	return quota < max ? quota : max;
}

/*
 * Returns the length for the @may_go blocks of @used that may be evicted. They have their
 * part of probation, as if they were a smaller set.
 */
static inline unsigned int rx_quota_part(unsigned int quota, unsigned int ways,
					 unsigned int may_go, unsigned int used)
{
	unsigned int min = rx_quota_min(ways);

	quota = quota * may_go / used;
	return quota < min ? min : quota;
}

#endif
