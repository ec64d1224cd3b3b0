// SPDX-License-Identifier: GPL-2.0-only
/* The replacement policy RX: probation, main and ghosts of one set. */
#include "rx_test.h"
#include "policy_set.h"

enum { WAYS = 64 };

/* A set whose main has keys 0 to 57, each read @times, and a full probation. */
static void fill(struct set *set, unsigned int times)
{
	unsigned long key;
	unsigned int n;

	set_init(set, &rxc_policy_rx, WAYS);
	for (key = 0; key < WAYS; key++)
		set_access(set, key);
	for (n = 0; n < times; n++)
		for (key = 0; key < 58; key++)
			set_access(set, key);
	set->hits = set->stores = 0;
}

static unsigned int held(const struct set *set, unsigned long first,
			 unsigned long last)
{
	unsigned int n = 0;

	for (; first <= last; first++)
		n += set_find(set, first) >= 0;
	return n;
}

static void scan(struct set *set, unsigned long first, unsigned int blocks)
{
	while (blocks--)
		set_access(set, first++);
}

static void test_scan(void)
{
	struct set set;

	fill(&set, 0);
	scan(&set, 1000, 20000);
	check(held(&set, 0, 57) >= 56, "a scan leaves main alone");
}

/* Reads of parts of a block, or by two readers at the same time, count as one access. */
static void test_window(void)
{
	struct set set;
	unsigned long key;

	fill(&set, 1);
	for (key = 1000; key < 3000; key++) {
		set_access(&set, key);
		set_access(&set, key);
		if (key > 1000)
			set_access(&set, key - 1);
	}
	check(held(&set, 0, 57) >= 56, "reads right after the first do not count");
	fill(&set, 1);
	scan(&set, 1000, 5);
	set_access(&set, 1000);
	scan(&set, 2000, 200);
	check(set_find(&set, 1000) >= 0, "a later read takes a block to main");
}

static void test_ghosts(void)
{
	struct set set;

	fill(&set, 0);
	scan(&set, 1000, 20);
	check(set_find(&set, 1000) < 0, "a block read once leaves probation");
	check(!set.known, "nothing is known that is new");
	set_access(&set, 1000);
	check(set.known == 1, "one that is back soon is known");
	scan(&set, 2000, 200);
	check(set_find(&set, 1000) >= 0, "one that is back soon goes to main");
	scan(&set, 5000, 1);
	scan(&set, 6000, 2000);
	set_access(&set, 5000);
	scan(&set, 9000, 20);
	check(set_find(&set, 5000) < 0, "one that is back late does not");

	/* A dropped block was not evicted, so its time in the set says nothing. */
	fill(&set, 0);
	set_access(&set, 1000);
	set_drop(&set, set_find(&set, 1000), RXC_EXIT_DROP);
	set_access(&set, 1000);
	check(!set.known, "a block that was dropped is not known");
	scan(&set, 2000, 100);
	check(set_find(&set, 1000) < 0, "a block that was dropped is no ghost");
}

/* Main is a CLOCK: blocks that are read stay, and all others leave in the end. */
static void test_main(void)
{
	struct set set;
	unsigned long key, round;

	fill(&set, 1);
	for (round = 0; round < 100; round++) {
		for (key = 0; key < 8; key++)
			set_access(&set, key);
		/* New blocks get into main, because each is read again soon after its eviction. */
		for (key = 0; key < 4; key++) {
			scan(&set, 1000 + round * 100 + key, 1);
			scan(&set, 20000 + round * 100 + key * 8, 8);
			scan(&set, 1000 + round * 100 + key, 1);
		}
	}
	check(held(&set, 0, 7) == 8, "blocks that are read stay in main");
	check(held(&set, 8, 57) == 0, "those that are not leave it");
}

/* If a loop does not fit, a part of it is kept, and is hit in each round. */
static void test_loops(void)
{
	static const unsigned int lengths[] = { 80, 96, 128, 160, 1000 };
	struct set set;
	unsigned int i, n;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		set_init(&set, &rxc_policy_rx, WAYS);
		for (n = 0; n < 500 * lengths[i]; n++)
			set_access(&set, n % lengths[i]);
		check(set.hits / 500 > WAYS / 3, "%lu hits in a loop of %u",
		      set.hits / 500, lengths[i]);
	}
}

/* Blocks that are read again soon, and then never again, need a large probation. */
static void test_recency(void)
{
	static const unsigned int spread[] = { 8, 16, 28 };
	unsigned long key, reads;
	struct set set;
	unsigned int i;

	for (i = 0; i < sizeof(spread) / sizeof(*spread); i++) {
		set_init(&set, &rxc_policy_rx, WAYS);
		for (key = 100, reads = 0; key < 20000; key++, reads++) {
			set_access(&set, key);
			set_access(&set, key - 1 - random_below(spread[i]));
		}
		check(set.hits > reads * 9 / 10,
		      "%lu of %lu hit that are read again up to %u blocks later",
		      set.hits, reads, spread[i]);
	}
}

