/* SPDX-License-Identifier: GPL-2.0-only */
/* A set as the index drives a policy: which key sits in which way. */
#ifndef RX_POLICY_SET_H
#define RX_POLICY_SET_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../../rxcache/blocks/policy.h"

struct set {
	const struct rxc_policy *policy;
	unsigned int ways;
	enum rxc_policy_entry entry;	/* of each block that enters */
	__u64 taken;
	unsigned long key[RXC_WAYS_MAX];
	unsigned long hits, stores;	/* stores: hits that changed the state */
	unsigned long known;		/* came back, and the policy knew it */
	/* Guarded on both sides, for writes beyond what was asked for. */
	unsigned char before[8];
	unsigned char state[RXC_POLICY_STATE] __attribute__((aligned(8)));
	unsigned char after[8];
};

static inline void set_init(struct set *set, const struct rxc_policy *policy,
			    unsigned int ways)
{
	memset(set, 0xa5, sizeof(*set));
	set->policy = policy;
	set->ways = ways;
	set->taken = 0;
	set->hits = set->stores = set->known = 0;
	set->entry = RXC_ENTRY_READ;
	policy->init(set->state, ways);
}

static inline __u64 set_all(const struct set *set)
{
	return ~0ULL >> (64 - set->ways);
}

/* As good as a hash: a bijection of 16 bits, so that keys below 2^16 differ. */
static inline __u16 set_print(unsigned long key)
{
	return key * 40503u;
}

static inline int set_find(const struct set *set, unsigned long key)
{
	for (unsigned int way = 0; way < set->ways; way++)
		if (set->taken >> way & 1 && set->key[way] == key)
			return way;
	return -1;
}

static inline void set_drop(struct set *set, unsigned int way,
			    enum rxc_policy_exit exit)
{
	set->taken &= ~(1ULL << way);
	set->policy->remove(set->state, way, set_print(set->key[way]), exit);
}

static inline unsigned int set_evict(struct set *set)
{
	unsigned int way = set->policy->victim(set->state, set->ways,
					       set->taken);

	if (way >= set->ways || !(set->taken >> way & 1)) {
		printf("# victim %u of %u ways, taken %llx\n", way, set->ways,
		       (unsigned long long)set->taken);
		exit(1);
	}
	set_drop(set, way, RXC_EXIT_EVICT);
	return way;
}

/* Not there before. Returns its way. */
static inline unsigned int set_insert(struct set *set, unsigned long key)
{
	unsigned int way = 0;

	if (set->taken == set_all(set))
		way = set_evict(set);
	while (set->taken >> way & 1)
		way++;
	set->taken |= 1ULL << way;
	set->key[way] = key;
	set->known += set->policy->insert(set->state, way, set_print(key),
					  set->entry);
	return way;
}

/* The first read of a block that was read ahead. Returns whether it is there. */
static inline bool set_use(struct set *set, unsigned long key)
{
	int way = set_find(set, key);

	if (way >= 0)
		set->known += set->policy->use(set->state, way, set_print(key), set->entry);
	return way >= 0;
}

/* Read-ahead of a block that may be there already. */
static inline void set_ahead(struct set *set, unsigned long key)
{
	enum rxc_policy_entry entry = set->entry;

	set->entry |= RXC_ENTRY_AHEAD;
	if (set_find(set, key) < 0)
		set_insert(set, key);
	set->entry = entry;
}

/* Returns whether it was a hit. */
static inline bool set_access(struct set *set, unsigned long key)
{
	unsigned char old[RXC_POLICY_STATE];
	unsigned int changed = 0;
	int way = set_find(set, key);

	if (way < 0) {
		set_insert(set, key);
		return false;
	}
	memcpy(old, set->state, sizeof(old));
	set->policy->hit(set->state, way);
	for (unsigned int i = 0; i < sizeof(old); i++)
		changed += old[i] != set->state[i];
	if (changed > 1) {
		printf("# a hit changed %u bytes\n", changed);
		exit(1);
	}
	set->hits++;
	set->stores += changed;
	return true;
}

static inline bool set_intact(const struct set *set)
{
	unsigned int size = set->policy->state_size(set->ways);

	for (unsigned int i = 0; i < sizeof(set->before); i++)
		if (set->before[i] != 0xa5 || set->after[i] != 0xa5)
			return false;
	for (unsigned int i = size; i < RXC_POLICY_STATE; i++)
		if (set->state[i] != 0xa5)
			return false;
	return true;
}

/* Numbers from 0 to @below, the same in each run. */
static inline unsigned long random_below(unsigned long below)
{
	static unsigned long state = 1;

	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (state >> 33) % below;
}

#endif
