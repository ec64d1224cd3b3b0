// SPDX-License-Identifier: GPL-2.0-only
/* What caches have at least and at most of an index that they share. */
#include <stdlib.h>
#include <string.h>

#include "blocks/index.h"
#include "kernel.h"
#include "rx_test.h"
#include "sim.h"

enum { BLOCKS = 8192, SETS = BLOCKS / 64, SPAN = 1 << 20 };

static unsigned long long seed;

static u64 rnd(u64 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

/* What the module does after a store: see rxc_index_over(). */
static void cut(struct rxc_index *index, unsigned int map)
{
	struct rxc_taken old;

	while (rxc_index_cut(index, map, &old))
		;
}

/* What the module does when a max changes. */
static void cut_all(struct rxc_index *index, unsigned int map)
{
	unsigned int idle;
	struct rxc_taken old;

	for (idle = 0; idle < SETS; idle++)
		if (rxc_index_cut(index, map, &old))
			idle = 0;
}

static enum rxc_stored store(struct rxc_index *index, unsigned int map, u64 block)
{
	struct page *page = pfn_to_page(1 + block);
	struct rxc_taken old;
	enum rxc_stored stored = rxc_index_store(index, rxc_key(map, block), page,
						 RXC_STORE_READ, &old);

	if (stored == RXC_STORED_FULL && old.page != page)
		check(false, "a page that is not stored comes back");
	cut(index, map);
	return stored;
}

/* A cache reads @n blocks from @first on, once each. Returns how many found no room. */
static u64 scan(struct rxc_index *index, unsigned int map, u64 first, u64 n)
{
	u64 block, full = 0;

	for (block = first; block < first + n; block++)
		full += store(index, map, block) == RXC_STORED_FULL;
	return full;
}

static u64 hits(struct rxc_index *index, unsigned int map, u64 first, u64 n)
{
	struct page *page;
	u64 block, hit = 0;

	for (block = first; block < first + n; block++) {
		page = rxc_index_get(index, rxc_key(map, block));
		hit += !!page;
		if (page)
			rxc_page_put(page);
	}
	return hit;
}

/* A cache reads @n times one of twice the blocks that there is room for. */
static u64 work(struct rxc_index *index, unsigned int map, unsigned int n)
{
	u64 block, full = 0;

	while (n--) {
		block = rnd(2 * BLOCKS);
		if (!hits(index, map, block, 1))
			full += store(index, map, block) == RXC_STORED_FULL;
	}
	return full;
}

static void end(struct rxc_index *index)
{
	u64 cursor = 0;

	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index, 0, ~0ULL, &cursor);
	rxc_index_free(index);
}

/* Who makes room for nobody in particular: of a cache, for compressed blocks, and of the machine. */
static void test_anybody(struct rxc_index *index, const struct rxc_policy *policy)
{
	struct rxc_taken old;
	u64 used = rxc_index_used_by(index, 0), most = rxc_index_used_by(index, 1) / 2, n;

	rxc_index_bound(index, 0, used, U64_MAX);
	for (n = 0; n < most; n++)
		if (!rxc_index_shrink(index, RXC_ANYBODY, false, &old))
			break;
	check(most && n == most && rxc_index_used_by(index, 0) == used,
	      "%s: caches above their min make room for compressed blocks", policy->name);
	for (n = 0; n < SETS; n++)
		rxc_index_shrink(index, RXC_NOBODY, false, &old);
	check(rxc_index_used_by(index, 0) < used, "%s: and all of them for the machine",
	      policy->name);
	rxc_index_bound(index, 0, BLOCKS / 2, U64_MAX);
	work(index, 1, 4 * BLOCKS);
}