/*
 * Hot blocks fill nearly the whole set, and other blocks are read at random. A hot
 * block that was evicted is soon back, which must not make probation longer.
 */
static void test_crowded(void)
{
	unsigned int hot, reads, hits, i;
	struct set set;

	for (hot = 50; hot <= 62; hot += 4) {
		set_init(&set, &rxc_policy_rx, WAYS);
		for (i = 0, reads = 0, hits = 0; i < 100000; i++) {
			if (random_below(5)) {
				reads++;
				hits += set_access(&set, random_below(hot));
			} else {
				set_access(&set, 100 + random_below(4000));
			}
		}
		check(hits > reads * 0.99, "%u of %u reads of %u hot blocks hit",
		      hits, reads, hot);
	}
}

/* The hot blocks change: the old ones leave, however often they were read. */
static void test_shift(void)
{
	unsigned int i, late = 0;
	unsigned long base = 0;
	struct set set;

	set_init(&set, &rxc_policy_rx, WAYS);
	for (i = 0; i < 100000; i++) {
		base = i / 5000 * 1000;
		if (i % 5000 == 2000)
			set.hits = 0;
		set_access(&set, base + random_below(48));
		if (i % 5000 == 4999)
			late += set.hits;
	}
	check(late > 20 * 3000 * 97 / 100,
	      "%u of 60000 reads hit, 2000 after the hot blocks changed", late);
}

/*
 * Two caches share a set. A part of one's blocks is read again, soon, and never after
 * that. The other one has hot blocks, which need main. Returns the hits on these.
 */
static unsigned int hits_beside(enum rxc_policy_entry entry)
{
	unsigned long key = 2000;
	unsigned int i, hits = 0;
	struct set set;

	set_init(&set, &rxc_policy_rx, WAYS);
	set.entry = entry;
	for (i = 0; i < 40000; i++) {
		set_access(&set, key++);
		if (random_below(10) < 4)
			set_access(&set, key - 1 - random_below(40));
		hits += set_access(&set, random_below(48));
	}
	return hits;
}

static void test_shared(void)
{
	unsigned int one = hits_beside(RXC_ENTRY_READ), many = hits_beside(RXC_ENTRY_SHARED);

	check(many > one * 12 / 10,
	      "%u hits on hot blocks in a shared set, %u as if it had one cache",
	      many, one);
}

/* A write to a block that is there tells the policy nothing. */
static void write_block(struct set *set, unsigned long key)
{
	if (set_find(set, key) >= 0)
		return;
	set->entry = RXC_ENTRY_WRITE;
	set_insert(set, key);
	set->entry = RXC_ENTRY_READ;
}

/*
 * Blocks are written, many of them again soon, and none is read. Others are hot.
 * Probation must not grow for blocks that are only written, since the hot ones need
 * main.
 */
static void test_written(void)
{
	unsigned int i, hits = 0;
	unsigned long key = 2000;
	struct set set;

	set_init(&set, &rxc_policy_rx, WAYS);
	for (i = 0; i < 40000; i++) {
		write_block(&set, key++);
		if (random_below(10) < 4)
			write_block(&set, key - 1 - random_below(40));
		hits += set_access(&set, random_below(48));
	}
	check(hits > 40000 * 85 / 100,
	      "%u of 40000 reads of hot blocks hit beside blocks written again soon", hits);
}

/* A hit on a hot block stores nothing. */
static void test_stores(void)
{
	struct set set;
	unsigned int n;

	fill(&set, 8);
	for (n = 0; n < 1000; n++)
		set_access(&set, n % 58);
	check(set.hits == 1000 && !set.stores, "a hot block is hit without a store");
}

static void ahead(struct set *set, unsigned long first, unsigned int blocks)
{
	while (blocks--)
		set_ahead(set, first++);
}

/* A block that is evicted unread was not asked for. */
static void test_ahead_ghosts(void)
{
	struct set set;

	fill(&set, 0);
	ahead(&set, 1000, 1);
	scan(&set, 2000, 20);
	check(set_find(&set, 1000) < 0, "an unread block leaves probation");
	set_access(&set, 1000);
	check(!set.known, "and no ghost");
	fill(&set, 0);
	ahead(&set, 1000, 1);
	check(set_use(&set, 1000) && !set.known, "a first read of a new block");
	scan(&set, 2000, 20);
	check(set_find(&set, 1000) < 0, "which leaves probation then");
	set_access(&set, 1000);
	check(set.known == 1, "leaves a ghost");
	fill(&set, 0);
	scan(&set, 1000, 21);
	ahead(&set, 1000, 1);
	check(!set.known, "a block with a ghost that is read ahead is not back yet");
	set_use(&set, 1000);
	check(set.known == 1, "but is when it is read");
	scan(&set, 2000, 200);
	check(set_find(&set, 1000) >= 0, "and goes to main");
}

