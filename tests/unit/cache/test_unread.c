// SPDX-License-Identifier: GPL-2.0-only
/* Unread blocks of an index, against a model with an entry for each key of three caches. */
#include "blocks/index.h"
#include "kernel.h"
#include "rx_test.h"
#include "sim.h"

enum { MAPS = 3, KEYS = 700 };

enum state { NOWHERE, ORDINARY, UNREAD };

static struct entry {
	enum state state;
	u64 pfn;
} model[MAPS][KEYS];

static struct rxc_index *index_;
static u64 seed = 1, next_pfn, vain[MAPS];
static bool so;			/* the index has said nothing else than the model */

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

/* The caches have numbers of both ends, and each some of the largest blocks. */
static u64 key_of(unsigned int map, unsigned int nr)
{
	static const unsigned int number[MAPS] = { 0, 5, RXC_SHARERS - 1 };

	return rxc_key(number[map], nr % 2 ? nr : RXC_BLOCK_LAST - nr);
}

static struct entry *entry_of(u64 key, unsigned int *map)
{
	u64 block = rxc_key_block(key);

	*map = rxc_key_cache(key) == 0 ? 0 : rxc_key_cache(key) == 5 ? 1 : 2;
	return &model[*map][block < KEYS ? block : RXC_BLOCK_LAST - block];
}

static void expect(bool ok, const char *what)
{
	if (so && !ok)
		printf("# %s\n", what);
	so &= ok;
}

/* A block has left the index. */
static void left(const struct rxc_taken *old, const char *what)
{
	unsigned int map;
	struct entry *entry = entry_of(old->key, &map);

	expect(old->page && entry->state && page_to_pfn(old->page) == entry->pfn &&
	       old->unread == (entry->state == UNREAD), what);
	vain[map] += entry->state == UNREAD;
	entry->state = NOWHERE;
}

static bool counts_true(void)
{
	unsigned int map, nr, number;
	bool same = true;
	u64 used, unread;

	for (map = 0; map < MAPS; map++) {
		number = rxc_key_cache(key_of(map, 0));
		for (used = unread = nr = 0; nr < KEYS; nr++) {
			used += !!model[map][nr].state;
			unread += model[map][nr].state == UNREAD;
		}
		same &= rxc_index_used_by(index_, number) == used &&
			rxc_index_unread(index_, number) == unread &&
			rxc_index_vain(index_, number) == vain[map];
	}
	return same;
}

static void begin(u64 blocks, const struct rxc_policy *policy)
{
	index_ = rxc_index_new(blocks, policy);
	memset(model, 0, sizeof(model));
	memset(vain, 0, sizeof(vain));
	next_pfn = 1;
	so = true;
}

static void store(unsigned int map, unsigned int nr, enum rxc_store how)
{
	struct entry *entry = &model[map][nr];
	u64 key = key_of(map, nr), pfn = next_pfn++;
	struct page *page = pfn_to_page(pfn);
	struct rxc_taken old;

	switch (rxc_index_store(index_, key, page, how, &old)) {
	case RXC_STORED_REPLACED:
		expect(entry->state && old.key == key, "a replaced block");
		expect(old.unread == (entry->state == UNREAD && how == RXC_STORE_READ),
		       "a read makes it an ordinary one");
		if (how == RXC_STORE_AHEAD) {
			expect(old.page == page, "read-ahead leaves the page that is there");
			return;
		}
		expect(page_to_pfn(old.page) == entry->pfn, "the former page");
		if (how == RXC_STORE_READ)
			entry->state = ORDINARY;
		entry->pfn = pfn;
		return;
	case RXC_STORED_EVICTED:
		expect(old.key != key, "another block makes room");
		left(&old, "an evicted block");
		break;
	case RXC_STORED_INSERTED:
		expect(!old.page && !old.unread, "no block comes back");
		break;
	case RXC_STORED_NOT:
		expect(!entry->state && how == RXC_STORE_REPLACE && old.page == page, "not stored");
		return;
	case RXC_STORED_FULL:
		expect(!entry->state && old.page == page && old.key == key && !old.unread, "full");
		return;
	}
	expect(!entry->state && how != RXC_STORE_REPLACE, "a new block");
	entry->state = how == RXC_STORE_AHEAD ? UNREAD : ORDINARY;
	entry->pfn = pfn;
}

