// SPDX-License-Identifier: GPL-2.0-only
/* Regions: which blocks were read when a region was last visited. See regions.h. */
#include <linux/bits.h>
#include <linux/minmax.h>
#include "forecast/regions.h"

enum {
	/* Reads of all regions after which a visit ends. */
	VISIT_MAX	= 2000,
	/* The same after which a block that is read again ends it. */
	VISIT_MIN	= 20,
	BITS_MIN	= 12,
	BITS_MAX	= 18,
	/* Blocks of the cache for each region. */
	BLOCKS_A_REGION	= 8,
};

_Static_assert(sizeof(struct rxc_region) <= 4 * BLOCKS_A_REGION, "4 bytes a block");

unsigned int rxc_regions_bits(u64 blocks)
{
	unsigned int bits = BITS_MIN;

	while (bits < BITS_MAX && 2ULL * BLOCKS_A_REGION << bits <= blocks)
		bits++;
	return bits;
}

static u64 place_of(const struct rxc_regions *regions, u64 number)
{
	return (number * 0x9e3779b97f4a7c15ULL) >> (64 - regions->bits);
}

const struct rxc_region *rxc_regions_find(const struct rxc_regions *regions, u64 block)
{
	u64 number = block >> RXC_REGION_SHIFT;
	const struct rxc_region *region = &regions->region[place_of(regions, number)];

	return region->now && region->number == (u32)number ? region : NULL;
}

/* Notes a read of some of the blocks of a region. */
static void region_read(struct rxc_regions *regions, u64 number, u64 blocks)
{
	struct rxc_region *region = &regions->region[place_of(regions, number)];
	u32 age = regions->clock - region->seen;

	if (!region->now || region->number != (u32)number)
		*region = (struct rxc_region){ .number = number };
	else if (age > (region->now & blocks ? VISIT_MIN : VISIT_MAX)) {
		region->former = region->last;
		region->last = region->now;
		region->now = 0;
	}
	region->now |= blocks;
	region->seen = regions->clock;
}

void rxc_regions_read(struct rxc_regions *regions, u64 first, u64 last)
{
	u64 number, begin, from, to;

	regions->clock++;
	for (number = first >> RXC_REGION_SHIFT; number <= last >> RXC_REGION_SHIFT; number++) {
		begin = number << RXC_REGION_SHIFT;
		from = first > begin ? first - begin : 0;
		to = min_t(u64, last - begin, RXC_REGION_BLOCKS - 1);
		region_read(regions, number, GENMASK_ULL(to, from));
	}
}

enum rxc_seen rxc_region_seen(const struct rxc_region *region, u64 block)
{
	unsigned int bit = block & (RXC_REGION_BLOCKS - 1);

	if (!region || !region->last)
		return RXC_SEEN_NOTHING;
	return RXC_SEEN_NEVER + (region->former >> bit & 1) + 2 * (region->last >> bit & 1);
}
