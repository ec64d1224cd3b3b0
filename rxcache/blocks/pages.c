// SPDX-License-Identifier: GPL-2.0-only
/* How many pages the blocks of an index take. See index.h. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "blocks/index.h"
#include "blocks/table.h"

/* A block may be counted out on one processor before it is counted in on another. */
static u64 at_least_0(long n)
{
	return n > 0 ? n : 0;
}

void rxc_index_count_bins(struct rxc_index *index, long pages)
{
	atomic_long_add(pages, &index->bin_pages);
}

u64 rxc_index_bin_pages(const struct rxc_index *index)
{
	return at_least_0(atomic_long_read(&index->bin_pages));
}

u64 rxc_index_packed_by(const struct rxc_index *index, unsigned int cache)
{
	return at_least_0(atomic_long_read(&index->sharer[cache].packed));
}

bool rxc_index_has_packed(const struct rxc_index *index, unsigned int cache)
{
	return READ_ONCE(index->packed_once) >> cache & 1;
}

static u64 plain_of(const struct rxc_index *index, unsigned int cache)
{
	const struct rxc_sharer *sharer = &index->sharer[cache];

	return at_least_0(atomic_long_read(&sharer->used) - atomic_long_read(&sharer->packed));
}

u64 rxc_index_pages(const struct rxc_index *index)
{
	unsigned int cache, end = READ_ONCE(index->numbers);
	u64 pages = rxc_index_bin_pages(index);

	for (cache = 0; cache < end; cache++)
		pages += plain_of(index, cache);
	return pages;
}

u64 rxc_index_packed_pages_by(const struct rxc_index *index, unsigned int cache)
{
	u64 bins = rxc_index_bin_pages(index), own = rxc_index_packed_by(index, cache);
	unsigned int other, shift, end = READ_ONCE(index->numbers);
	u64 all = 0;

	if (!bins || !own)
		return 0;
	for (other = 0; other < end; other++)
		all += rxc_index_packed_by(index, other);
	all = max(all, own);
	/* The product of large numbers would not fit into 64 bits. */
	shift = all >> 31 ? 12 : 0;
	return div64_u64(bins * (own >> shift), all >> shift);
}

u64 rxc_index_pages_by(const struct rxc_index *index, unsigned int cache)
{
	return plain_of(index, cache) + rxc_index_packed_pages_by(index, cache);
}

void rxc_index_page_bound(struct rxc_index *index, u64 pages)
{
	WRITE_ONCE(index->page_room, pages);
}

u64 rxc_index_page_room(const struct rxc_index *index)
{
	return READ_ONCE(index->page_room);
}

u32 rxc_index_tight(const struct rxc_index *index)
{
	u64 left = READ_ONCE(index->capped);
	unsigned int cache;
	u32 tight = 0;
	u64 most;

	for (; left; left &= left - 1) {
		cache = __ffs64(left);
		most = READ_ONCE(index->sharer[cache].max);
		/* A cache that may have nothing is one that ends. */
		if (most && rxc_index_pages_by(index, cache) >= most - most / 8)
			tight |= 1U << cache;
	}
	return tight;
}

bool rxc_index_crowded(const struct rxc_index *index)
{
	u64 room = rxc_index_page_room(index);

	return unlikely(room) && rxc_index_pages(index) > room;
}