static void test_ahead_use(void)
{
	struct set set;

	fill(&set, 1);
	ahead(&set, 1000, 1);
	scan(&set, 2000, 4);
	set_use(&set, 1000);
	set_access(&set, 1000);
	scan(&set, 3000, 4);
	check(set_find(&set, 1000) >= 0, "a first read begins its time on probation");
	scan(&set, 4000, 200);
	check(set_find(&set, 1000) < 0, "and takes it to main no more than reads right after");
	fill(&set, 1);
	ahead(&set, 1000, 1);
	set_use(&set, 1000);
	scan(&set, 2000, 4);
	set_access(&set, 1000);
	scan(&set, 3000, 200);
	check(set_find(&set, 1000) >= 0, "a later read does");
	fill(&set, 1);
	set_access(&set, 1000);
	ahead(&set, 2000, 4);
	set_access(&set, 1000);
	scan(&set, 3000, 200);
	check(set_find(&set, 1000) >= 0, "later than some that are read ahead is late enough");
}

/* Reads ahead of a scan, by @far blocks, of which some are never read. */
static void test_ahead_scan(unsigned int far, unsigned int read)
{
	unsigned long key, hits = 0;
	struct set set;

	fill(&set, 1);
	for (key = 10000; key < 30000; key++) {
		ahead(&set, key + far, 1);
		if (key % 4 >= read)
			continue;
		if (set_use(&set, key))
			hits++;
		else
			set_access(&set, key);
		set_access(&set, key);
	}
	check(held(&set, 0, 57) >= 56, "read-ahead by %u leaves main alone", far);
	/* Probation is short, and read-ahead has to be so, too. */
	check(far > 2 || hits >= 4990 * read, "%lu are there when they are read", hits);
}

/* An empty set that read-ahead fills. The first blocks go to main, unread, and leave it again. */
static void test_ahead_fill(void)
{
	struct set set;
	unsigned int way, main = 0, heat;

	set_init(&set, &rxc_policy_rx, WAYS);
	ahead(&set, 1, WAYS);
	heat = set.policy->heat(set.state, 0);
	set_use(&set, 1);
	check(heat && set.policy->heat(set.state, 0) == heat, "an unread block in main stays there");
	check(held(&set, 1, WAYS) == WAYS, "read-ahead fills a set");
	for (way = 0; way < WAYS; way++)
		main += set_use(&set, 1 + way) && set.policy->heat(set.state, way);
	check(main == WAYS && set_intact(&set), "and all are used");
	scan(&set, 1000, 20);
	check(set.known == 0, "none of them is known");
}

/* A set whose blocks move to another one, as in a resize. */
static void test_ahead_moves(void)
{
	unsigned int way, least = RXC_HEAT_MAX, heat;
	struct set set, next;

	fill(&set, 1);
	ahead(&set, 1000, 1);
	set_access(&set, 2000);
	for (way = 0; way < WAYS; way++) {
		heat = set.policy->heat(set.state, way);
		if (set.key[way] != 1000 && heat < least)
			least = heat;
	}
	check(set.policy->heat(set.state, set_find(&set, 1000)) < least, "an unread block is coldest");
	set_init(&next, &rxc_policy_rx, WAYS);
	for (way = 0; way < WAYS; way++) {
		next.key[way] = set.key[way];
		next.taken |= 1ULL << way;
		next.policy->adopt(next.state, way, set.policy->heat(set.state, way));
	}
	scan(&next, 3000, 40);
	check(set_find(&next, 1000) < 0 && set_find(&next, 2000) < 0, "two blocks move and leave");
	set_access(&next, 1000);
	check(!next.known, "the one that was unread leaves no ghost there either");
	set_access(&next, 2000);
	check(next.known == 1, "the other one does");
}

int main(void)
{
	test_ahead_ghosts();
	test_ahead_use();
	test_ahead_scan(1, 4);
	test_ahead_scan(2, 4);
	test_ahead_scan(2, 2);
	test_ahead_scan(10, 4);
	test_ahead_scan(100, 0);
	test_ahead_fill();
	test_ahead_moves();
	test_scan();
	test_window();
	test_ghosts();
	test_main();
	test_loops();
	test_recency();
	test_crowded();
	test_shift();
	test_shared();
	test_written();
	test_stores();
	return done();
}
