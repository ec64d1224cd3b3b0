// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens and closes the pool, takes and frees pages for blocks, and drops blocks. The
 * cache only holds copies, so any block may be dropped at any time.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <rx/pages.h>
#include <rx/pool.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "figures/stats.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "packed/bin.h"
#include "packed/pack.h"
#include "trace.h"

/*
 * Frees those of @got pages, which nobody else has, that the index cannot hold. Returns how
 * many are left.
 */
static unsigned int pool_fit(struct rxc_pool *pool, struct page **pages, unsigned int got)
{
	unsigned int i = 0;

	while (i < got) {
		if (likely(rxc_index_takes(pages[i]))) {
			i++;
			continue;
		}
		rxd_pool_free(pool->memory, pages[i], pool->order);
		pages[i] = pages[--got];
	}
	return got;
}

/*
 * Takes pages for up to @nr blocks, at most RXC_BATCH, if there are free ones that the index
 * can hold; returns for how many. Context: process.
 */
unsigned int rxc_pool_spare(struct rxc_pool *pool, struct page **pages, unsigned int nr)
{
	unsigned int got = pool_fit(pool, pages,
				    rxd_pool_alloc_bulk(pool->memory, pool->order, pages, nr));

	if (unlikely(READ_ONCE(pool->pack)))
		rxc_pack_taken(pool->pack, got);
	return got;
}

/*
 * Does the same. If the machine is short of memory although the pool has room, this evicts a
 * cold block above the floor for a later caller. Otherwise a cache that has reached min_free
 * would keep the same blocks for ever, as only a frozen cache should. Context: process.
 */
unsigned int rxc_pool_pages(struct rxc_cache *cache, struct page **pages,
			    unsigned int nr)
{
	struct rxc_pool *pool = cache->pool;
	unsigned int taken = rxd_pool_alloc_bulk(pool->memory, pool->order, pages, nr);
	unsigned int got = pool_fit(pool, pages, taken);

	if (unlikely(READ_ONCE(pool->pack))) {
		rxc_pack_taken(pool->pack, nr);
		if (got < nr && !READ_ONCE(cache->frozen))
			rxc_give_crowded(pool, cache->key, nr - got);
	}
	/* Pages that the index cannot hold do not mean that the machine has too few. */
	if (taken == nr || READ_ONCE(cache->frozen) ||
	    !rxc_give_above(pool) ||
	    !rxd_pool_has_room(pool->memory, pool->order))
		return got;
	rxc_give_block(pool, cache->key, RXC_EVICT, RXC_EVICT_MIN_FREE);
	return got;
}

/*
 * Frees what a block that has left the index had: its page, or its part of a bin. Readers who
 * found the block before have references of their own. Context: any.
 */
void rxc_pool_free_block(struct rxc_pool *pool, struct page *page)
{
	if (unlikely(rxc_is_bin(page)))
		rxc_bin_put(pool, page, false);
	else
		rxd_pool_free(pool->memory, page, pool->order);
}

/* Does the same, but adds a page to @row, for rxd_pool_retire(). Context: any. */
void rxc_pool_retire_block(struct rxc_pool *pool, struct rx_pages *row, struct page *page)
{
	if (unlikely(rxc_is_bin(page)))
		rxc_bin_put(pool, page, false);
	else
		rx_pages_add(row, page);
}

/*
 * Frees the pages of the vecs of @bio from the @from-th on. These pages were not stored,
 * so only the fill had them, and its read has ended. Context: any.
 */
void rxc_pool_free_vecs(struct rxc_pool *pool, const struct bio *bio,
			unsigned int from)
{
	for (; from < bio->bi_vcnt; from++)
		rxd_pool_free(pool->memory, bio->bi_io_vec[from].bv_page,
			      pool->order);
}