static void test_min(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 full;

	scan(index, 0, 0, 20 * BLOCKS);
	check(rxc_index_used_by(index, 0) == BLOCKS, "%s: one cache has all", policy->name);
	rxc_index_bound(index, 0, BLOCKS / 2, U64_MAX);
	full = work(index, 1, 40 * BLOCKS);
	check(rxc_index_used_by(index, 0) == BLOCKS / 2 && !full,
	      "%s: another one leaves it its min to the block", policy->name);
	check(rxc_index_used_by(index, 1) == BLOCKS / 2, "%s: and has the rest", policy->name);
	test_anybody(index, policy);
	work(index, 0, 4 * BLOCKS);
	check(rxc_index_used_by(index, 0) > BLOCKS / 2, "%s: above its min it gets more",
	      policy->name);
	rxc_index_bound(index, 0, BLOCKS, U64_MAX);
	work(index, 0, 60 * BLOCKS);
	check(rxc_index_used_by(index, 0) == BLOCKS, "%s: up to all", policy->name);
	check(scan(index, 1, 0, 1000) == 1000 && !rxc_index_used_by(index, 1),
	      "%s: where all is guarded others store nothing", policy->name);
	rxc_index_bound(index, 0, BLOCKS * 6 / 10, U64_MAX);
	rxc_index_bound(index, 1, BLOCKS * 4 / 10, U64_MAX);
	full = work(index, 1, 20 * BLOCKS) + work(index, 0, 20 * BLOCKS) +
	       work(index, 1, 20 * BLOCKS);
	check(rxc_index_used_by(index, 0) >= BLOCKS * 6 / 10 &&
	      rxc_index_used_by(index, 1) >= BLOCKS * 4 / 10 && !full,
	      "%s: the min of each, of 100 %% in all", policy->name);
	end(index);
}

/* Returns the most that the cache had at any time. */
static u64 load(struct rxc_index *index, unsigned int map, unsigned int n)
{
	u64 most = 0;

	while (n--) {
		store(index, map, rnd(SPAN));
		if (rxc_index_used_by(index, map) > most)
			most = rxc_index_used_by(index, map);
	}
	return most;
}

static void test_max(const struct rxc_policy *policy, unsigned int percent)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 max = BLOCKS * percent / 100, most, others;

	rxc_index_bound(index, 1, 0, max);
	most = load(index, 1, 20 * BLOCKS);
	check(most == max && rxc_index_used(index) == max,
	      "%s: at its max of %u %% a cache evicts its own blocks, though there is room",
	      policy->name, percent);
	load(index, 0, 20 * BLOCKS);
	others = rxc_index_used_by(index, 0);
	most = load(index, 1, 20 * BLOCKS);
	check(most <= max && rxc_index_used_by(index, 0) >= others - max - SETS,
	      "%s: nor where others have the rest (%llu of %llu)", policy->name,
	      (unsigned long long)most, (unsigned long long)max);
	check(rxc_index_used_by(index, 1) >= max - max / 20 - 2, "%s: and comes to it again",
	      policy->name);
	end(index);
}

/* Even if nobody cuts, there is one block too many at most for each set. */
static void test_uncut(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	struct rxc_taken old;
	unsigned int i;
	u64 most = 0;

	rxc_index_bound(index, 1, 0, 10);
	for (i = 0; i < 50 * BLOCKS; i++) {
		rxc_index_store(index, rxc_key(1, rnd(SPAN)), pfn_to_page(1), RXC_STORE_READ, &old);
		if (rxc_index_used_by(index, 1) > most)
			most = rxc_index_used_by(index, 1);
		if (rnd(4))
			rxc_index_store(index, rxc_key(0, rnd(SPAN)), pfn_to_page(1),
					RXC_STORE_READ, &old);
	}
	check(most <= 10 + SETS, "%s: %llu at most for a max of 10 and %u sets", policy->name,
	      (unsigned long long)most, SETS);
	end(index);
}

static unsigned char heats[3 * BLOCKS];
static unsigned int seen;

static void note(void *arg, u64 key, unsigned int heat)
{
	(void)arg;
	if (rxc_key_cache(key))
		return;
	/* 2 is a block that entered lately, which ends when others enter. */
	heats[rxc_key_block(key)] = heat == 2 ? 2 : heat + 1;
	seen++;
}

static u64 note_all(struct rxc_index *index)
{
	u64 cursor = 0;

	seen = 0;
	memset(heats, 0, sizeof(heats));
	while (cursor < RXC_WALK_END)
		rxc_index_walk(index, &cursor, 64, note, NULL);
	return seen;
}

/* Reads hot blocks and then as many others, in rounds. Returns the hits of the last one. */
static u64 rounds(struct rxc_index *index, unsigned int n, u64 at, unsigned int hot)
{
	u64 block, hit = 0;

	for (; n--; at += hot) {
		for (hit = 0, block = 0; block < hot; block++)
			if (hits(index, 1, block, 1))
				hit++;
			else
				store(index, 1, block);
		scan(index, 1, at, hot);
	}
	return hit;
}

