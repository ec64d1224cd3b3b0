// SPDX-License-Identifier: GPL-2.0-only
/* The index while its number of sets changes; rxadm/sim/kernel.h stands for the kernel. */
#include "blocks/index.h"
#include "kernel.h"
#include "rx_test.h"
#include "sim.h"

enum { KEYS = 20000 };

static struct rxc_index *index_;
static struct rxc_taken gone[RXC_WAYS_MAX];
static u64 held[KEYS];	/* page number of a key, 0: not there */
static u64 nr_held, seed = 1;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

static void lose(const struct rxc_taken *old)
{
	if (held[old->key] == page_to_pfn(old->page)) {
		held[old->key] = 0;
		nr_held--;
	}
}

static void store(u64 key, u64 pfn)
{
	struct rxc_taken old;

	switch (rxc_index_store(index_, key, pfn_to_page(pfn), RXC_STORE_READ, &old)) {
	case RXC_STORED_EVICTED:
		lose(&old);
		nr_held++;
		break;
	case RXC_STORED_INSERTED:
		nr_held++;
		break;
	default:
		break;
	}
	held[key] = pfn;
}

static bool has(u64 key)
{
	struct page *page = rxc_index_peek(index_, key);

	return page ? page_to_pfn(page) == held[key] && held[key] &&
		      rxc_index_has(index_, key) :
		      !held[key] && !rxc_index_has(index_, key);
}

static bool all_true(void)
{
	bool so = rxc_index_used(index_) == nr_held;
	u64 key;

	for (key = 0; key < KEYS; key++)
		so &= has(key);
	return so;
}

/* Moves one more set and adds the evicted blocks to @evicted. Returns whether a set was left. */
static bool next_set(unsigned int *evicted)
{
	unsigned int nr, i;

	if (!rxc_index_resize_next(index_, gone, &nr))
		return false;
	for (i = 0; i < nr; i++)
		lose(&gone[i]);
	*evicted += nr;
	return true;
}

static unsigned int resize(u64 blocks)
{
	unsigned int evicted = 0;

	check(!rxc_index_resize_begin(index_, blocks), "a change begins");
	while (next_set(&evicted))
		;
	rxc_index_resize_end(index_);
	return evicted;
}

static void begin(u64 blocks, const struct rxc_policy *policy)
{
	index_ = rxc_index_new(blocks, policy);
	memset(held, 0, sizeof(held));
	nr_held = 0;
}

/* A walk removes exactly the held blocks. */
static void end(void)
{
	u64 cursor = 0, n = 0;

	while (cursor < RXC_WALK_END)
		n += !!rxc_index_remove_next(index_, 0, ~0ULL, &cursor);
	check(n == nr_held && !rxc_index_used(index_), "a walk finds all");
	rxc_index_free(index_);
}

static void test_grow_keeps(const struct rxc_policy *policy)
{
	u64 key, bytes;

	begin(4096, policy);
	for (key = 0; key < KEYS; key++)
		store(key, key + 1);
	check(nr_held > 4000, "an index is full");
	bytes = rxc_index_bytes(index_);
	key = nr_held;
	check(!resize(9999) && nr_held == key && all_true(), "growing loses no block");
	check(rxc_index_blocks(index_) > 9900 && rxc_index_blocks(index_) <= 9999 &&
	      rxc_index_bytes(index_) > bytes, "there is room for more");
	check(!resize(10000) && nr_held == key && all_true(), "nor does a little");
	end();
}

/* A full set moves to new sets, which get blocks from its neighbours, too, and may not have room. */
static unsigned int lost_by_growing(const struct rxc_policy *policy, u64 blocks)
{
	unsigned int lost;
	u64 key;

	begin(8192, policy);
	for (key = 0; key < KEYS; key++)
		store(key, key + 1);
	lost = resize(blocks);
	check(all_true(), "what is not lost is there");
	end();
	return lost;
}

static void test_grow_little(const struct rxc_policy *policy)
{
	unsigned int lost = lost_by_growing(policy, 8192 + 82);

	check(lost < 8192 / 25, "by 1 %%: %u of 8192 are lost", lost);
	lost = lost_by_growing(policy, 8192 + 819);
	check(lost < 8192 / 100, "by 10 %%: %u of 8192 are lost", lost);
	lost = lost_by_growing(policy, 8192 + 4096);
	check(!lost, "by half: %u of 8192 are lost", lost);
}

/* A quarter of the blocks is read often. These blocks fit into the smaller index, and stay. */
static void test_shrink_keeps_hot(const struct rxc_policy *policy)
{
	u64 key, round, stay = 0, was;

	begin(8192, policy);
	for (key = 0; key < 8192; key++)
		store(key, key + 1);
	for (round = 0; round < 4; round++)
		for (key = 0; key < 8192; key += 4)
			rxc_index_get(index_, key);
	for (key = was = 0; key < 8192; key += 4)
		was += !!held[key];
	check(resize(4096), "blocks have to go");
	check(nr_held > 3900 && nr_held <= 4096 && all_true(),
	      "no more than the smaller index has no room for");
	for (key = 0; key < 8192; key += 4)
		stay += !!held[key];
	check(stay * 100 >= was * 96, "what is read often stays");
	end();
	begin(8192, policy);
	for (key = 0; key < 2500; key++)
		store(key, key + 1);
	check(!resize(4096) && nr_held == 2500, "blocks that fit stay");
	end();
}

