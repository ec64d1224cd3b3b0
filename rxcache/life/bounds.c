// SPDX-License-Identifier: GPL-2.0-only
/*
 * The least and the most that a cache has of a pool which it shares. The index keeps to
 * these bounds whenever a block has to make room (table.c). Memory pressure does not look
 * at them: what it leaves is the floor, of all caches together.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include "blocks/index.h"
#include "cache.h"
#include "life/bounds.h"
#include "memory/give.h"
#include "memory/pool.h"

/* A bound of a pool that has @whole bytes or blocks. */
static u64 bound_of(const struct rxc_bound *bound, unsigned int shift, u64 whole)
{
	return bound->percent ? mul_u64_u32_div(whole, bound->percent, 100) :
				bound->bytes >> shift;
}

/* How large the pool is for sure: while it shrinks, as large as it will be. */
static u64 sure_bytes(const struct rxc_pool *pool)
{
	const struct rxc_resize *resize = &pool->resize;

	lockdep_assert_held(&rxc_mutex);
	return resize->running ? min(pool->bytes, resize->bytes) : pool->bytes;
}

/* Whether the shares of a cache hold. Blocks of an origin that is gone are of no use. */
static bool is_guarded(const struct rxc_cache *cache)
{
	return cache->state == RXCACHE_STATE_STARTING || cache->state == RXCACHE_STATE_ACTIVE;
}

/* Takes the min of a cache from what is *@left of a pool of @bytes bytes, if that is as much. */
static bool min_fits(const struct rxc_cache *cache, const struct rxc_bounds *bounds,
		     u64 bytes, u64 *left)
{
	u64 least = is_guarded(cache) ? bound_of(&bounds->min, 0, bytes) : 0;

	if (least > *left)
		return false;
	*left -= least;
	return true;
}

/*
 * By bytes, because a user knows these. The index has up to RXC_WAYS_MAX blocks less
 * (rxc_index_divide()), so it may be guarded whole where this just fits.
 */
bool rxc_bounds_fit(const struct rxc_pool *pool, u64 bytes, const struct rxc_cache *cache,
		    const struct rxc_bounds *to)
{
	const struct rxc_cache *other;
	u64 left = bytes;
	unsigned int key;

	lockdep_assert_held(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++) {
		other = pool->cache[key];
		if (other && other != cache && !min_fits(other, &other->bounds, bytes, &left))
			return false;
	}
	return min_fits(cache, to, bytes, &left);
}

static u64 min_of(const struct rxc_cache *cache, u64 blocks)
{
	return min(bound_of(&cache->bounds.min, cache->block_shift, blocks), blocks);
}

/*
 * Of a pool that has shrunk, a max in per cent may be less than a block. If it is less than
 * a min in bytes, it counts all the same.
 */
static u64 max_of(const struct rxc_cache *cache, u64 blocks)
{
	return clamp(bound_of(&cache->bounds.max, cache->block_shift, blocks), 1ULL, blocks);
}

/* What a cache may really have. Blocks that come late, of requests in flight, make no room. */
static u64 most_of(const struct rxc_cache *cache, u64 blocks)
{
	return is_guarded(cache) ? max_of(cache, blocks) : 0;
}

u64 rxc_bounds_min(const struct rxc_cache *cache)
{
	return min_of(cache, cache->pool->blocks);
}

u64 rxc_bounds_max(const struct rxc_cache *cache)
{
	return max_of(cache, cache->pool->blocks);
}

void rxc_bounds_apply(struct rxc_pool *pool)
{
	u64 least, most, blocks = rxc_index_room(sure_bytes(pool) >> pool->block_shift);
	const struct rxc_cache *cache;
	unsigned int key;

	for (key = 0; key < RXC_SHARERS; key++) {
		cache = pool->cache[key];
		least = cache && is_guarded(cache) ? min_of(cache, blocks) : 0;
		most = cache ? most_of(cache, blocks) : blocks;
		/* A cache that may have all needs no look at what it has. */
		rxc_index_bound(pool->index, key, least, most < pool->blocks ? most : U64_MAX);
	}
}

const char *rxc_bounds_wrong(const struct rxc_bounds *bounds, unsigned int block_shift,
			     u64 bytes)
{
	u64 least = bound_of(&bounds->min, 0, bytes), most = bound_of(&bounds->max, 0, bytes);

	if (least > bytes)
		return "the min share is larger than the disk";
	if (!(most >> block_shift))
		return "the max share is less than a cache block";
	return most < least ? "the max share is smaller than the min share" : NULL;
}

int rxc_bounds_check(const struct rxc_pool *pool, const struct rxc_cache *cache,
		     const struct rxc_bounds *to, const char **why)
{
	u64 bytes = sure_bytes(pool);

	*why = rxc_bounds_wrong(to, pool->block_shift, bytes);
	if (!*why && !rxc_bounds_fit(pool, bytes, cache, to))
		*why = "the min shares of the caches on the disk would be over 100 % of it";
	return *why ? -EINVAL : 0;
}

void rxc_bounds_set(struct rxc_cache *cache, const struct rxc_bounds *to)
{
	cache->bounds = *to;
	rxc_bounds_apply(cache->pool);
}

/*
 * Evicts what a cache has beyond its max, a block of each set and then one more. Requests
 * of the cache that add blocks evict as many themselves, so this need not go on until they
 * end: it ends after as many blocks as there are, or when it finds none.
 */
static void cut_cache(struct rxc_pool *pool, unsigned int key)
{
	u64 sets = rxc_index_sets(pool->index), left = sets * RXC_WAYS_MAX, idle = 0;
	/* Two rounds, because others move on in the index, too. */
	u64 give_up = 2 * sets / RXC_CUT_SETS + 1;

	while (left && idle < give_up && !READ_ONCE(pool->ending) &&
	       rxc_index_over(pool->index, key)) {
		if (rxc_pool_cut(pool, key, 1))
			idle = 0;
		else
			idle++;
		left--;
		cond_resched();
	}
}

/*
 * Holds no lock and needs no cache: a number without a cache has no bounds. The pool can't
 * be freed meanwhile, for its last cache calls rxc_bounds_end() first.
 */
static void cut_work(struct work_struct *work)
{
	struct rxc_pool *pool = container_of(work, struct rxc_pool, cut);
	unsigned int key;

	for (key = 0; key < RXC_SHARERS; key++)
		cut_cache(pool, key);
	while (rxc_give_crowded(pool, RXC_ANYBODY, RXC_BATCH) && !READ_ONCE(pool->ending))
		cond_resched();
}

void rxc_bounds_init(struct rxc_pool *pool)
{
	INIT_WORK(&pool->cut, cut_work);
}

void rxc_bounds_cut(struct rxc_pool *pool)
{
	lockdep_assert_held(&rxc_mutex);
	queue_work(rxc_life_wq, &pool->cut);
}

void rxc_bounds_end(struct rxc_pool *pool)
{
	cancel_work_sync(&pool->cut);
}
