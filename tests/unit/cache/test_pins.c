// SPDX-License-Identifier: GPL-2.0-only
/* Pinned ranges against a model with one byte for each key, and eviction around pinned blocks. */
#include <string.h>

#include "blocks/index.h"
#include "blocks/pinned_ranges.h"
#include "kernel.h"
#include "rx_test.h"
#include "sim.h"

enum { KEYS = 512, BLOCKS = 1024 };

static unsigned long long state = 1;

static unsigned int random_below(unsigned int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % n;
}

/* Each key is the only one of its set, so that the set's bit says whether the key is pinned. */
static bool same(struct rxc_pins *pins, struct rxc_pinned *pinned, const char *model)
{
	unsigned int key, n = 0;

	for (key = 0; key < KEYS; key++) {
		rxc_pinned_settle(pinned, key, 1, key);
		n += model[key];
		if (!!rxc_pinned_ways(pinned, key) != model[key])
			return false;
	}
	return rxc_pins_blocks(pins) == n && rxc_pins_used(pins, 0) == n;
}

static void test_ranges(void)
{
	struct rxc_pins *pins = rxc_pins_new();
	struct rxc_pinned *pinned = rxc_pinned_new(pins, KEYS, 64);
	char model[KEYS] = { 0 };
	unsigned int first, last, key, n, most = KEYS / 2, rounds = 4000;
	bool good = true, refused = false;

	while (good && rounds--) {
		first = random_below(KEYS);
		last = first + random_below(rounds % 8 ? 16 : 256);
		if (last >= KEYS)
			last = KEYS - 1;
		if (random_below(2)) {
			char after[KEYS];

			memcpy(after, model, KEYS);
			memset(after + first, 1, last - first + 1);
			for (n = 0, key = 0; key < KEYS; key++)
				n += after[key];
			if (rxc_pins_add(pins, first, last, most)) {
				refused = true;
				good = n > most;
			} else {
				good = n <= most;
				memcpy(model, after, KEYS);
			}
		} else {
			good = !rxc_pins_remove(pins, first, last);
			memset(model + first, 0, last - first + 1);
		}
		good = good && same(pins, pinned, model);
	}
	check(good, "ranges are joined and cut as keys are, up to the most");
	check(refused, "and more is refused");
	for (rounds = 0; rounds < 20; rounds++) {
		rxc_pins_remove(pins, 0, KEYS - 1);
		for (key = 0; key < KEYS; key += 2)
			rxc_pins_add(pins, key, key, KEYS);
	}
	check(rxc_pins_bytes(pins) < 2 << 20, "what was replaced is freed");
	rxc_pinned_free(pinned);
	rxc_pins_free(pins);
}

static void test_set(void)
{
	struct rxc_pins *pins = rxc_pins_new();
	struct rxc_pinned *pinned = rxc_pinned_new(pins, 1, 64);
	unsigned int way;

	rxc_pins_add(pins, 0, 63, 64);
	for (way = 0; way < 64; way++)
		rxc_pinned_settle(pinned, 0, way, way);
	check(rxc_pins_used(pins, 0) == 48, "three quarters of a set are pinned");
	rxc_pinned_leave(pinned, 0, 7, 7);
	rxc_pinned_leave(pinned, 0, 63, 63);
	check(rxc_pins_used(pins, 0) == 47, "what is not pinned does not leave");
	rxc_pinned_settle(pinned, 0, 63, 63);
	rxc_pinned_settle(pinned, 0, 63, 63);
	check(rxc_pins_used(pins, 0) == 48, "the next one takes its place, once");
	rxc_pinned_free(pinned);
	rxc_pins_free(pins);
}

static struct page *page_of(u64 key)
{
	return pfn_to_page(key);
}

static void store(struct rxc_index *index, u64 key)
{
	struct rxc_taken old;

	rxc_index_store(index, key, page_of(key), RXC_STORE_READ, &old);
}

static unsigned int held(struct rxc_index *index, u64 first, u64 last)
{
	unsigned int n = 0;

	for (; first <= last; first++)
		n += rxc_index_has(index, first);
	return n;
}

static void scan(struct rxc_index *index, u64 first, unsigned int blocks)
{
	for (; blocks--; first++)
		if (!rxc_index_get(index, first))
			store(index, first);
}

/* Removes all blocks. */
static void end(struct rxc_index *index)
{
	u64 cursor = 0;

	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index, 0, U64_MAX, &cursor);
	check(!rxc_index_pinned_used(index, 0), "nothing is left");
	rxc_index_free(index);
}