/* Takes a block out of the cache without counting it; returns whether it was cached. */
static bool pool_take(struct rxc_cache *cache, u64 block)
{
	struct rxc_pool *pool = cache->pool;
	struct page *page = rxc_index_remove(pool->index, rxc_cache_key(cache, block));

	if (!page)
		return false;
	trace_rxcache_invalidate(cache, block, 1);
	rxc_pool_free_block(pool, page);
	return true;
}

/* Drops a block from the cache; returns whether the block was cached. Context: any. */
bool rxc_pool_drop(struct rxc_cache *cache, u64 block)
{
	bool there = pool_take(cache, block);

	if (there)
		rxc_count(cache, RXC_INVALIDATE, 1);
	return there;
}

/* Reports a memory error in a cached block, and drops the block. Context: any. */
void rxc_pool_drop_bad(struct rxc_cache *cache, u64 block)
{
	pr_err_ratelimited("rxcache: %s: memory error in cached block %llu, which is dropped\n",
			   cache->name, block);
	rxc_pool_drop(cache, block);
}

/* See rxc_pool_drop_range(). Ends early once *@stop is true, if @stop is not NULL. */
static void drop_range(struct rxc_cache *cache, u64 first, u64 last, const bool *stop)
{
	struct rxc_pool *pool = cache->pool;
	u64 block, steps = 0, cursor = 0, dropped = 0;
	struct page *page;

	/* The range is in flight, so none of its blocks can enter the cache. */
	if (!rxc_index_may_hold(pool->index, rxc_cache_key(cache, first),
				rxc_cache_key(cache, last)))
		return;
	/* A look-up of one block costs about as much as a walk through one set. */
	if (last - first < rxc_index_sets(pool->index)) {
		for (block = first; block <= last; block++) {
			dropped += pool_take(cache, block);
			if (++steps % 1024)
				continue;
			if (stop && READ_ONCE(*stop))
				break;
			cond_resched();
		}
	} else {
		while (cursor < RXC_WALK_END && !(stop && READ_ONCE(*stop))) {
			page = rxc_index_remove_next(pool->index,
						     rxc_cache_key(cache, first),
						     rxc_cache_key(cache, last),
						     &cursor);
			if (page) {
				rxc_pool_free_block(pool, page);
				dropped++;
			}
			cond_resched();
		}
		trace_rxcache_invalidate(cache, first, last - first + 1);
	}
	if (dropped)
		rxc_count(cache, RXC_INVALIDATE, dropped);
}

/*
 * Drops the blocks from @first to @last, a range in flight, from the cache. The cost is
 * that of the smaller of the range and the cache. Context: process, may sleep.
 */
void rxc_pool_drop_range(struct rxc_cache *cache, u64 first, u64 last)
{
	drop_range(cache, first, last, NULL);
}

/*
 * Drops the blocks from @first to @last. Ranges in flight are marked raced, so that no fill
 * stores former contents of the origin. Context: process, may sleep, not rxc_mutex: it takes
 * up to a minute for each TiB of the cache. It ends early if the cache ends, whose blocks
 * rxc_pool_empty() drops.
 */
void rxc_pool_drop_blocks(struct rxc_cache *cache, u64 first, u64 last)
{
	struct rxc_busy busy = { .first = first, .last = last };

	lockdep_assert_not_held(&rxc_mutex);
	rxc_busy_enter_write(&cache->busy, &busy);
	drop_range(cache, first, last, &cache->backlog.stop);
	rxc_busy_leave(&cache->busy, &busy);
}

/* Empties the cache. Context: as rxc_pool_drop_blocks(). */
void rxc_pool_drop_all(struct rxc_cache *cache)
{
	rxc_pool_drop_blocks(cache, 0, (READ_ONCE(cache->bytes) - 1) >> cache->block_shift);
}

/*
 * Evicts blocks of cache number @key, if it has more than its max share, up to @most, and
 * stops where it finds none near by. Context: any. Returns how many.
 */
unsigned int rxc_pool_cut(struct rxc_pool *pool, unsigned int key, unsigned int most)
{
	unsigned int cut = 0;

	while (cut < most && rxc_give_block(pool, key, RXC_EVICT, RXC_EVICT_SHARE))
		cut++;
	return cut;
}

