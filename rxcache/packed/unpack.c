// SPDX-License-Identifier: GPL-2.0-only
/* Reads of compressed blocks. See unpack.h. */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/stats.h"
#include "io/copy.h"
#include "memory/pool.h"
#include "packed/pack.h"
#include "packed/unpack.h"

/* Returns the bin of a block, with a reference, or NULL if the block is not compressed. */
static struct page *find_bin(struct rxc_cache *cache, u64 block, bool hit)
{
	struct page *page;

	rcu_read_lock();
	page = rxc_index_get_packed(cache->index, rxc_cache_key(cache, block), hit);
	rcu_read_unlock();
	return page;
}

/* The way may have another page by now, and then that block goes, too: it costs a miss. */
static void drop_damaged(struct rxc_cache *cache, u64 block)
{
	pr_err_ratelimited("rxcache: %s: compressed block %llu is damaged in memory, and dropped\n",
			   cache->name, block);
	rxc_count(cache, RXC_COMPRESSED_DAMAGED, 1);
	rxc_pool_drop(cache, block);
	rxc_pack_damaged(cache->pool->pack, cache->key);
}

unsigned int rxc_unpack_hits(struct rxc_cache *cache, struct bio *bio,
			     struct bvec_iter *iter)
{
	unsigned int mask = (1U << cache->block_shift) - 1;
	unsigned int hits = 0, offset, len;
	u64 began = 0, block;
	struct rxc_lane *lane;
	struct page *page;
	bool whole;

	for (; iter->bi_size; hits++) {
		block = rxc_iter_first(cache, *iter);
		page = find_bin(cache, block, true);
		if (!page)
			break;
		if (!began)
			began = ktime_get_ns();
		offset = rxc_iter_pos(*iter) & mask;
		len = min(iter->bi_size, mask + 1 - offset);
		lane = rxc_lane_lock(cache->pool->pack->lanes);
		whole = rxc_lane_unpack(lane, page, rxc_cache_key(cache, block)) &&
			rxc_copy_to_bio(bio, iter, lane->out, offset, len);
		rxc_lane_unlock(lane);
		rxc_page_put(page);
		if (unlikely(!whole)) {
			drop_damaged(cache, block);
			break;
		}
		if (!(bio->bi_opf & REQ_NOWAIT))
			cond_resched();
	}
	if (hits)
		rxc_count(cache, RXC_DECOMPRESS_NS, ktime_get_ns() - began);
	return hits;
}

bool rxc_unpack_from(struct rxc_cache *cache, struct page *page, u64 block, struct page *to)
{
	struct rxc_lane *lane = rxc_lane_lock(cache->pool->pack->lanes);
	bool whole = rxc_lane_unpack(lane, page, rxc_cache_key(cache, block)) &&
		     rxc_copy_page(to, lane->out);

	rxc_lane_unlock(lane);
	if (unlikely(!whole))
		drop_damaged(cache, block);
	return whole;
}

bool rxc_unpack_block(struct rxc_cache *cache, u64 block, struct page *to)
{
	struct page *page = READ_ONCE(cache->pool->pack) ? find_bin(cache, block, false) : NULL;
	bool whole;

	if (!page)
		return false;
	whole = rxc_unpack_from(cache, page, block, to);
	rxc_page_put(page);
	return whole;
}