static void test_index(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 key, cursor = 0, half = rxc_index_pin_limit(index), pinned;
	u64 bytes = rxc_index_bytes(index);
	struct rxc_taken old;
	unsigned int n;

	check(half == BLOCKS / 2, "half of the index");
	check(rxc_index_pin(index, 0, half) == -ENOSPC, "one more is refused");
	check(!rxc_index_pinned(index, 0) && rxc_index_bytes(index) == bytes,
	      "and then nothing is pinned, and takes no memory");
	/* Some blocks are cached before they are pinned, others after that. */
	for (key = 0; key < 100; key++)
		store(index, key);
	check(!rxc_index_pin(index, 0, half - 1), "half is pinned");
	check(rxc_index_bytes(index) >= bytes + rxc_index_sets(index) * sizeof(u64),
	      "which takes memory");
	while (cursor < RXC_WALK_END)
		rxc_index_settle_all(index, 50, 59, &cursor);
	check(rxc_index_pinned_used(index, 0) == 10, "some of them");
	cursor = 0;
	for (key = 0; key < half; key++)
		rxc_index_settle(index, key);
	check(rxc_index_pinned_used(index, 0) == 100, "those that are there");
	scan(index, 0, half);
	pinned = rxc_index_pinned_used(index, 0);
	check(pinned > half * 99 / 100, "those that come");
	scan(index, 10000, 50 * BLOCKS);
	check(held(index, 0, half - 1) >= pinned, "a scan evicts none of them");
	check(rxc_index_used(index) == BLOCKS, "and fills the index");
	while (rxc_index_shrink(index, RXC_NOBODY, false, &old))
		;
	check(rxc_index_used(index) == pinned && rxc_index_pinned_used(index, 0) == pinned,
	      "pressure takes all others, and no pinned one");
	rxc_index_remove(index, 5);
	check(rxc_index_pinned_used(index, 0) == pinned - 1, "a block that is dropped");
	store(index, 5);
	check(rxc_index_pinned_used(index, 0) == pinned, "is pinned when it is back");
	for (key = 0; key < half; key++)
		rxc_index_remove(index, key);
	check(!rxc_index_pinned_used(index, 0), "all are dropped");
	scan(index, 20000, 4 * BLOCKS);
	for (key = 0; key < half; key++) {
		store(index, key);
		scan(index, 30000 + 8 * key, 8);
	}
	check(held(index, 0, half - 1) >= half * 99 / 100, "those that enter full sets stay");
	check(!rxc_index_unpin(index, 0, half / 2 - 1), "unpin a half");
	while (cursor < RXC_WALK_END)
		rxc_index_settle_all(index, 0, half - 1, &cursor);
	check(rxc_index_pinned(index, 0) == half / 2, "the other is pinned");
	for (n = 0; n < 60; n++)
		scan(index, 10000, BLOCKS * 3 / 4);
	check(held(index, 0, half / 2 - 1) < half / 8, "a loop evicts what was unpinned");
	check(held(index, half / 2, half - 1) >= half / 2 * 99 / 100, "and not the other");
	end(index);
}

/* Moves one more set. Returns whether a set was left. */
static bool next_set(struct rxc_index *index)
{
	struct rxc_taken old[RXC_WAYS_MAX];
	unsigned int nr;

	return rxc_index_resize_next(index, old, &nr);
}

static bool resize(struct rxc_index *index, u64 blocks)
{
	if (rxc_index_resize_begin(index, blocks))
		return false;
	while (next_set(index))
		;
	rxc_index_resize_end(index);
	return true;
}

/* Changes the size several times, with scans before, during and after each change. */
static void test_resize(const struct rxc_policy *policy)
{
	static const u64 sizes[] = { 4096, 300, 8000, 256, 1000, 700 };
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 i, n, pinned = 100;
	bool held_all = true;

	rxc_index_pin(index, 0, pinned - 1);
	scan(index, 0, pinned);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		scan(index, 10000, 10 * BLOCKS);
		check(!rxc_index_resize_begin(index, sizes[i]), "a change begins");
		for (n = 0; next_set(index); n++) {
			scan(index, 20000 + 100 * n, 100);
			held_all &= rxc_index_pinned_used(index, 0) == pinned;
		}
		rxc_index_resize_end(index);
		held_all &= rxc_index_pinned_used(index, 0) == pinned;
		scan(index, 10000, 10 * BLOCKS);
		check(held_all && held(index, 0, pinned - 1) == pinned,
		      "pinned blocks stay while sets move");
		check(rxc_index_pin_limit(index) == rxc_index_blocks(index) / 2,
		      "half of what it has now");
	}
	check(!rxc_index_pins_fit(index, 150) && !resize(index, 150) &&
	      rxc_index_blocks(index) > 600, "too small for what is pinned: nothing changes");
	check(rxc_index_pins_fit(index, 200) && resize(index, 200), "as small as it may be");
	check(held(index, 0, pinned - 1) > pinned * 9 / 10, "nearly all have room");
	check(rxc_index_pin(index, 5000, 5000) == -ENOSPC, "that is all that can be pinned");
	end(index);
}

