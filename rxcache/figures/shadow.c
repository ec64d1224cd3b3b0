// SPDX-License-Identifier: GPL-2.0-only
/* Small caches that stand for large ones. See shadow.h. */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "blocks/index.h"
#include "figures/shadow.h"

/* Counts have a fraction, so that small counts decay each minute, too. */
enum { FRACTION_BITS = 16, MINUTES = 60, DAY = 24 * MINUTES };

struct mini_set {
	u64 taken;			/* bit set: way holds a block */
	u16 tag[RXC_WAYS_MAX];
	u64 state[];			/* the policy's */
};

/* Returns a hash: the upper half chooses the set, the lowest 16 bits are the tag. */
static u64 hash_block(u32 block)
{
	u64 hash = block * 0xc4ceb9fe1a85ec53ULL;

	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdULL;
	return hash ^ hash >> 33;
}

static struct mini_set *shadow_set(const struct rxc_shadow *shadow,
				   const struct rxc_shadow_cache *cache, u64 hash)
{
	u32 nr = cache->first + (u32)((hash >> 32) * cache->sets >> 32);

	return shadow->room + (size_t)nr * shadow->stride;
}

/* Returns the bytes of a small cache's set, with room for RXC_WAYS_MAX ways. */
static u32 mini_bytes(const struct rxc_policy *policy)
{
	u32 state = policy->state_size(RXC_WAYS_MAX);

	return sizeof(struct mini_set) + (state + 7) / 8 * 8;
}

/*
 * Divides the small caches into sets as the index is divided, so that a rate of 1
 * simulates the index. Returns how many sets the small caches have together.
 */
static u32 shadow_lay_out(struct rxc_shadow_cache *cache, u64 blocks, u32 rate)
{
	u32 sampled, first = 0;
	unsigned int i;

	for (i = 0; i < RXC_NR_SHADOWS; i++) {
		sampled = div_u64(rxc_shadow_scale(i, blocks), rate);
		cache[i].sets = rxc_index_divide(sampled ? sampled : 1,
						 &cache[i].ways);
		cache[i].first = first;
		first += cache[i].sets;
	}
	return first;
}

size_t rxc_shadow_room(const struct rxc_policy *policy, u64 blocks, u32 rate)
{
	struct rxc_shadow_cache cache[RXC_NR_SHADOWS];

	return (size_t)shadow_lay_out(cache, blocks, rate) * mini_bytes(policy);
}

void rxc_shadow_begin(struct rxc_shadow *shadow, const struct rxc_policy *policy,
		      void *room, u64 blocks, u32 rate)
{
	const struct rxc_shadow_cache *cache;
	struct mini_set *set;
	u32 nr;

	memset(shadow, 0, sizeof(*shadow));
	shadow->policy = policy;
	shadow->room = room;
	shadow->stride = mini_bytes(policy);
	shadow_lay_out(shadow->cache, blocks, rate);
	for (cache = shadow->cache; cache < shadow->cache + RXC_NR_SHADOWS; cache++) {
		for (nr = cache->first; nr < cache->first + cache->sets; nr++) {
			set = room + (size_t)nr * shadow->stride;
			set->taken = 0;
			policy->init(set->state, cache->ways);
		}
	}
}

/*
 * Returns the way of @tag, or -1. Compares four tags at a time: 16 bits of the word are
 * zero where a tag equals @tag. The classic test for zero may also flag the tag above a
 * match, so each tag is compared.
 */
static int mini_find(const struct mini_set *set, u16 tag)
{
	const u64 ones = 0x0001000100010001ULL, highs = ones << 15;
	unsigned int base, way;
	u64 word;

	for (base = 0; base < RXC_WAYS_MAX; base += 4) {
		memcpy(&word, &set->tag[base], sizeof(word));
		word ^= ones * tag;
		if (!((word - ones) & ~word & highs))
			continue;
		for (way = base; way < base + 4; way++)
			if (set->tag[way] == tag && set->taken >> way & 1)
				return way;
	}
	return -1;
}

/*
 * Takes a block out of its set. A set stores no fingerprint for the policy, so the
 * policy gets the tag instead.
 */