static void look(unsigned int map, unsigned int nr)
{
	struct entry *entry = &model[map][nr];
	u64 key = key_of(map, nr);
	struct page *page = rxc_index_get(index_, key);

	expect(page ? entry->state == ORDINARY && page_to_pfn(page) == entry->pfn :
		      entry->state != ORDINARY, "a get");
	page = rxc_index_peek(index_, key);
	expect(page ? entry->state && page_to_pfn(page) == entry->pfn : !entry->state, "a peek");
	expect(rxc_index_has(index_, key) == !!entry->state, "has");
	expect(!entry->state || rxc_index_may_hold(index_, key, key), "may hold");
}

static void use(unsigned int map, unsigned int nr)
{
	struct entry *entry = &model[map][nr];
	bool known = false;

	expect(rxc_index_use(index_, key_of(map, nr), &known) == (entry->state == UNREAD), "a use");
	if (entry->state == UNREAD)
		entry->state = ORDINARY;
}

static void drop(unsigned int map, unsigned int nr)
{
	struct entry *entry = &model[map][nr];
	struct page *page = rxc_index_remove(index_, key_of(map, nr));

	expect(page ? entry->state && page_to_pfn(page) == entry->pfn : !entry->state, "a removal");
	vain[map] += entry->state == UNREAD;
	entry->state = NOWHERE;
}

/* Takes out all blocks of a cache, or the blocks of all. */
static void clear(u64 first, u64 last)
{
	unsigned int map, nr;
	u64 cursor = 0, key, n = 0;

	for (map = 0; map < MAPS; map++)
		for (nr = 0; nr < KEYS; nr++) {
			key = key_of(map, nr);
			if (!model[map][nr].state || key < first || key > last)
				continue;
			n++;
			vain[map] += model[map][nr].state == UNREAD;
			model[map][nr].state = NOWHERE;
		}
	while (cursor < RXC_WALK_END)
		n -= !!rxc_index_remove_next(index_, first, last, &cursor);
	expect(!n, "a walk removes all of a range");
}

static void end(void)
{
	clear(0, ~0ULL);
	expect(counts_true() && !rxc_index_used(index_), "nothing is left");
	rxc_index_free(index_);
}

static unsigned int visits[MAPS][KEYS];

static void visit(void *arg, u64 key, unsigned int heat)
{
	unsigned int map;
	struct entry *entry = entry_of(key, &map);

	(void)arg;
	visits[map][entry - model[map]]++;
	expect(entry->state && heat <= RXC_HEAT_MAX, "a visit");
}

static void walk(void)
{
	unsigned int map, nr;
	u64 cursor = 0;

	memset(visits, 0, sizeof(visits));
	while (cursor < RXC_WALK_END)
		rxc_index_walk(index_, &cursor, 7, visit, NULL);
	for (map = 0; map < MAPS; map++)
		for (nr = 0; nr < KEYS; nr++)
			expect(visits[map][nr] == !!model[map][nr].state, "a walk");
}

static void anything(void)
{
	static const enum rxc_store hows[] = {
		RXC_STORE_READ, RXC_STORE_WRITE, RXC_STORE_REPLACE, RXC_STORE_AHEAD,
		RXC_STORE_AHEAD, RXC_STORE_AHEAD,
	};
	unsigned int map = rnd(MAPS), nr = rnd(KEYS), number = rxc_key_cache(key_of(map, 0));
	struct rxc_taken old;

	switch (rnd(16)) {
	case 0 ... 5:
		store(map, nr, hows[rnd(6)]);
		break;
	case 6 ... 8:
		look(map, nr);
		break;
	case 9 ... 12:
		use(map, nr);
		break;
	case 13:
		drop(map, nr);
		break;
	case 14:
		if (!rnd(4) && rxc_index_shrink(index_, rnd(2) ? number : RXC_NOBODY, rnd(2), &old))
			left(&old, "a block that pressure takes");
		break;
	case 15:
		if (rxc_index_cut(index_, number, &old))
			left(&old, "a block that a max takes");
		rxc_index_settle(index_, key_of(map, nr));
		break;
	}
}

