// SPDX-License-Identifier: GPL-2.0-only
/* Bins of compressed blocks. See bin.h. */
#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <rx/memcpy.h>
#include <rx/pool.h>
#include "blocks/index.h"
#include "memory/pool.h"
#include "packed/bin.h"

enum {
	/* A bin is sparse if no more than this part of its blocks is left, in eighths. */
	SPARSE		= 7,
	/* So it is nearly full at first, and on average 1/HOLES_PART is empty. */
	HOLES_PART	= 16,
};

static_assert(RXC_SHARERS <= 1 << (64 - RXC_BIN_LEN_BITS - RXC_KEY_BLOCK_BITS));

#define SUM_LEN		BIT(31)

static unsigned int bin_bytes(const struct page *page)
{
	return PAGE_SIZE << compound_order((struct page *)page);
}

static struct rxc_bin *bin_of(const struct page *page)
{
	/* Pools take no memory of highmem zones: kernels of 64 bits have none. */
	return page_address(page);
}

/*
 * The packer may take the last block back, and write another one in its place, while others
 * go through all blocks. A mix of both, or of what the page had before, is the key of no
 * block here, or of an earlier one, which they have met first.
 */
static u64 block_key(const struct rxc_bin_block *block)
{
	return ((u64)READ_ONCE(block->high) << 32 | READ_ONCE(block->low)) >> RXC_BIN_LEN_BITS;
}

static unsigned int block_len(const struct rxc_bin_block *block)
{
	return (READ_ONCE(block->low) & (BIT(RXC_BIN_LEN_BITS) - 1)) |
	       (READ_ONCE(block->sum) & SUM_LEN ? BIT(RXC_BIN_LEN_BITS) : 0);
}

/*
 * The pool's memory of the bin is counted until here. Of the pages, readers may have the
 * last reference: they found a way that referred to the bin before the last one went. No
 * way, no packer and no other task can find the bin any more: a way that refers to a bin is
 * a user, and so is the packer while it may make another one refer to it.
 */
unsigned int rxc_bin_put(struct rxc_pool *pool, struct page *page, bool give)
{
	unsigned int order = compound_order(page);

	if (atomic_long_dec_return(rxc_bin_users(page)) != (long)RXC_BIN)
		return 0;
	set_page_private(page, 0);
	rxc_index_count_bins(pool->index, -(1L << order));
	if (give)
		rxd_pool_give(pool->memory, page, order);
	else
		rxd_pool_free(pool->memory, page, order);
	return 1U << order;
}

u64 rxc_bin_cost(u64 nr, u64 bytes)
{
	bytes += nr * sizeof(struct rxc_bin_block);
	return bytes + div_u64(bytes, HOLES_PART - 1);
}

bool rxc_bin_sparse(const struct page *page)
{
	unsigned int users = READ_ONCE(page->private) & ~RXC_BIN;

	/* Nobody but a reader touches memory that is known to have failed. */
	if (unlikely(PageHWPoison(page)))
		return false;
	return users * 8 <= READ_ONCE(bin_of(page)->nr) * SPARSE;
}

bool rxc_bin_find(struct page *page, u64 key, struct rxc_bin_at *at)
{
	const struct rxc_bin *bin = bin_of(page);
	unsigned int i, nr = min_t(unsigned int, READ_ONCE(bin->nr), RXC_BIN_BLOCKS);
	unsigned int tail = bin_bytes(page);
	unsigned int least = sizeof(*bin) + nr * sizeof(bin->block[0]);
	const struct rxc_bin_block *block = bin->block;

	for (i = 0; i < nr; i++, block++) {
		unsigned int len = block_len(block);

		if (len > tail || tail - len < least)
			return false;
		tail -= len;
		if (block_key(block) == key) {
			at->data = (const void *)bin + tail;
			at->len = len;
			at->sum = READ_ONCE(block->sum) & ~SUM_LEN;
			at->codec = bin->codec;
			return len;
		}
	}
	return false;
}

bool rxc_bin_key(struct page *page, unsigned int nr, u64 *key)
{
	const struct rxc_bin *bin = bin_of(page);

	if (unlikely(PageHWPoison(page)))
		return false;
	if (nr >= min_t(unsigned int, READ_ONCE(bin->nr), RXC_BIN_BLOCKS))
		return false;
	*key = block_key(&bin->block[nr]);
	return true;
}

/* A bin of one page loses more, but memory may have no other. */
bool rxc_bin_begin(struct rxc_bin_open *open, struct rxc_pool *pool, unsigned int codec)
{
	unsigned int order = RXC_BIN_ORDER;
	struct page *page;

	if (!rxd_pool_alloc_bulk(pool->memory, order, &page, 1)) {
		order = 0;
		if (!rxd_pool_alloc_bulk(pool->memory, order, &page, 1))
			return false;
	}
	if (!rxc_index_takes(page)) {
		rxd_pool_free(pool->memory, page, order);
		return false;
	}
	rxc_index_count_bins(pool->index, 1L << order);
	bin_of(page)->codec = codec;
	bin_of(page)->nr = 0;
	set_page_private(page, RXC_BIN + 1);
	*open = (struct rxc_bin_open){ .page = page, .codec = codec, .tail = bin_bytes(page) };
	return true;
}

unsigned int rxc_bin_left(const struct rxc_bin_open *open)
{
	unsigned int front = sizeof(struct rxc_bin) +
			     (open->nr + 1) * sizeof(struct rxc_bin_block);

	if (open->nr == RXC_BIN_BLOCKS || front >= open->tail ||
	    unlikely(rx_pages_poisoned(open->page, compound_order(open->page))))
		return 0;
	return open->tail - front;
}

unsigned int rxc_bin_room(const struct rxc_bin_open *open, u64 key)
{
	const struct rxc_bin *bin = bin_of(open->page);
	unsigned int i, left = rxc_bin_left(open);

	for (i = 0; left && i < open->nr; i++)
		if (block_key(&bin->block[i]) == key)
			return 0;
	return min_t(unsigned int, left, RXC_BIN_LEN_MAX);
}

void rxc_bin_add(struct rxc_bin_open *open, u64 key, const void *data, unsigned int len,
		 u32 sum)
{
	struct rxc_bin *bin = bin_of(open->page);
	struct rxc_bin_block *block = &bin->block[open->nr++];
	u64 word = key << RXC_BIN_LEN_BITS | (len & (BIT(RXC_BIN_LEN_BITS) - 1));

	open->tail -= len;
	open->last = len;
	memcpy((void *)bin + open->tail, data, len);
	WRITE_ONCE(block->low, word);
	WRITE_ONCE(block->high, word >> 32);
	WRITE_ONCE(block->sum, (sum & ~SUM_LEN) | (len >> RXC_BIN_LEN_BITS ? SUM_LEN : 0));
	/* Readers come by a way, and the index orders what they find there after this. */
	WRITE_ONCE(bin->nr, open->nr);
}

void rxc_bin_undo(struct rxc_bin_open *open)
{
	struct rxc_bin *bin = bin_of(open->page);

	open->tail += open->last;
	open->last = 0;
	WRITE_ONCE(bin->nr, --open->nr);
}

void rxc_bin_end(struct rxc_bin_open *open, struct rxc_pool *pool)
{
	if (open->page)
		rxc_bin_put(pool, open->page, false);
	open->page = NULL;
}
