/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regions: which of 64 neighbouring blocks were read when the region was last visited. A
 * program that starts again, or a query that runs again, reads the same blocks, mostly in no
 * order that a stream would have.
 *
 * As with streams, only reads that were not hits are seen. A visit ends when a block is read
 * that the visit has read already, for it must have been evicted meanwhile, or after VISIT_MAX
 * reads of other regions.
 *
 * Pure C, as odds.h.
 */
#ifndef _RXC_REGIONS_H
#define _RXC_REGIONS_H

#include <linux/types.h>

enum { RXC_REGION_SHIFT = 6, RXC_REGION_BLOCKS = 1 << RXC_REGION_SHIFT };

/**
 * struct rxc_region - a bit for each block of a region
 * @number: of the region, its lower 32 bits
 * @seen: when it was last read, in reads of all regions
 * @now: blocks read in this visit; 0: there is no region
 * @last: blocks read in the visit before; 0: there was none
 * @former: in the one before that
 */
struct rxc_region {
	u32 number;
	u32 seen;
	u64 now;
	u64 last;
	u64 former;
};

/**
 * struct rxc_regions - regions that were visited lately
 * @clock: reads so far
 * @bits: there is room for 2^@bits regions
 * @region: by hash, one for each
 */
struct rxc_regions {
	u32 clock;
	unsigned int bits;
	struct rxc_region region[];
};

/* Which of the last two visits read a block. */
enum rxc_seen { RXC_SEEN_NOTHING, RXC_SEEN_NEVER, RXC_SEEN_FORMER, RXC_SEEN_LAST,
		RXC_SEEN_BOTH };

/* For a cache of @blocks: how many regions, as a power of two. At most 4 bytes a block, if there are many. */
unsigned int rxc_regions_bits(u64 blocks);

/* Returns the region of @block if it was visited lately, or NULL. */
const struct rxc_region *rxc_regions_find(const struct rxc_regions *regions, u64 block);

/* Notes a read of the blocks from @first to @last. */
void rxc_regions_read(struct rxc_regions *regions, u64 first, u64 last);

enum rxc_seen rxc_region_seen(const struct rxc_region *region, u64 block);

#endif
