// SPDX-License-Identifier: GPL-2.0-only
/* Bins of compressed blocks: what they hold, who frees them, and memory that is damaged or has failed. */
#include "bins.h"
#include "packed/bin.h"
#include "rx_test.h"

enum { FIRST = 1000, ROUNDS = 2000 };

struct rxd_pool {
	unsigned int given, freed, largest;
	bool low;
};

static struct rxd_pool memory = { .largest = RXC_BIN_ORDER };
static struct rxc_pool pool = { .memory = &memory };
static struct page pages[1 << RXC_BIN_ORDER];
static u8 bytes[4096 << RXC_BIN_ORDER] __attribute__((aligned(4096))), in[RXC_BIN_LEN_MAX];
static long counted;

unsigned int rxd_pool_alloc_bulk(struct rxd_pool *p, unsigned int order, struct page **found, unsigned int nr)
{
	unsigned int i;

	if (order > p->largest || p->low)
		return 0;
	for (i = 0; i < 1u << RXC_BIN_ORDER; i++)
		pages[i] = (struct page){ .at = bytes + i * PAGE_SIZE, .order = order };
	*found = pages;
	return nr;
}

void rxd_pool_free(struct rxd_pool *p, struct page *page, unsigned int order)
{
	p->freed += page == pages && order == page->order;
}

void rxd_pool_give(struct rxd_pool *p, struct page *page, unsigned int order)
{
	p->given += page == pages && order == page->order;
}

bool rxc_index_takes(const struct page *page)
{
	return page == pages;
}

void rxc_index_count_bins(struct rxc_index *index, long nr)
{
	(void)index;
	counted += nr;
}

bool rx_pages_poisoned(struct page *page, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < 1u << order; i++)
		if (page[i].poisoned)
			return true;
	return false;
}

static u8 byte_of(u64 key, unsigned int at)
{
	return key * 31 + at;
}

static const u8 *block_of(u64 key, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		in[i] = byte_of(key, i);
	return in;
}

static bool holds(u64 key, unsigned int len, u32 sum)
{
	struct rxc_bin_at at;

	return rxc_bin_find(pages, key, &at) && at.len == len && at.sum == sum && at.codec == 2 &&
	       !memcmp(at.data, block_of(key, len), len);
}

static bool begin(struct rxc_bin_open *open)
{
	memset(bytes, 0xee, sizeof(bytes));
	memory = (struct rxd_pool){ .largest = memory.largest };
	counted = 0;
	return rxc_bin_begin(open, &pool, 2);
}

static unsigned int bin_nr(void)
{
	return ((struct rxc_bin *)bytes)->nr;
}

/* Adds blocks of about @len bytes until there is no room, and returns how many. */
static unsigned int fill(struct rxc_bin_open *open, unsigned int len)
{
	unsigned int nr = 0, n;

	for (; rxc_bin_room(open, FIRST + nr) >= (n = len + nr % 7); nr++) {
		rxc_bin_add(open, FIRST + nr, block_of(FIRST + nr, n), n, nr * 3);
		rxc_bin_get(pages);
	}
	return nr;
}

static unsigned int found(unsigned int nr, unsigned int len)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++)
		n += holds(FIRST + i, len + i % 7, i * 3);
	return n;
}