static void mini_take(const struct rxc_policy *policy, struct mini_set *set,
		      unsigned int way, enum rxc_policy_exit exit)
{
	set->taken &= ~(1ULL << way);
	policy->remove(set->state, way, set->tag[way], exit);
}

static void mini_insert(const struct rxc_policy *policy,
			const struct rxc_shadow_cache *cache, struct mini_set *set,
			u16 tag, enum rxc_policy_entry entry)
{
	u64 all = ~0ULL >> (RXC_WAYS_MAX - cache->ways);
	unsigned int way;

	if (set->taken == all)
		mini_take(policy, set, policy->victim(set->state, cache->ways,
						      set->taken), RXC_EXIT_EVICT);
	way = __ffs64(~set->taken);
	set->tag[way] = tag;
	set->taken |= 1ULL << way;
	policy->insert(set->state, way, tag, entry);
}

/* Returns whether a read was a hit. */
static bool shadow_apply(struct rxc_shadow *shadow, enum rxc_shadow_point point,
			 u64 hash, enum rxc_shadow_op op, bool allocate)
{
	const struct rxc_shadow_cache *cache = &shadow->cache[point];
	struct mini_set *set = shadow_set(shadow, cache, hash);
	int way = mini_find(set, hash);

	switch (op) {
	case RXC_SHADOW_READ:
	case RXC_SHADOW_READ_RUN:
		if (way >= 0)
			shadow->policy->hit(set->state, way);
		else if (op == RXC_SHADOW_READ || point != RXC_SHADOW_BYPASS)
			mini_insert(shadow->policy, cache, set, hash, RXC_ENTRY_READ);
		return way >= 0;
	case RXC_SHADOW_WRITE:
		if (way < 0 && allocate != (point == RXC_SHADOW_FLIPPED))
			mini_insert(shadow->policy, cache, set, hash, RXC_ENTRY_WRITE);
		return false;
	case RXC_SHADOW_DROP:
		if (way >= 0)
			mini_take(shadow->policy, set, way, RXC_EXIT_DROP);
		return false;
	}
	return false;
}

void rxc_shadow_access(struct rxc_shadow *shadow, u32 block,
		       enum rxc_shadow_op op, bool allocate)
{
	u64 hash = hash_block(block & ~RXC_SHADOW_OP_MASK);
	unsigned int point;

	if (op == RXC_SHADOW_READ || op == RXC_SHADOW_READ_RUN)
		shadow->reads += 1 << FRACTION_BITS;
	for (point = 0; point < RXC_NR_SHADOWS; point++)
		if (shadow_apply(shadow, point, hash, op, allocate))
			shadow->hits[point] += 1 << FRACTION_BITS;
}

/*
 * Each minute takes a sixtieth off the counts. This leaves 0.365 of them after an
 * hour, where e^-1 would be 0.368, and nothing after a day.
 */
void rxc_shadow_age(struct rxc_shadow *shadow, u64 minutes)
{
	unsigned int i;

	if (minutes > DAY) {
		rxc_shadow_forget(shadow);
		return;
	}
	for (; minutes; minutes--) {
		shadow->reads -= div_u64(shadow->reads, MINUTES);
		for (i = 0; i < RXC_NR_SHADOWS; i++)
			shadow->hits[i] -= div_u64(shadow->hits[i], MINUTES);
	}
}

void rxc_shadow_forget(struct rxc_shadow *shadow)
{
	shadow->reads = 0;
	memset(shadow->hits, 0, sizeof(shadow->hits));
}

u64 rxc_shadow_reads(const struct rxc_shadow *shadow)
{
	return shadow->reads >> FRACTION_BITS;
}

u64 rxc_shadow_hits(const struct rxc_shadow *shadow, enum rxc_shadow_point point)
{
	return shadow->hits[point] >> FRACTION_BITS;
}

bool rxc_runs_add(struct rxc_runs *runs, u64 begin, u64 length)
{
	unsigned int i;
	u64 before;

	for (i = 0; i < RXC_RUNS; i++)
		if (runs->end[i] == begin && runs->length[i])
			break;
	if (i == RXC_RUNS) {
		i = runs->next++ % RXC_RUNS;
		runs->length[i] = 0;
	}
	before = runs->length[i];
	runs->end[i] = begin + length;
	runs->length[i] = before + length;
	return before >= RXC_RUN_LONG;
}