static void bound(void)
{
	unsigned int map = rnd(MAPS);

	rxc_index_bound(index_, rxc_key_cache(key_of(map, 0)), rnd(2) * rnd(200),
			rnd(2) ? U64_MAX : 200 + rnd(600));
	rxc_index_packing(index_, rxc_key_cache(key_of(map, 0)), rnd(2));
}

static void resize(void)
{
	static struct rxc_taken old[RXC_WAYS_MAX];
	unsigned int nr, i;

	if (rxc_index_resize_begin(index_, 100 + rnd(2000)))
		return;
	while (rxc_index_resize_next(index_, old, &nr)) {
		for (i = 0; i < nr; i++)
			left(&old[i], "a block that has no room in the next table");
		for (i = rnd(40); i; i--)
			anything();
		if (!rnd(4))
			walk();
		expect(counts_true(), "the counts while sets move");
	}
	rxc_index_resize_end(index_);
}

static void test_anything(const struct rxc_policy *policy, bool pins)
{
	unsigned int round, i, map, nr;

	begin(1024, policy);
	for (map = 0; pins && map < MAPS; map++)
		rxc_index_pin(index_, rxc_key(rxc_key_cache(key_of(map, 0)), 0),
			      rxc_key(rxc_key_cache(key_of(map, 0)), 15));
	for (round = 0; round < 200 && so; round++) {
		rxc_index_share(index_, rnd(2) ? ~0U : 1U << 31);
		bound();
		for (i = 0; i < 1500; i++)
			anything();
		expect(counts_true(), "the counts");
		walk();
		if (!rnd(4))
			resize();
		if (!rnd(8)) {
			map = rnd(MAPS);
			clear(key_of(map, 1), key_of(map, 0));
		}
		for (map = 0; map < MAPS; map++)
			for (nr = 0; nr < KEYS; nr++)
				look(map, nr);
	}
	check(so && round == 200, "%s: any mix with unread blocks%s", policy->name,
	      pins ? " and pins" : "");
	check(vain[0] > 100 && vain[1] > 100 && vain[2] > 100, "many of them left unread");
	end();
	check(so, "and the last ones at the end");
}

/* An index of one set, whose policy says how often a block was used. */
static unsigned int uses, shared_uses, hits;

static _Bool count_use(void *state, unsigned int way, __u16 print, enum rxc_policy_entry entry)
{
	uses++;
	shared_uses += !!(entry & RXC_ENTRY_SHARED);
	rxc_policy_rx.use(state, way, print, entry);
	return uses % 2;
}

static void count_hit(void *state, unsigned int way)
{
	hits++;
	rxc_policy_rx.hit(state, way);
}