/*
 * The machine is short of memory, and has room for three quarters of the index: each new
 * block takes the place of one of another set. Blocks are read in rounds, hot ones and as
 * many others, which come once. Returns how many of the hot ones are there at last.
 */
static u64 hot_while_short(const struct rxc_policy *policy, u64 blocks, u64 hot)
{
	u64 key, stay, cursor = 0, next = hot, round, i;
	struct rxc_taken old;

	begin(blocks, policy);
	for (round = 0; round < 100; round++) {
		for (stay = i = 0; i < 2 * hot; i++) {
			key = i < hot ? i : next++;
			if (rxc_index_get(index_, key)) {
				stay++;
				continue;
			}
			rxc_index_store(index_, key, pfn_to_page(key + 1), RXC_STORE_READ, &old);
			while (rxc_index_used(index_) > blocks * 3 / 4 &&
			       rxc_index_shrink(index_, RXC_NOBODY, rnd(2), &old))
				;
		}
	}
	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index_, 0, ~0ULL, &cursor);
	rxc_index_free(index_);
	return stay;
}

static void test_short(void)
{
	u64 stay = hot_while_short(&rxc_policy_rx, 8192, 8192 * 9 / 16);

	check(stay > 8192 * 8 / 16, "%u of %u hot blocks stay while memory is short",
	      (unsigned int)stay, 8192 * 9 / 16);
}

/* All kinds of operations between the steps of many changes of the size. */
static void test_steps(const struct rxc_policy *policy)
{
	unsigned int i, round, evicted = 0;
	struct rxc_taken old;
	struct page *page;
	bool so = true;
	u64 key;

	begin(100, policy);
	for (round = 0; round < 60; round++) {
		so &= !rxc_index_resize_begin(index_, rnd(2) ? 1 + rnd(300) :
							      1 + rnd(12000));
		do {
			for (i = 0; i < 60; i++) {
				key = rnd(KEYS);
				if (rnd(4)) {
					store(key, round * KEYS + key + 1);
				} else {
					page = rxc_index_remove(index_, key);
					so &= (page ? page_to_pfn(page) : 0) == held[key];
					nr_held -= !!held[key];
					held[key] = 0;
				}
				so &= has(rnd(KEYS));
			}
			if (!rnd(8) && rxc_index_shrink(index_, RXC_NOBODY, rnd(2), &old))
				lose(&old);
		} while (next_set(&evicted));
		so &= all_true();
		rxc_index_resize_end(index_);
		so &= all_true() && nr_held <= rxc_index_blocks(index_);
	}
	check(so, "every look-up is right between all steps");
	check(evicted, "small tables evict");
	end();
}

static unsigned char visits[KEYS];

static void visit(void *arg, u64 key, unsigned int heat)
{
	visits[key] += heat <= RXC_HEAT_MAX && !arg;
}

/* A walk while the size changes from FROM to TO; some sets have moved before it begins. */
static void walk(const struct rxc_policy *policy, u64 from, u64 to, bool meanwhile)
{
	unsigned int i, evicted = 0;
	bool all = true, once = true;
	u64 key, cursor;

	begin(from, policy);
	for (key = 0; key < KEYS; key++)
		store(key, key + 1);
	check(!rxc_index_resize_begin(index_, to), "a change begins");
	check(!rxc_index_resize_done(index_), "and nothing is done");
	for (i = 0; i < 21; i++)
		next_set(&evicted);
	check(rxc_index_resize_done(index_) > 0 && rxc_index_resize_done(index_) < 1000,
	      "a part of it is done");
	memset(visits, 0, sizeof(visits));
	for (cursor = 0; cursor < RXC_WALK_END;) {
		rxc_index_walk(index_, &cursor, 1, visit, NULL);
		if (meanwhile && !next_set(&evicted)) {
			rxc_index_resize_end(index_);
			meanwhile = false;
		}
	}
	for (key = 0; key < KEYS; key++) {
		all &= !held[key] || visits[key];
		once &= visits[key] <= 1;
	}
	check(all, "a walk misses nothing");
	check(once, "and visits nothing twice");
	end();
}

static void test_walks(const struct rxc_policy *policy)
{
	walk(policy, 12000, 3000, false);
	walk(policy, 12000, 3000, true);
	walk(policy, 3000, 12000, false);
	walk(policy, 3000, 12000, true);
	walk(policy, 5000, 5100, true);
}