/* A cache gives up what it has beyond its max, and nobody else's blocks. */
static void test_cut(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	struct rxc_taken old;
	u64 others;

	scan(index, 1, 0, BLOCKS / 4);
	scan(index, 0, 0, BLOCKS / 2);
	others = rxc_index_used_by(index, 0);
	rxc_index_bound(index, 1, 0, BLOCKS / 8);
	cut_all(index, 1);
	check(rxc_index_used_by(index, 1) == BLOCKS / 8 && rxc_index_used_by(index, 0) == others,
	      "%s: a smaller max takes the cache's own blocks", policy->name);
	rxc_index_remove(index, rxc_key(1, BLOCKS / 4 - 1));
	check(!rxc_index_cut(index, 1, &old) && !rxc_index_cut(index, 0, &old) &&
	      rxc_index_used_by(index, 0) == others,
	      "%s: and at its max, below it and without one, none", policy->name);
	end(index);
}

/* More of a cache may be pinned than its max. All of that stays, and nothing else does. */
static void test_pinned(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	enum { PINNED = BLOCKS / 4 };

	check(!rxc_index_pin(index, rxc_key(1, 0), rxc_key(1, PINNED - 1)), "pinned");
	scan(index, 1, 0, PINNED);
	rxc_index_bound(index, 1, 0, BLOCKS / 8);
	check(!rxc_index_over(index, 1), "%s: pinned blocks are not too many", policy->name);
	scan(index, 1, PINNED, 4 * BLOCKS);
	cut_all(index, 1);
	check(rxc_index_used_by(index, 1) == PINNED && !rxc_index_over(index, 1) &&
	      hits(index, 1, 0, PINNED) == PINNED,
	      "%s: %llu of %u blocks, those that are pinned", policy->name,
	      (unsigned long long)rxc_index_used_by(index, 1), PINNED);
	end(index);
}

/* Pinned blocks stay while the index shrinks, though others have a min. */
static void test_pinned_moves(const struct rxc_policy *policy)
{
	static struct rxc_taken old[RXC_WAYS_MAX];
	struct rxc_index *index = rxc_index_new(2 * BLOCKS, policy);
	enum { PINNED = BLOCKS / 8 };
	unsigned int nr;

	check(!rxc_index_pin(index, rxc_key(1, 0), rxc_key(1, PINNED - 1)), "pinned");
	scan(index, 1, 0, PINNED);
	scan(index, 0, 0, 8 * BLOCKS);
	rxc_index_bound(index, 0, 2 * BLOCKS, U64_MAX);
	rxc_index_resize_begin(index, BLOCKS);
	while (rxc_index_resize_next(index, old, &nr))
		;
	rxc_index_resize_end(index);
	check(hits(index, 1, 0, PINNED) == PINNED, "%s: %llu of %u pinned blocks stay",
	      policy->name, (unsigned long long)rxc_index_used_by(index, 1), PINNED);
	end(index);
}

/* Nor does it lose its hot blocks to a scan where its max leaves ways free. */
static void test_scan_in_max(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	enum { HOT = BLOCKS * 3 / 8 };
	u64 hit;

	rxc_index_bound(index, 1, 0, BLOCKS / 2);
	hit = rounds(index, 100, SPAN, HOT);
	check(hit > HOT * 9 / 10, "%s: %llu of %u hot blocks stay though ways are free",
	      policy->name, (unsigned long long)hit, HOT);
	end(index);
}

/*
 * A cache at its max that scans keeps its own hot blocks, and the policy knows of another
 * cache's blocks what it knew before.
 */
static void test_policy_keeps(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	enum { HOT = BLOCKS / 16, MAX = BLOCKS / 8 };
	unsigned char before[sizeof(heats)];
	u64 had, hit;

	scan(index, 0, 0, 2 * BLOCKS);
	rxc_index_bound(index, 1, 0, MAX);
	rounds(index, 100, SPAN, HOT);
	check(rxc_index_used_by(index, 1) == MAX, "%s: a cache is at its max", policy->name);
	/* Some of the other's blocks are on probation, and it takes none of this one. */
	rxc_index_bound(index, 1, MAX, MAX);
	scan(index, 0, 2 * BLOCKS, BLOCKS);
	had = note_all(index);
	memcpy(before, heats, sizeof(before));
	hit = rounds(index, 100, 2 * SPAN, HOT);
	check(hit > HOT * 9 / 10, "%s: %llu of %u hot blocks stay while it scans",
	      policy->name, (unsigned long long)hit, HOT);
	check(note_all(index) == had && !memcmp(before, heats, sizeof(before)),
	      "%s: nothing changes for the blocks of another cache", policy->name);
	end(index);
}