static void test_use(void)
{
	struct rxc_policy policy = rxc_policy_rx;
	struct rxc_taken old;
	bool known = false;

	policy.use = count_use;
	policy.hit = count_hit;
	uses = shared_uses = hits = 0;
	begin(64, &policy);
	store(0, 1, RXC_STORE_AHEAD);
	check(!rxc_index_get(index_, 1) && rxc_index_peek(index_, 1) && rxc_index_has(index_, 1) &&
	      !hits, "a reader does not find an unread block, but others do");
	check(!rxc_index_use(index_, 3, &known) && !known && !uses, "another block is not used");
	check(rxc_index_use(index_, 1, &known) && known && uses == 1, "a use is told to the policy");
	check(!rxc_index_use(index_, 1, &known) && uses == 1, "once");
	check(rxc_index_get(index_, 1) && hits == 1, "then reads are hits");
	store(0, 3, RXC_STORE_AHEAD);
	model[0][3].state = ORDINARY;
	known = true;
	rxc_index_share(index_, 3);
	check(rxc_index_use(index_, 3, &known) && !known && shared_uses == 1,
	      "what the policy knows comes back, and it gets to know of other caches");
	store(0, 5, RXC_STORE_AHEAD);
	store(0, 5, RXC_STORE_WRITE);
	store(0, 5, RXC_STORE_REPLACE);
	check(uses == 2 && rxc_index_unread(index_, 0) == 1, "a write uses no block");
	rxc_index_store(index_, 5, pfn_to_page(99), RXC_STORE_READ, &old);
	check(uses == 3 && !rxc_index_unread(index_, 0) && old.known &&
	      rxc_index_get(index_, 5) == pfn_to_page(99), "a store of a read does");
	rxc_index_store(index_, 5, pfn_to_page(98), RXC_STORE_READ, &old);
	check(uses == 3 && !old.known, "once");
	rxc_index_store(index_, 5, pfn_to_page(97), RXC_STORE_AHEAD, &old);
	check(old.page == pfn_to_page(97) && rxc_index_get(index_, 5) == pfn_to_page(98) &&
	      !rxc_index_unread(index_, 0), "read-ahead leaves a block as it is");
	check(!rxc_index_vain(index_, 0), "none of them was in vain");
	model[0][1].state = model[0][5].state = ORDINARY;
	check(so, "all as expected");
	end();
}

/* Uses while half of the sets have moved. */
static void test_use_moving(const struct rxc_policy *policy)
{
	static struct rxc_taken old[RXC_WAYS_MAX];
	unsigned int nr, n, i;

	begin(2048, policy);
	for (nr = 1; nr < KEYS; nr += 2)
		store(1, nr, RXC_STORE_AHEAD);
	rxc_index_resize_begin(index_, 4096);
	for (i = 0; i < 16; i++)
		rxc_index_resize_next(index_, old, &n);
	expect(counts_true(), "no block is read by moving");
	for (nr = 1; nr < KEYS; nr += 4) {
		look(1, nr);
		use(1, nr);
		use(1, nr);
		look(1, nr);
	}
	while (rxc_index_resize_next(index_, old, &n))
		expect(!n, "all have room");
	for (nr = 1; nr < KEYS; nr++)
		look(1, nr);
	rxc_index_resize_end(index_);
	for (nr = 1; nr < KEYS; nr++) {
		look(1, nr);
		use(1, nr);
		look(1, nr);
	}
	expect(counts_true() && !rxc_index_unread(index_, 5) && !rxc_index_vain(index_, 5), "all used");
	check(so, "%s: blocks are used in both tables", policy->name);
	end();
}

/* The bit that says unread is no part of any key. */
static void test_keys(void)
{
	u64 keys[] = { 0, 1, RXC_BLOCK_LAST, rxc_key(RXC_SHARERS - 1, 0),
		       rxc_key(RXC_SHARERS - 1, RXC_BLOCK_LAST) };
	struct rxc_taken old;
	u64 cursor = 0;
	unsigned int i;
	bool known, good = true;

	begin(1024, &rxc_policy_rx);
	for (i = 0; i < 5; i++)
		rxc_index_store(index_, keys[i], pfn_to_page(i + 1), RXC_STORE_AHEAD, &old);
	for (i = 0; i < 5; i++)
		good &= rxc_index_peek(index_, keys[i]) == pfn_to_page(i + 1) &&
			rxc_index_use(index_, keys[i], &known) &&
			rxc_index_get(index_, keys[i]) == pfn_to_page(i + 1);
	check(good, "the keys of both ends");
	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index_, 0, ~0ULL, &cursor);
	rxc_index_free(index_);
}

int main(void)
{
	test_anything(&rxc_policy_rx, false);
	test_anything(&rxc_policy_clock, false);
	test_anything(&rxc_policy_rx, true);
	test_use();
	test_use_moving(&rxc_policy_rx);
	test_use_moving(&rxc_policy_clock);
	test_keys();
	return done();
}
