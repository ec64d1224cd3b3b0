// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways whose block is compressed. Such a way has the first page of a bin (packed/bin.h) for
 * its page, and RXC_KEY_PACKED in its key, so that hits need not look whether a block is
 * compressed: they do not find it.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "blocks/policy.h"
#include "blocks/table.h"
#include "packed/bin.h"

/* One block of 2^RARELY_BITS has its turn. */
enum { RARELY_BITS = 5 };

/*
 * What page->private of a plain block's page says if the block is not worth a compression with
 * a codec. The next block of the page, if nobody clears it, is another one, or has another
 * chance.
 */
static unsigned long not_worth(u64 key, unsigned int codec)
{
	return (rxc_hash_key(key) & U32_MAX) << 8 | codec;
}

/*
 * Whether the packer wants the block in a way; adds it to *@sum. Pinned blocks are to be
 * plain: one of them would keep the memory of a whole bin.
 */
static bool is_pick(const struct rxc_table *table, const struct rxc_set *set,
		    unsigned int way, bool pinned, const u8 *codecs, u32 rarely,
		    struct rxc_picked *sum)
{
	const struct rxc_way *w = &set->way[way];
	struct page *page = rxc_set_page(set, way);
	unsigned int cache = rxc_key_cache(rxc_way_key(w));

	if (rxc_way_packed(w))
		return pinned || rxc_bin_sparse(page);
	if (codecs[cache] == RXCACHE_COMPRESS_OFF)
		return false;
	sum->plain++;
	if (pinned || rxc_way_unread(w) ||
	    table->policy->young >> table->policy->heat(set->policy, way) & 1)
		return false;
	if (page_private(page) != not_worth(w->key, codecs[cache]))
		return !(rarely >> cache & 1) || !hash_64(w->key, RARELY_BITS);
	sum->marked++;
	return false;
}

unsigned int rxc_index_pick(struct rxc_index *index, u64 *cursor, const u8 *codecs,
			    u32 rarely, struct rxc_pick *picks, struct rxc_picked *sum)
{
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	unsigned int way, nr = 0;
	u64 left, may_go;
	bool pinned;

	set = rxc_walk_lock(index, cursor, &table, &flags);
	may_go = rxc_set_may_go(table, set);
	for (left = set->taken; left; left &= left - 1) {
		way = __ffs64(left);
		pinned = !(may_go >> way & 1);
		if (!is_pick(table, set, way, pinned, codecs, rarely, sum))
			continue;
		picks[nr].key = rxc_way_key(&set->way[way]);
		picks[nr].page = rxc_set_page(set, way);
		picks[nr].packed = rxc_way_packed(&set->way[way]);
		picks[nr].pinned = pinned;
		/* The index has one. With another one the frame gets no other owner. */
		get_page(picks[nr++].page);
	}
	rxc_set_unlock(set, flags);
	return nr;
}

/* Locks the set of a key. Returns the key's way if it still has @page, or -1. */
static int lock_same(struct rxc_index *index, u64 key, const struct page *page,
		     struct rxc_table **table, struct rxc_set **set, unsigned long *flags)
{
	u64 hash = rxc_hash_key(key);
	int way;

	*set = rxc_set_lock(index, hash, table, flags);
	way = rxc_set_find(*set, key, hash, RXC_KEY_ANY);
	return way >= 0 && (*set)->way[way].frame == page_to_pfn(page) ? way : -1;
}

/* Only the pool's packer compresses, and nothing else writes this. */
static void note_packed(struct rxc_index *index, unsigned int cache)
{
	u32 seen = index->packed_once;

	if (!(seen >> cache & 1))
		WRITE_ONCE(index->packed_once, seen | BIT(cache));
}

bool rxc_index_swap(struct rxc_index *index, u64 key, const struct page *from,
		    struct page *to)
{
	bool packed = rxc_is_bin(to);
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way = lock_same(index, key, from, &table, &set, &flags), more;

	if (way >= 0) {
		more = packed - rxc_way_packed(&set->way[way]);
		if (packed) {
			rxc_bin_get(to);
			/* The barrier of the sequence count orders this before the key. */
			note_packed(index, rxc_key_cache(key));
		}
		write_seqcount_begin(&set->seq);
		set->way[way].key = key | (packed ? RXC_KEY_PACKED : 0);
		set->way[way].frame = page_to_pfn(to);
		write_seqcount_end(&set->seq);
		if (more)
			atomic_long_add(more, &index->sharer[rxc_key_cache(key)].packed);
	}
	rxc_set_unlock(set, flags);
	return way >= 0;
}

void rxc_index_mark_plain(struct rxc_index *index, u64 key, struct page *page,
			  unsigned int codec)
{
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;

	if (lock_same(index, key, page, &table, &set, &flags) >= 0)
		set_page_private(page, not_worth(key, codec));
	rxc_set_unlock(set, flags);
}

bool rxc_index_stays(struct rxc_index *index, u64 key, const struct page *bin,
		     unsigned int cache)
{
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way = lock_same(index, key, bin, &table, &set, &flags);
	bool stays = way >= 0 && !(rxc_set_victims(index, table, set, cache) >> way & 1);

	rxc_set_unlock(set, flags);
	return stays;
}

bool rxc_index_evict_from(struct rxc_index *index, u64 key, const struct page *bin,
			  unsigned int cache, bool own, struct rxc_taken *old)
{
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way = lock_same(index, key, bin, &table, &set, &flags);
	u64 may_go;

	may_go = own ? rxc_set_may_go(table, set) : rxc_set_victims(index, table, set, cache);
	if (way >= 0 && !(may_go >> way & 1))
		way = -1;
	if (way >= 0) {
		rxc_set_take(table, set, way, RXC_EXIT_EVICT, old);
		rxc_index_count_left(index, old);
	}
	rxc_set_unlock(set, flags);
	return way >= 0;
}