/* A block that moves to another table is none more, and finds the bounds there as well. */
static void test_resize(const struct rxc_policy *policy)
{
	static struct rxc_taken old[RXC_WAYS_MAX];
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 lost[2] = { 0 }, had;
	unsigned int nr;

	rxc_index_bound(index, 1, 0, BLOCKS / 4);
	load(index, 0, 20 * BLOCKS);
	load(index, 1, 4 * BLOCKS);
	had = rxc_index_used_by(index, 1);
	rxc_index_resize_begin(index, 2 * BLOCKS);
	while (rxc_index_resize_next(index, old, &nr))
		for (; nr; nr--)
			lost[rxc_key_cache(old[nr - 1].key)]++;
	rxc_index_resize_end(index);
	check(!lost[0] && !lost[1] && rxc_index_used_by(index, 1) == had,
	      "%s: growing loses no block of a cache at its max", policy->name);
	rxc_index_bound(index, 0, BLOCKS / 2, U64_MAX);
	rxc_index_bound(index, 1, 0, U64_MAX);
	load(index, 1, 40 * BLOCKS);
	had = rxc_index_used_by(index, 0);
	rxc_index_resize_begin(index, BLOCKS);
	while (rxc_index_resize_next(index, old, &nr))
		for (; nr; nr--)
			lost[rxc_key_cache(old[nr - 1].key)]++;
	rxc_index_resize_end(index);
	check(had - rxc_index_used_by(index, 0) == lost[0] && lost[1],
	      "%s: what goes is told", policy->name);
	check(rxc_index_used_by(index, 0) > BLOCKS / 2 - SETS,
	      "%s: shrinking leaves %llu for a min of %u", policy->name,
	      (unsigned long long)rxc_index_used_by(index, 0), BLOCKS / 2);
	end(index);
}

static void ahead(struct rxc_index *index, unsigned int map, u64 first, u64 n)
{
	struct rxc_taken old;
	u64 block;

	for (block = first; block < first + n; block++) {
		rxc_index_store(index, rxc_key(map, block), pfn_to_page(1), RXC_STORE_AHEAD, &old);
		cut(index, map);
	}
}

/* Blocks that are read ahead count as others do, each for its own cache. */
static void test_unread(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 max = BLOCKS / 8;

	scan(index, 0, 0, BLOCKS / 2);
	rxc_index_bound(index, 1, 0, max);
	ahead(index, 1, 0, BLOCKS);
	check(rxc_index_used_by(index, 1) == max && rxc_index_unread(index, 1) == max &&
	      rxc_index_vain(index, 1) == BLOCKS - max,
	      "%s: read-ahead of a cache at its max takes its own blocks", policy->name);
	check(rxc_index_used_by(index, 0) == BLOCKS / 2 && !rxc_index_vain(index, 0),
	      "%s: and no others", policy->name);
	rxc_index_bound(index, 1, 0, max / 2);
	cut_all(index, 1);
	check(rxc_index_unread(index, 1) == max / 2 && rxc_index_vain(index, 1) == BLOCKS - max / 2,
	      "%s: a smaller max takes unread blocks", policy->name);
	rxc_index_bound(index, 1, max / 4, U64_MAX);
	scan(index, 0, SPAN, 20 * BLOCKS);
	check(rxc_index_used_by(index, 1) == max / 4 && rxc_index_unread(index, 1) == max / 4 &&
	      rxc_index_vain(index, 1) == BLOCKS - max / 4,
	      "%s: a min keeps them from others", policy->name);
	end(index);
}

static void test_all(const struct rxc_policy *policy)
{
	test_min(policy);
	test_max(policy, 50);
	test_max(policy, 10);
	test_max(policy, 1);
	test_uncut(policy);
	test_cut(policy);
	test_pinned(policy);
	test_pinned_moves(policy);
	test_resize(policy);
	test_unread(policy);
}

int main(void)
{
	seed = 1;
	test_all(&rxc_policy_rx);
	test_all(&rxc_policy_clock);
	test_policy_keeps(&rxc_policy_rx);
	test_scan_in_max(&rxc_policy_rx);
	return done();
}