/* What each of three caches has by the index is what came, less what went. */
static bool shares_true(struct rxc_index *index, const u64 *has)
{
	bool so = rxc_index_used(index) == has[0] + has[1] + has[2];
	unsigned int map;

	for (map = 0; map < 3; map++)
		so &= rxc_index_used_by(index, map) == has[map];
	return so;
}

static void share_step(struct rxc_index *index, u64 *has)
{
	u64 key = rxc_key(rnd(3), rnd(900));
	struct rxc_taken old;

	if (!rnd(8)) {
		has[rxc_key_cache(key)] -= !!rxc_index_remove(index, key);
		return;
	}
	switch (rxc_index_store(index, key, pfn_to_page(1), RXC_STORE_READ, &old)) {
	case RXC_STORED_EVICTED:
		has[rxc_key_cache(old.key)]--;
		has[rxc_key_cache(key)]++;
		break;
	case RXC_STORED_INSERTED:
		has[rxc_key_cache(key)]++;
		break;
	default:
		break;
	}
}

static void test_shares(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(1024, policy);
	u64 has[3] = { 0 }, cursor = 0, others;
	unsigned int i, nr;

	for (i = 0; i < 20000; i++)
		share_step(index, has);
	check(shares_true(index, has) && has[0] && has[1] && has[2], "each has its own");
	check(!rxc_index_resize_begin(index, 640), "a change begins");
	while (rxc_index_resize_next(index, gone, &nr)) {
		while (nr)
			has[rxc_key_cache(gone[--nr].key)]--;
		for (i = 0; i < 50; i++)
			share_step(index, has);
	}
	check(rxc_index_resize_done(index) == 1000, "all is done");
	rxc_index_resize_end(index);
	check(!rxc_index_resize_done(index), "no change is going on");
	check(shares_true(index, has), "and when their size has changed");
	others = has[0] + has[2];
	while (cursor < RXC_WALK_END)
		has[1] -= !!rxc_index_remove_next(index, rxc_key(1, 0),
						  rxc_key(1, RXC_BLOCK_LAST), &cursor);
	check(!has[1] && has[0] + has[2] == others && shares_true(index, has),
	      "one goes, and the others keep theirs");
	check(!rxc_index_may_hold(index, rxc_key(1, 0), rxc_key(1, 899)) &&
	      rxc_index_may_hold(index, rxc_key(0, 0), rxc_key(0, 899)),
	      "the regions of caches are not the same");
	cursor = 0;
	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index, 0, ~0ULL, &cursor);
	rxc_index_free(index);
}

static unsigned int entered[2];	/* alone, shared */

static _Bool enter(void *state, unsigned int way, __u16 print, enum rxc_policy_entry entry)
{
	entered[!!(entry & RXC_ENTRY_SHARED)]++;
	return rxc_policy_rx.insert(state, way, print, entry);
}

/* New blocks enter by the rules for one cache or for several; there is one set of blocks. */
static void test_policy_shared(void)
{
	struct rxc_policy policy = rxc_policy_rx;
	struct rxc_index *index;
	u64 key, cursor = 0;

	policy.insert = enter;
	index = rxc_index_new(1024, &policy);
	for (key = 1; key <= 60; key++) {
		struct rxc_taken old;

		rxc_index_share(index, key > 10 && key <= 40 ? 3 : 1);
		rxc_index_store(index, key, pfn_to_page(key), RXC_STORE_READ, &old);
	}
	check(entered[0] == 30 && entered[1] == 30, "%u blocks entered alone, %u shared",
	      entered[0], entered[1]);
	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index, 0, ~0ULL, &cursor);
	rxc_index_free(index);
}

/* A set keeps 32 bits of a frame number. */
static void test_frames(void)
{
	struct rxc_index *index = rxc_index_new(64, &rxc_policy_clock);
	struct page *last = pfn_to_page(U32_MAX), *next = pfn_to_page(U32_MAX + 1ULL);
	struct rxc_taken old;

	check(rxc_index_takes(last) && !rxc_index_takes(next), "which frames it takes");
	check(rxc_index_store(index, 1, last, RXC_STORE_READ, &old) == RXC_STORED_INSERTED &&
	      rxc_index_store(index, 2, next, RXC_STORE_READ, &old) == RXC_STORED_NOT, "and does");
	check(old.page == next && rxc_index_remove(index, 1) == last, "each page is where it was");
	rxc_index_free(index);
}

int main(void)
{
	test_grow_keeps(&rxc_policy_rx);
	test_grow_keeps(&rxc_policy_clock);
	test_grow_little(&rxc_policy_rx);
	test_grow_little(&rxc_policy_clock);
	test_shrink_keeps_hot(&rxc_policy_rx);
	test_shrink_keeps_hot(&rxc_policy_clock);
	test_short();
	test_steps(&rxc_policy_rx);
	test_steps(&rxc_policy_clock);
	test_walks(&rxc_policy_rx);
	test_walks(&rxc_policy_clock);
	test_frames();
	test_shares(&rxc_policy_rx);
	test_shares(&rxc_policy_clock);
	test_policy_shared();
	return done();
}
