// SPDX-License-Identifier: GPL-2.0-only
/* Regions: which blocks a visit has read, and when it ends. */
#include "forecast/regions.h"
#include "kernel.h"
#include "rx_test.h"

/* Of regions.c. */
enum { VISIT_MAX = 2000, VISIT_MIN = 20, BITS_MIN = 12, BITS_MAX = 18 };

static struct rxc_regions *regions;

static void begin(unsigned int bits)
{
	free(regions);
	regions = calloc(1, sizeof(*regions) + (sizeof(struct rxc_region) << bits));
	if (!regions)
		exit(1);
	regions->bits = bits;
}

static void look_at(u64 block)
{
	rxc_regions_read(regions, block, block);
}

/* Lets @n reads of one other region pass, which does not take the place of that of @block. */
static void pass(unsigned int n, u64 block)
{
	u64 other = block + RXC_REGION_BLOCKS;

	while (n--)
		look_at(other);
	if (!rxc_regions_find(regions, block))
		check(false, "two regions share a place");
}

static enum rxc_seen seen(u64 block)
{
	return rxc_region_seen(rxc_regions_find(regions, block), block);
}

/* A visit of blocks 640, 650 and, if @all, 660; the region of 640 to 703. */
static void visit(bool all)
{
	look_at(640);
	look_at(650);
	if (all)
		look_at(660);
}

static void test_visits(void)
{
	begin(BITS_MIN);
	check(!rxc_regions_find(regions, 640) && seen(640) == RXC_SEEN_NOTHING, "nothing at first");
	visit(true);
	check(rxc_regions_find(regions, 703) && !rxc_regions_find(regions, 704) &&
	      !rxc_regions_find(regions, 639), "a region is found by each of its blocks");
	check(rxc_regions_find(regions, 640)->now == (1 | 1 << 10 | 1 << 20), "and has a bit for each");
	check(seen(640) == RXC_SEEN_NOTHING, "nothing is known in the first visit");
	pass(VISIT_MIN, 640);
	visit(false);
	check(seen(640) == RXC_SEEN_LAST && seen(660) == RXC_SEEN_LAST && seen(641) == RXC_SEEN_NEVER,
	      "in the second one the first is");
	check(rxc_regions_find(regions, 640)->now == (1 | 1 << 10), "which begins with its own blocks");
	pass(VISIT_MIN, 640);
	look_at(640);
	check(seen(640) == RXC_SEEN_BOTH && seen(660) == RXC_SEEN_FORMER &&
	      seen(641) == RXC_SEEN_NEVER, "in the third one both are");
	pass(VISIT_MIN, 640);
	look_at(640);
	check(seen(640) == RXC_SEEN_BOTH && seen(650) == RXC_SEEN_FORMER &&
	      seen(660) == RXC_SEEN_NEVER, "and no more than two");
}

static void test_ends(void)
{
	begin(BITS_MIN);
	visit(false);
	pass(VISIT_MIN - 1, 640);
	look_at(640);
	check(seen(640) == RXC_SEEN_NOTHING, "a block that is read again at once ends no visit");
	pass(VISIT_MIN, 640);
	look_at(641);
	check(seen(640) == RXC_SEEN_NOTHING, "nor does another block later");
	pass(VISIT_MAX - 1, 640);
	look_at(642);
	check(seen(640) == RXC_SEEN_NOTHING, "nor %u reads of other regions", VISIT_MAX - 1);
	pass(VISIT_MAX, 640);
	look_at(643);
	check(seen(640) == RXC_SEEN_LAST && seen(643) == RXC_SEEN_NEVER, "one more does");
	begin(BITS_MIN);
	visit(false);
	pass(VISIT_MIN, 640);
	look_at(650);
	check(seen(640) == RXC_SEEN_LAST, "a block that is read again later ends a visit");
	/* The clock of reads has 32 bits. */
	begin(BITS_MIN);
	regions->clock = U32_MAX - 10;
	visit(false);
	pass(VISIT_MIN - 1, 640);
	look_at(640);
	check(seen(640) == RXC_SEEN_NOTHING && regions->clock < 20, "the clock wraps");
	pass(VISIT_MIN, 640);
	look_at(640);
	check(seen(640) == RXC_SEEN_LAST, "and goes on");
}