static void test_blocks(unsigned int order)
{
	static const unsigned int lens[] = { RXC_BIN_FILLED, 100, 1500, 3072, RXC_BIN_LEN_MAX - 6 };
	unsigned int i, n, nr;
	struct rxc_bin_open open;
	struct rxc_bin_at at;
	u64 key;

	memory.largest = order;
	/* The largest needs more than a page with the list. */
	for (i = 0; i < sizeof(lens) / sizeof(*lens) - !order; i++) {
		check(begin(&open) && pages[0].order == order && counted == 1 << order, "a bin of 2^%u pages", order);
		nr = fill(&open, lens[i]);
		check(found(nr, lens[i]) == nr, "all %u blocks of %u bytes are found", nr, lens[i]);
		check(nr <= RXC_BIN_BLOCKS && (nr == RXC_BIN_BLOCKS || (nr + 1) * (lens[i] + 6ul + 12) + 4 > PAGE_SIZE << order), "as many as fit");
		check(!rxc_bin_find(pages, FIRST + nr, &at) && !rxc_bin_room(&open, FIRST), "no other, and none twice");
		for (n = 0; rxc_bin_key(pages, n, &key); n++)
			nr -= key == FIRST + n;
		check(!nr, "the keys in their order");
		check(!rxc_bin_sparse(pages), "all blocks are there");
		rxc_bin_end(&open, &pool);
		for (; n > 1; n--)
			check(!rxc_bin_put(&pool, pages, true), "users are left");
		check(n && rxc_bin_sparse(pages) == (bin_nr() > 1), "the last one");
		check(rxc_bin_put(&pool, pages, true) == 1u << order && memory.given == 1 && !memory.freed && !counted &&
		      !rxc_is_bin(pages), "the last user gives it back");
	}
}

static void test_undo(void)
{
	struct rxc_bin_open open;
	struct rxc_bin_at at;
	unsigned int left;

	memory.largest = RXC_BIN_ORDER;
	begin(&open);
	rxc_bin_add(&open, 1, block_of(1, 500), 500, 7);
	rxc_bin_get(pages);
	left = rxc_bin_left(&open);
	rxc_bin_add(&open, 2, block_of(2, 700), 700, 8);
	rxc_bin_undo(&open);
	check(!rxc_bin_find(pages, 2, &at) && rxc_bin_left(&open) == left, "what was taken back leaves nothing");
	rxc_bin_add(&open, 3, block_of(3, 600), 600, 9);
	check(holds(1, 500, 7) && holds(3, 600, 9), "and another block takes its place");
	rxc_bin_end(&open, &pool);
	check(!open.page && !memory.freed, "a block is left");
	rxc_bin_put(&pool, pages, false);
	check(memory.freed == 1 && !counted, "its user frees the bin");
	begin(&open);
	rxc_bin_end(&open, &pool);
	check(memory.freed == 1 && !counted, "an empty bin goes with the packer");
	memory.low = true;
	check(!rxc_bin_begin(&open, &pool, 2), "no bin without memory");
}

/* To add a block, the packer reads the list in the bin's first page. */
static void test_failed(void)
{
	struct rxc_bin_open open;
	unsigned int i, none = 0;
	u64 key;

	for (i = 0; i < 1u << RXC_BIN_ORDER; i++) {
		begin(&open);
		rxc_bin_add(&open, 1, block_of(1, 500), 500, 7);
		check(rxc_bin_room(&open, 2), "room");
		pages[i].poisoned = true;
		none += !rxc_bin_left(&open) && !rxc_bin_room(&open, 2);
	}
	check(none == i, "a bin takes no block once any of its pages has failed");
	pages[0].poisoned = true;
	check(!rxc_bin_key(pages, 0, &key) && !rxc_bin_sparse(pages), "and nobody reads the front of it");
}

/* Whatever the bytes of a bin become, what is found lies in it, behind the list. */
static void test_damage(void)
{
	unsigned int nr, n, bad = 0, gone = 0;
	struct rxc_bin_open open;
	struct rxc_bin_at at;

	srandom(1);
	for (n = 0; n < ROUNDS; n++) {
		begin(&open);
		nr = fill(&open, 1 + random() % 2000);
		do
			bytes[random() % (sizeof(struct rxc_bin) + nr * sizeof(struct rxc_bin_block))] = random();
		while (random() % 4);
		while (nr--) {
			if (!rxc_bin_find(pages, FIRST + nr, &at))
				gone++;
			else
				bad += (const u8 *)at.data < bytes + sizeof(struct rxc_bin) || !at.len ||
				       (const u8 *)at.data + at.len > bytes + sizeof(bytes);
		}
	}
	check(!bad && gone, "damaged %u times: %u blocks not found, none outside", ROUNDS, gone);
}

int main(void)
{
	test_blocks(0);
	test_blocks(RXC_BIN_ORDER);
	test_undo();
	test_failed();
	test_damage();
	return done();
}
