// SPDX-License-Identifier: GPL-2.0-only
/* How long RX keeps blocks that were read ahead, beside a scan. */
#include "blocks/index.h"
#include "kernel.h"
#include "rx_test.h"

enum { BLOCKS = 64, AHEAD = 1 << 20, STAY = BLOCKS / 16 };

static struct rxc_index *index_;
static u64 next, pfn;

static void store(u64 block, enum rxc_store how)
{
	struct rxc_taken old;

	rxc_index_store(index_, rxc_key(0, block), pfn_to_page(++pfn), how, &old);
}

static void scan(unsigned int blocks)
{
	while (blocks--)
		store(next++, RXC_STORE_READ);
}

static void begin(void)
{
	index_ = rxc_index_new(BLOCKS, &rxc_policy_rx);
	next = 0;
	scan(4 * BLOCKS);
}

static void end(void)
{
	u64 cursor = 0;

	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index_, 0, ~0ULL, &cursor);
	rxc_index_free(index_);
}

static void ahead(unsigned int first, unsigned int blocks)
{
	for (; blocks--; first++)
		store(AHEAD + first, RXC_STORE_AHEAD);
}

static bool there(unsigned int nr)
{
	return rxc_index_has(index_, rxc_key(0, AHEAD + nr));
}

/* Returns how many blocks of a scan pass before all of them are evicted. */
static unsigned int life(unsigned int blocks)
{
	unsigned int n, nr;

	begin();
	ahead(0, blocks);
	for (n = 0; n < 100 * BLOCKS; n++) {
		for (nr = 0; nr < blocks && !there(nr); nr++)
			;
		if (nr == blocks)
			break;
		scan(1);
	}
	end();
	return n;
}

static void test_room(void)
{
	unsigned int nr, kept = 0;

	begin();
	ahead(0, STAY + 2);
	/* Without the right to stay none would be left. It ends for one block in 16 evictions. */
	scan(STAY + 8);
	for (nr = 0; nr < STAY + 2; nr++)
		kept += there(nr);
	check(kept >= STAY - 2 && kept <= STAY, "a part of the set stays: %u blocks of %u", kept,
	      STAY + 2);
	check(!there(0) && !there(1) && there(STAY + 1), "the oldest are those that go");
	end();
}

static void test_end(void)
{
	unsigned int one = life(1), all = life(STAY);

	check(one > 8 && one < 10 * BLOCKS, "one block stays for %u evictions", one);
	check(all > one / 2 && all < 10 * BLOCKS, "%u of them for %u, none for ever", STAY, all);
}

static void test_used(void)
{
	bool known;

	begin();
	ahead(0, 1);
	scan(8);
	check(there(0), "it waits for its reader");
	check(rxc_index_use(index_, rxc_key(0, AHEAD), &known), "who comes");
	scan(2 * BLOCKS);
	check(!there(0), "and then it goes like a block that was read once");
	end();
}

int main(void)
{
	test_room();
	test_end();
	test_used();
	return done();
}