/*
 * Does what rxc_taken.over of one of @nr blocks of cache number @key asks for, which were
 * stored. Each of them has added a page at most. With compressed blocks a page may cost as
 * many evictions as a bin has blocks, too many for an interrupt, and a block that was
 * compressed makes no room for the one in its place; what is left, the pool's work does. The
 * cache has not left, so the work is not ended yet. Context: any.
 */
void rxc_pool_cut_stored(struct rxc_pool *pool, unsigned int key, u64 nr)
{
	if (likely(!READ_ONCE(pool->pack))) {
		rxc_pool_cut(pool, key, RXC_BATCH / 2);
		return;
	}
	if (in_task() && !irqs_disabled()) {
		rxc_pool_cut(pool, key, nr + RXC_BATCH / 2);
		rxc_give_crowded(pool, key, nr);
		if (!rxc_index_over(pool->index, key))
			return;
	}
	queue_work(rxc_life_wq, &pool->cut);
}

/*
 * Drops the blocks of a cache that ends. No I/O of it runs any more: the block device is
 * gone or was never there, and the last io and part have dropped their references. Other
 * caches, and calls under memory pressure, may have taken out a block of the cache and be
 * about to count it. This waits for them. Context: process, may sleep.
 */
void rxc_pool_empty(struct rxc_cache *cache)
{
	/* A cache that could not start has no blocks, and its index may be large. */
	u64 cursor = rxc_index_used_by(cache->index, cache->key) ? 0 : RXC_WALK_END;

	while (cursor < RXC_WALK_END) {
		struct page *page = rxc_index_remove_next(cache->index, rxc_cache_key(cache, 0),
							  rxc_cache_key(cache, RXC_BLOCK_LAST),
							  &cursor);

		if (page)
			rxc_pool_free_block(cache->pool, page);
		cond_resched();
	}
	synchronize_rcu();
}

/* The blocks of a new index at most: it takes 1 MiB, and a few milliseconds. */
enum { INDEX_AT_ONCE = 65536 };

/*
 * Makes the index, a small one at first (rxc_resize_whole()), and registers the pool for
 * memory pressure. The caller has set what describes the pool. Context: process, may sleep.
 * Returns 0 or an errno.
 */
int rxc_pool_open(struct rxc_pool *pool)
{
	u64 bytes = rxd_pool_size(pool->memory), blocks = bytes >> pool->block_shift;
	int err;

	pool->bytes = bytes;
	if (!blocks)
		return -ENOSPC;
	pool->index = rxc_index_new(min_t(u64, blocks, INDEX_AT_ONCE), pool->policy);
	if (IS_ERR(pool->index)) {
		err = PTR_ERR(pool->index);
		pool->index = NULL;
		return err;
	}
	pool->blocks = rxc_index_room(blocks);
	err = rxc_give_begin(pool);
	if (err) {
		rxc_index_free(pool->index);
		pool->index = NULL;
	}
	return err;
}

/*
 * Sets the floor as a user wants it. Caches that are still starting asked for theirs
 * before that.
 */
void rxc_pool_set_floor(struct rxc_pool *pool, u64 bytes)
{
	unsigned int key;

	lockdep_assert_held(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++)
		if (pool->cache[key])
			pool->cache[key]->floor_given = false;
	pool->floor_given = true;
	WRITE_ONCE(pool->floor, bytes >> pool->block_shift);
}

/*
 * Frees the index. The last cache has left, and each cache dropped its blocks when it left.
 * Netlink requests do not use the index of a draining or failed cache. After rxc_give_end()
 * no other context can reach the index. Context: process, may sleep.
 */
void rxc_pool_close(struct rxc_pool *pool)
{
	if (!pool->index)
		return;
	rxc_give_end(pool);
	rxc_pack_free(pool->pack);
	pool->pack = NULL;
	rxc_index_free(pool->index);
	pool->index = NULL;
}
