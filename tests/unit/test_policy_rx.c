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

/* What is read in parts, or by two at the same time, is one access. */
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
	set_access(&set, 1000);
	scan(&set, 2000, 200);
	check(set_find(&set, 1000) >= 0, "one that is back soon goes to main");
	scan(&set, 5000, 1);
	scan(&set, 6000, 2000);
	set_access(&set, 5000);
	scan(&set, 9000, 20);
	check(set_find(&set, 5000) < 0, "one that is back late does not");

	/* Dropped is not turned out: it says nothing about how long it lasted. */
	fill(&set, 0);
	set_access(&set, 1000);
	set_drop(&set, set_find(&set, 1000), RXC_EXIT_DROP);
	set_access(&set, 1000);
	scan(&set, 2000, 100);
	check(set_find(&set, 1000) < 0, "a block that was dropped is no ghost");
}

/* Main is a CLOCK: who is read stays, who is not goes in the end. */
static void test_main(void)
{
	struct set set;
	unsigned long key, round;

	fill(&set, 1);
	for (round = 0; round < 100; round++) {
		for (key = 0; key < 8; key++)
			set_access(&set, key);
		/* New blocks for main: each is back at once. */
		for (key = 0; key < 4; key++) {
			scan(&set, 1000 + round * 100 + key, 1);
			scan(&set, 20000 + round * 100 + key * 8, 8);
			scan(&set, 1000 + round * 100 + key, 1);
		}
	}
	check(held(&set, 0, 7) == 8, "blocks that are read stay in main");
	check(held(&set, 8, 57) == 0, "those that are not leave it");
}

/* A hit on what is hot stores nothing. */
static void test_stores(void)
{
	struct set set;
	unsigned int n;

	fill(&set, 8);
	for (n = 0; n < 1000; n++)
		set_access(&set, n % 58);
	check(set.hits == 1000 && !set.stores, "a hot block is hit without a store");
}

int main(void)
{
	test_scan();
	test_window();
	test_ghosts();
	test_main();
	test_stores();
	return done();
}
