// SPDX-License-Identifier: GPL-2.0-only
/* Properties of all replacement policies, and those of CLOCK, LRU and FIFO alone. */
#include "rx_test.h"
#include "policy_set.h"
#include "policies.h"
#include "sim.h"

static const struct rxc_policy *const policies[] = {
	&rxc_policy_rx, &rxc_policy_clock, &rxc_policy_lru, &rxc_policy_fifo,
};

static void test_sizes(const struct rxc_policy *policy)
{
	bool fits = true, intact = true;

	for (unsigned int ways = 1; ways <= RXC_WAYS_MAX; ways++) {
		struct set set;

		fits &= policy->state_size(ways) <= RXC_POLICY_STATE;
		set_init(&set, policy, ways);
		for (unsigned int i = 0; i < 1000; i++)
			set_access(&set, (i * 7919UL) % (ways * 2));
		intact &= set_intact(&set);
	}
	check(fits, "%s: state fits a set for 1 to 64 ways", policy->name);
	check(intact, "%s: victims are ways, state stays within its size",
	      policy->name);
}

/* Moves all blocks to a new set. Returns whether the old one was intact. */
static bool set_move(struct set *set)
{
	struct set old = *set;

	set_init(set, old.policy, old.ways);
	for (unsigned int heat = 0; heat <= RXC_HEAT_MAX; heat++)
		for (unsigned int way = 0; way < old.ways; way++) {
			if (!(old.taken >> way & 1) || old.policy->heat(old.state, way) != heat)
				continue;
			set->key[way] = old.key[way];
			set->taken |= 1ULL << way;
			set->policy->adopt(set->state, way, heat);
		}
	return set_intact(&old) && set->taken == old.taken;
}

/* Blocks that leave without eviction, and victims of sets that are not full. */
static void test_gaps(const struct rxc_policy *policy)
{
	bool intact = true;

	for (unsigned int ways = 1; ways <= RXC_WAYS_MAX; ways++) {
		struct set set;

		set_init(&set, policy, ways);
		for (unsigned int i = 0; i < 4000; i++) {
			unsigned int way = random_below(ways);

			if (!random_below(4) && set.taken >> way & 1)
				set_drop(&set, way, RXC_EXIT_DROP);
			else if (!random_below(8) && set.taken)
				set_evict(&set);
			else
				set_access(&set, random_below(ways * 2));
		}
		while (set.taken)
			set_evict(&set);
		intact &= set_intact(&set);
	}
	check(intact, "%s: victims of a set with gaps are blocks", policy->name);
}

/*
 * The same with blocks that are read ahead. Each is read for the first time at most once,
 * and no other block is.
 */
static void test_ahead(const struct rxc_policy *policy)
{
	bool intact = true, unread[2 * RXC_WAYS_MAX];

	for (unsigned int ways = 1; ways <= RXC_WAYS_MAX; ways++) {
		struct set set;

		set_init(&set, policy, ways);
		memset(unread, 0, sizeof(unread));
		for (unsigned int i = 0; i < 8000; i++) {
			unsigned long key = random_below(ways * 2);
			int way = set_find(&set, key);

			if (random_below(2) && way < 0) {
				set_ahead(&set, key);
				unread[key] = true;
			} else if (way >= 0 && unread[key]) {
				unread[key] = random_below(4) && set_use(&set, key) ? false : true;
			} else if (!random_below(4) && way >= 0) {
				set_drop(&set, way, RXC_EXIT_DROP);
			} else if (!random_below(8) && set.taken) {
				set_evict(&set);
			} else {
				set_access(&set, key);
				unread[key] = false;
			}
			if (!(i % 64) && set.taken == set_all(&set) && policy->adopt)
				intact &= set_move(&set);
		}
		while (set.taken)
			set_evict(&set);
		intact &= set_intact(&set);
	}
	check(intact, "%s: blocks that are read ahead, used, moved or evicted", policy->name);
}

/* All blocks are read all the time; the policy still has to find victims. */
static void test_hits_while_looking(const struct rxc_policy *policy)
{
	struct set set;

	set_init(&set, policy, 64);
	for (unsigned long i = 0; i < 2000; i++) {
		for (unsigned int way = 0; way < 64; way++)
			for (unsigned int n = 0; n < 4; n++)
				policy->hit(set.state, way);
		set_insert(&set, i);
	}
	check(set_intact(&set), "%s: hot sets have victims", policy->name);
}