static bool range_true(u64 first, u64 last)
{
	const struct rxc_region *region;
	u64 block, from = first < 200 ? 0 : first - 200;
	bool so = true;

	begin(BITS_MIN);
	rxc_regions_read(regions, first, last);
	for (block = from; block <= last + 200; block++) {
		region = rxc_regions_find(regions, block);
		so &= (region && region->now >> block % RXC_REGION_BLOCKS & 1) ==
		      (block >= first && block <= last);
	}
	if (!so)
		printf("# %llu to %llu\n", (unsigned long long)first, (unsigned long long)last);
	return so && regions->clock == 1;
}

static void test_ranges(void)
{
	static const u64 from[] = { 0, 640, (1ULL << 48) - 640, (1ULL << 32) - 64, 1ULL << 38 };
	static const unsigned int begin_at[] = { 0, 1, 63 }, blocks[] = { 1, 2, 63, 64, 65, 128, 300 };
	bool so = range_true((1ULL << 48) - 1, (1ULL << 48) - 1);
	unsigned int i, j, k;
	u64 first;

	for (i = 0; i < 5; i++)
		for (j = 0; j < 3; j++)
			for (k = 0; k < 7; k++) {
				first = from[i] + begin_at[j];
				so &= range_true(first, first + blocks[k] - 1);
			}
	check(so, "a read has a bit for each of its blocks, in each of its regions, and is one");
}

/* Two regions that share a place. */
static void test_share(void)
{
	u64 other = 704;

	begin(BITS_MIN);
	visit(true);
	pass(VISIT_MIN, 640);
	visit(true);
	for (; rxc_regions_find(regions, 640); other += RXC_REGION_BLOCKS)
		look_at(other);
	other -= RXC_REGION_BLOCKS;
	check(rxc_regions_find(regions, other)->now == 1 && seen(other) == RXC_SEEN_NOTHING,
	      "a region takes the place of another one, and nothing of it");
	look_at(640);
	check(seen(640) == RXC_SEEN_NOTHING && !rxc_regions_find(regions, other),
	      "which begins anew when it is back");
}

static void test_bits(void)
{
	u64 blocks, bytes;
	unsigned int bits = BITS_MIN, was;
	bool so = true, few = true, steps = true;

	check(rxc_regions_bits(1) == BITS_MIN && rxc_regions_bits(0) == BITS_MIN,
	      "a small cache has the fewest regions");
	check(rxc_regions_bits(U64_MAX) == BITS_MAX && rxc_regions_bits(1ULL << 48) == BITS_MAX,
	      "a huge one has the most");
	for (blocks = 1; blocks < 1ULL << 40; blocks += blocks / 7 + 1) {
		was = bits;
		bits = rxc_regions_bits(blocks);
		bytes = sizeof(struct rxc_region) << bits;
		so &= bits >= BITS_MIN && bits <= BITS_MAX;
		steps &= bits == was || bits == was + 1;
		few &= bits == BITS_MIN || bytes <= 4 * blocks;
		few &= bits == BITS_MAX || bytes > 2 * blocks;
	}
	check(so && steps, "between these it grows with the cache");
	check(few, "and takes 2 to 4 bytes a block");
}

/* Regions at even distances, each read once: how many of 1000 are still there? */
static void test_spread(unsigned int shift)
{
	unsigned int n, found = 0;

	begin(BITS_MIN);
	for (n = 0; n < 1000; n++)
		look_at((u64)n << shift);
	for (n = 0; n < 1000; n++)
		found += !!rxc_regions_find(regions, (u64)n << shift);
	check(found > 600, "%u of 1000 regions that are 2^%u blocks apart have a place", found, shift);
}

int main(void)
{
	unsigned int shift;

	test_visits();
	test_ends();
	test_ranges();
	test_share();
	test_bits();
	for (shift = RXC_REGION_SHIFT; shift <= 38; shift++)
		test_spread(shift);
	free(regions);
	return done();
}
