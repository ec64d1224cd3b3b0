// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool: its beginning and end, pages for blocks and their way back, and dropping
 * blocks. The cache only holds copies, so any block may go at any time.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <rx/pool.h>
#include "block.h"
#include "busy.h"
#include "compat.h"
#include "give.h"
#include "index.h"
#include "map.h"
#include "pool.h"
#include "stats.h"
#include "trace.h"

/*
 * Gets pages for up to @nr blocks, at most RXC_BATCH; returns how many. If the machine
 * is short of memory, not the pool of room, a cold block above the floor makes way for
 * a later caller: otherwise a cache that has met min_free would keep the same blocks
 * for ever, which is what a frozen one should do. Context: process.
 */
unsigned int rxc_pool_pages(struct rxc_map *map, struct page **pages,
			    unsigned int nr)
{
	struct rxc_pool *pool = &map->pool;
	unsigned int got = rxd_pool_alloc_bulk(pool->memory, pool->order, pages, nr);

	if (got == nr || READ_ONCE(map->frozen) ||
	    !rxc_give_above(pool) ||
	    !rxd_pool_has_room(pool->memory, pool->order))
		return got;
	if (rxc_give_block(map, RXC_EVICT_MIN_FREE))
		rxc_count(map, RXC_EVICT, 1);
	return got;
}

/* Counts a block that made room for one that was stored. Context: any. */
void rxc_pool_note_evicted(struct rxc_map *map, const struct rxc_taken *old)
{
	rxc_count(map, RXC_EVICT, 1);
	trace_rxcache_evict(map, rxc_key_block(old->key), 1, RXC_EVICT_ROOM);
}

/*
 * Gives back the pages of the vecs of @bio from the @from-th on. They were not stored,
 * so only the device has seen these pages, and it is done with them. Context: any.
 */
void rxc_pool_free_vecs(struct rxc_pool *pool, const struct bio *bio,
			unsigned int from)
{
	for (; from < bio->bi_vcnt; from++)
		rxd_pool_free(pool->memory, bio->bi_io_vec[from].bv_page,
			      pool->order);
}

/* Takes a block out of the cache, uncounted. Returns whether it was there. */
static bool pool_take(struct rxc_map *map, u64 block)
{
	struct rxc_pool *pool = &map->pool;
	struct page *page = rxc_index_remove(pool->index, rxc_map_key(map, block));

	if (!page)
		return false;
	trace_rxcache_invalidate(map, block, 1);
	rxd_pool_free(pool->memory, page, pool->order);
	return true;
}

/* Drops a block from the cache. Returns whether it was there. Context: any. */
bool rxc_pool_drop(struct rxc_map *map, u64 block)
{
	bool there = pool_take(map, block);

	if (there)
		rxc_count(map, RXC_INVALIDATE, 1);
	return there;
}

/* Reports an error of the memory of a cached block, and drops it. Context: any. */
void rxc_pool_drop_bad(struct rxc_map *map, u64 block)
{
	pr_err_ratelimited("rxcache: %s: memory error in cached block %llu, which is dropped\n",
			   map->name, block);
	rxc_pool_drop(map, block);
}

/*
 * Drops blocks from the cache, at a cost of min(range, cache). Context:
 * process, may sleep.
 */
void rxc_pool_drop_range(struct rxc_map *map, u64 first, u64 last)
{
	struct rxc_pool *pool = &map->pool;
	u64 block, steps = 0, cursor = 0, dropped = 0;
	struct page *page;

	/* The range is in flight by now: blocks that are not cached can't come. */
	if (!rxc_index_may_hold(pool->index, rxc_map_key(map, first),
				rxc_map_key(map, last)))
		return;
	/* Looking one block up costs about as much as looking through one set. */
	if (last - first < rxc_index_sets(pool->index)) {
		for (block = first; block <= last; block++) {
			dropped += pool_take(map, block);
			if (!(++steps % 1024))
				cond_resched();
		}
	} else {
		while (cursor < RXC_WALK_END) {
			page = rxc_index_remove_next(pool->index,
						     rxc_map_key(map, first),
						     rxc_map_key(map, last),
						     &cursor);
			if (page) {
				rxd_pool_free(pool->memory, page, pool->order);
				dropped++;
			}
			cond_resched();
		}
		trace_rxcache_invalidate(map, first, last - first + 1);
	}
	if (dropped)
		rxc_count(map, RXC_INVALIDATE, dropped);
}

/*
 * Empties the cache. Ranges in flight count as raced, so that no fill brings back
 * former contents of the origin. Context: process, may sleep.
 */
void rxc_pool_drop_all(struct rxc_map *map)
{
	struct rxc_busy all = {
		.last = (READ_ONCE(map->bytes) - 1) >> map->block_shift,
	};

	rxc_busy_enter_write(&map->busy, &all);
	rxc_pool_drop_range(map, all.first, all.last);
	rxc_busy_leave(&map->busy, &all);
}

/*
 * Makes the index, and has memory pressure ask the pool; pool.memory and pool.order are
 * set. Context: process, may sleep. 0 or an errno.
 */
int rxc_pool_open(struct rxc_map *map, u64 floor_bytes)
{
	struct rxc_pool *pool = &map->pool;
	u64 blocks = rxd_pool_size(pool->memory) >> map->block_shift;
	int err;

	if (!blocks)
		return -ENOSPC;
	pool->floor = floor_bytes >> map->block_shift;
	pool->index = rxc_index_new(blocks, map->policy);
	if (IS_ERR(pool->index)) {
		err = PTR_ERR(pool->index);
		pool->index = NULL;
		return err;
	}
	pool->blocks = rxc_index_blocks(pool->index);
	err = rxc_give_begin(map);
	if (err) {
		rxc_index_free(pool->index);
		pool->index = NULL;
	}
	return err;
}

/*
 * No I/O runs any more: the block device is gone or was never there, and the
 * last io and part have dropped their references. When memory pressure no longer asks,
 * nobody else can reach the index, so pages go back at once. Context: process.
 */
void rxc_pool_close(struct rxc_map *map)
{
	struct rxc_pool *pool = &map->pool;
	struct page *page;
	u64 cursor = 0;

	if (!pool->index)
		return;
	rxc_give_end(map);
	while (cursor < RXC_WALK_END) {
		page = rxc_index_remove_next(pool->index, 0, U64_MAX, &cursor);
		if (page)
			rxd_pool_free(pool->memory, page, pool->order);
		cond_resched();
	}
	rxc_index_free(pool->index);
	pool->index = NULL;
}