/* Pins and unpins while only some sets have moved. All sets then move with the pinned blocks. */
static void test_resize_meanwhile(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	u64 key, cursor = 0;
	unsigned int i;

	scan(index, 0, 200);
	rxc_index_resize_begin(index, 4 * BLOCKS);
	for (i = 0; i < 7; i++)
		next_set(index);
	check(!rxc_index_pin(index, 0, 99) && !rxc_index_pin(index, 200, 299),
	      "pin between two sets");
	for (key = 0; key < 50; key++)
		rxc_index_settle(index, key);
	check(rxc_index_pinned_used(index, 0) == 50, "one by one, in both tables");
	while (cursor < RXC_WALK_END)
		rxc_index_settle_all(index, 0, U64_MAX, &cursor);
	check(rxc_index_pinned_used(index, 0) == 100, "all, in both tables");
	scan(index, 200, 100);
	check(rxc_index_pinned_used(index, 0) == 200, "those that come, in both tables");
	rxc_index_unpin(index, 0, 49);
	for (key = 0; key < 50; key++)
		rxc_index_settle(index, key);
	while (next_set(index))
		;
	rxc_index_resize_end(index);
	check(rxc_index_pinned_used(index, 0) == 150, "all have moved");
	scan(index, 10000, 100 * BLOCKS);
	check(held(index, 50, 99) == 50 && held(index, 200, 299) == 100,
	      "a scan evicts none of them");
	rxc_index_resize_begin(index, BLOCKS);
	next_set(index);
	check(rxc_index_pin(index, 1000, 1000 + BLOCKS / 2) == -ENOSPC,
	      "no more than the smaller one may have");
	end(index);
}

/* Pinned blocks that are read ahead. */
static void test_unread(const struct rxc_policy *policy)
{
	struct rxc_index *index = rxc_index_new(BLOCKS, policy);
	struct rxc_taken old;
	u64 key, cursor = 0;
	bool known;

	for (key = 0; key < 50; key++)
		rxc_index_store(index, key, page_of(key), RXC_STORE_AHEAD, &old);
	check(!rxc_index_pin(index, 0, 99), "pinned");
	for (key = 0; key < 25; key++)
		rxc_index_settle(index, key);
	check(rxc_index_pinned_used(index, 0) == 25, "unread blocks, one by one");
	while (cursor < RXC_WALK_END)
		rxc_index_settle_all(index, 0, 99, &cursor);
	check(rxc_index_pinned_used(index, 0) == 50, "all of them");
	for (key = 50; key < 100; key++)
		rxc_index_store(index, key, page_of(key), RXC_STORE_AHEAD, &old);
	check(rxc_index_pinned_used(index, 0) == 100, "those that come");
	scan(index, 10000, 50 * BLOCKS);
	check(held(index, 0, 99) == 100 && rxc_index_unread(index, 0) == 100,
	      "a scan evicts none of them");
	check(resize(index, 2 * BLOCKS) && rxc_index_pinned_used(index, 0) == 100, "nor does a resize");
	for (key = 0; key < 100; key++)
		rxc_index_use(index, key, &known);
	check(rxc_index_pinned_used(index, 0) == 100 && !rxc_index_unread(index, 0) &&
	      !rxc_index_vain(index, 0), "nor their first read");
	for (key = 0; key < 50; key++)
		rxc_index_remove(index, key);
	check(rxc_index_pinned_used(index, 0) == 50, "what is dropped is no longer there");
	rxc_index_store(index, 0, page_of(0), RXC_STORE_AHEAD, &old);
	rxc_index_remove(index, 0);
	check(rxc_index_pinned_used(index, 0) == 50, "unread or not");
	end(index);
}

int main(void)
{
	test_ranges();
	test_set();
	test_index(&rxc_policy_rx);
	test_index(&rxc_policy_clock);
	test_resize(&rxc_policy_rx);
	test_resize(&rxc_policy_clock);
	test_resize_meanwhile(&rxc_policy_rx);
	test_resize_meanwhile(&rxc_policy_clock);
	test_unread(&rxc_policy_rx);
	test_unread(&rxc_policy_clock);
	return done();
}