static unsigned int skewed_hits(struct set *set)
{
	for (unsigned int i = 0; i < 200000; i++)
		/* Two of three accesses go to a tenth of 640 keys. */
		set_access(set, random_below(3) ? random_below(64) :
						  64 + random_below(576));
	return set->hits;
}

static void test_skew(void)
{
	struct set fifo, set;

	set_init(&fifo, &rxc_policy_fifo, 64);
	skewed_hits(&fifo);
	for (unsigned int i = 0; i < 3; i++) {
		set_init(&set, policies[i], 64);
		skewed_hits(&set);
		printf("# %s %lu hits, fifo %lu\n", policies[i]->name, set.hits,
		       fifo.hits);
		check(set.hits > fifo.hits * 11 / 10,
		      "%s: more hits than FIFO on a skewed load",
		      policies[i]->name);
	}
}

/* A scan that reads blocks once must not evict blocks that are read all the time. */
static void test_hot_stays(const struct rxc_policy *policy, bool stays)
{
	unsigned int hits = 0;
	struct set set;

	set_init(&set, policy, 64);
	set_access(&set, 1);
	for (unsigned int i = 0; i < 10000; i++) {
		hits += set_access(&set, 1);
		set_access(&set, 1000 + i);
	}
	check((hits == 10000) == stays,
	      "%s: a block read all the time survives a scan: %s",
	      policy->name, stays ? "yes" : "no");
}

/* If all blocks are marked, each one is the victim once. */
static void test_all_hot(const struct rxc_policy *policy)
{
	unsigned int seen[RXC_WAYS_MAX] = { 0 }, different = 0;
	struct set set;

	set_init(&set, policy, 64);
	for (unsigned long key = 0; key < 128; key++)
		set_access(&set, key % 64);
	for (unsigned long key = 100; key < 164; key++)
		different += !seen[set_insert(&set, key)]++;
	check(different == 64,
	      "%s: 64 victims in a row of a hot set are 64 ways", policy->name);
}

/* A removed block leaves no mark for the next block in its way. */
static void test_no_mark_left(void)
{
	struct set set;

	set_init(&set, &rxc_policy_clock, 4);
	for (unsigned long key = 0; key < 8; key++)
		set_access(&set, key % 4);
	set_drop(&set, 2, RXC_EXIT_DROP);
	set_insert(&set, 9);
	check(set_evict(&set) == 2, "clock: a block put in after a removal has no mark");
}

static void test_order(void)
{
	static const unsigned long reads[] = { 1, 2, 3, 4, 1, 3, 2, 4, 5, 1 };
	bool same = true;
	struct set set;

	set_init(&set, &rxc_policy_fifo, 4);
	for (unsigned long key = 4; key < 1000; key++) {
		set_access(&set, key);
		if (key >= 7)
			same &= set_access(&set, key - 3);
		same &= set_find(&set, key - 4) < 0;
	}
	check(same, "fifo: the oldest goes, read or not");

	set_init(&set, &rxc_policy_lru, 4);
	for (unsigned int i = 0; i < sizeof(reads) / sizeof(*reads); i++)
		set_access(&set, reads[i]);
	/* 5 has replaced 1, because all hits between two misses have the same age. */
	check(set_find(&set, 5) >= 0 && set_find(&set, 1) >= 0 && set.hits == 4,
	      "lru: hits between two misses are equal");
	set_init(&set, &rxc_policy_lru, 64);
	same = true;
	for (unsigned long key = 0; key < 5000; key++) {
		set_access(&set, key);
		if (!(key % 50))
			same &= set_access(&set, 0);
		if (key >= 200)
			same &= set_find(&set, key - 62) >= 0 &&
				set_find(&set, key - 63) < 0;
	}
	check(same, "lru: what is read stays, the others go in order");
}

int main(void)
{
	for (unsigned int i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		test_sizes(policies[i]);
		test_gaps(policies[i]);
		test_ahead(policies[i]);
		test_hits_while_looking(policies[i]);
		test_hot_stays(policies[i], policies[i] != &rxc_policy_fifo);
		if (policies[i] != &rxc_policy_rx)
			test_all_hot(policies[i]);
	}
	test_skew();
	test_no_mark_left();
	test_order();
	return done();
}
