// SPDX-License-Identifier: GPL-2.0-only
/* The replacement policies, without a kernel: the module's own source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../rxcache/policy.h"

static unsigned int tests, failures;

static void check(const char *what, int ok)
{
	tests++;
	failures += !ok;
	printf("%sok %u %s\n", ok ? "" : "not ", tests, what);
}

static const struct rxc_policy *const policies[] = { &rxc_policy_clock };

/* A set as the index drives it: which key sits in which way. */
struct set {
	const struct rxc_policy *policy;
	unsigned int ways;
	unsigned int used;
	unsigned long key[RXC_WAYS_MAX];
	/* Guarded on both sides, for writes beyond what was asked for. */
	unsigned char before[8];
	unsigned char state[RXC_POLICY_STATE];
	unsigned char after[8];
};

static void set_init(struct set *set, const struct rxc_policy *policy,
		     unsigned int ways)
{
	memset(set, 0xa5, sizeof(*set));
	set->policy = policy;
	set->ways = ways;
	set->used = 0;
	policy->init(set->state, ways);
}

static int set_find(const struct set *set, unsigned long key)
{
	for (unsigned int way = 0; way < set->used; way++)
		if (set->key[way] == key)
			return way;
	return -1;
}

/* Returns whether it was a hit. */
static int set_access(struct set *set, unsigned long key)
{
	int way = set_find(set, key);

	if (way >= 0) {
		set->policy->hit(set->state, way);
		return 1;
	}
	if (set->used < set->ways)
		way = set->used++;
	else
		way = set->policy->victim(set->state, set->ways);
	if (way < 0 || (unsigned int)way >= set->ways) {
		printf("# victim %d of %u ways\n", way, set->ways);
		exit(1);
	}
	set->key[way] = key;
	set->policy->insert(set->state, way, RXC_ENTRY_READ);
	return 0;
}

static int set_intact(const struct set *set)
{
	unsigned int size = set->policy->state_size(set->ways);

	for (unsigned int i = 0; i < sizeof(set->before); i++)
		if (set->before[i] != 0xa5 || set->after[i] != 0xa5)
			return 0;
	for (unsigned int i = size; i < RXC_POLICY_STATE; i++)
		if (set->state[i] != 0xa5)
			return 0;
	return 1;
}

static void test_sizes(const struct rxc_policy *policy)
{
	int fits = 1, intact = 1;

	for (unsigned int ways = 1; ways <= RXC_WAYS_MAX; ways++) {
		struct set set;

		fits &= policy->state_size(ways) <= RXC_POLICY_STATE;
		set_init(&set, policy, ways);
		for (unsigned int i = 0; i < 1000; i++)
			set_access(&set, (i * 7919UL) % (ways * 2));
		intact &= set_intact(&set);
	}
	check("state fits a set for 1 to 64 ways", fits);
	check("victims are ways, state stays within its size", intact);
}

/* Reading everything once must not push out what is read all the time. */
static void test_hot_stays(const struct rxc_policy *policy)
{
	unsigned int hits = 0;
	struct set set;

	set_init(&set, policy, 64);
	set_access(&set, 1);
	for (unsigned int i = 0; i < 10000; i++) {
		hits += set_access(&set, 1);
		set_access(&set, 1000 + i);
	}
	check("a block read all the time survives a scan", hits == 10000);
}

/* With every block marked, somebody has to go all the same. */
static void test_all_hot(const struct rxc_policy *policy)
{
	unsigned int seen[RXC_WAYS_MAX] = { 0 }, different = 0;
	struct set set;

	set_init(&set, policy, 64);
	for (unsigned long key = 0; key < 64; key++)
		set_access(&set, key);
	for (unsigned long key = 0; key < 64; key++)
		set_access(&set, key);
	for (unsigned int i = 0; i < 64; i++) {
		unsigned int way = policy->victim(set.state, 64);

		policy->insert(set.state, way, RXC_ENTRY_READ);
		different += !seen[way]++;
	}
	check("64 victims in a row of a hot set are 64 ways", different == 64);
}

static void test_remove(const struct rxc_policy *policy)
{
	struct set set;
	unsigned int way;

	set_init(&set, policy, 4);
	for (unsigned long key = 0; key < 4; key++)
		set_access(&set, key);
	for (unsigned long key = 0; key < 4; key++)
		set_access(&set, key);
	/* A removed block leaves no mark to its successor. */
	policy->remove(set.state, 2);
	policy->insert(set.state, 2, RXC_ENTRY_WRITE);
	way = policy->victim(set.state, 4);
	check("a block put in after a removal has no mark", way == 2);
}

/* CLOCK is at least as good as FIFO on a skewed load, and better than none. */
static void test_skew(const struct rxc_policy *policy)
{
	unsigned long fifo[64], next = 0, random = 1;
	unsigned int hits = 0, fifo_hits = 0;
	struct set set;

	set_init(&set, policy, 64);
	memset(fifo, 0xff, sizeof(fifo));
	for (unsigned int i = 0; i < 200000; i++) {
		unsigned long key, way;

		random = random * 6364136223846793005UL + 1442695040888963407UL;
		/* Two of three accesses go to a tenth of 640 keys. */
		key = (random >> 33) % 3 ? (random >> 40) % 64 :
					   64 + (random >> 40) % 576;
		hits += set_access(&set, key);
		for (way = 0; way < 64 && fifo[way] != key; way++)
			;
		if (way < 64)
			fifo_hits++;
		else
			fifo[next++ % 64] = key;
	}
	printf("# %s %u hits, fifo %u\n", policy->name, hits, fifo_hits);
	check("more hits than FIFO on a skewed load", hits > fifo_hits * 11 / 10);
}

int main(void)
{
	for (unsigned int i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		printf("# policy %s\n", policies[i]->name);
		test_sizes(policies[i]);
		test_hot_stays(policies[i]);
		test_all_hot(policies[i]);
		test_remove(policies[i]);
		test_skew(policies[i]);
	}
	printf("1..%u\n", tests);
	printf("%u passed, %u failed\n", tests - failures, failures);
	return failures ? 1 : 0;
}
