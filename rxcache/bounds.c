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
#include "bounds.h"
#include "index.h"
#include "map.h"
#include "pool.h"

static u64 bound_blocks(const struct rxc_bound *bound, const struct rxc_pool *pool,
			u64 blocks)
{
	if (bound->percent)
		return div_u64(blocks * bound->percent, 100);
	return bound->bytes >> pool->block_shift;
}

/* How many blocks the pool has for sure: while it shrinks, as many as it will have. */
static u64 sure_blocks(const struct rxc_pool *pool)
{
	const struct rxc_resize *resize = &pool->resize;

	lockdep_assert_held(&rxc_mutex);
	if (!resize->running)
		return pool->blocks;
	return min(pool->blocks, rxc_index_room(resize->bytes >> pool->block_shift));
}

bool rxc_bounds_fit(const struct rxc_pool *pool, u64 blocks)
{
	const struct rxc_map *map;
	u64 left = blocks, least;
	unsigned int key;

	lockdep_assert_held(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++) {
		map = pool->map[key];
		least = map ? bound_blocks(&map->bounds.min, pool, blocks) : 0;
		if (least > left)
			return false;
		left -= least;
	}
	return true;
}

u64 rxc_bounds_min(const struct rxc_map *map)
{
	return min(bound_blocks(&map->bounds.min, map->pool, map->pool->blocks),
		   map->pool->blocks);
}

u64 rxc_bounds_max(const struct rxc_map *map)
{
	return min(bound_blocks(&map->bounds.max, map->pool, map->pool->blocks),
		   map->pool->blocks);
}

void rxc_bounds_apply(struct rxc_pool *pool)
{
	u64 least, most, blocks = sure_blocks(pool);
	const struct rxc_map *map;
	unsigned int key;

	for (key = 0; key < RXC_SHARERS; key++) {
		map = pool->map[key];
		least = map ? bound_blocks(&map->bounds.min, pool, blocks) : 0;
		most = map ? bound_blocks(&map->bounds.max, pool, blocks) : blocks;
		/* A cache that may have all needs no look at what it has. */
		rxc_index_bound(pool->index, key, least, most < blocks ? most : U64_MAX);
	}
}

int rxc_bounds_set(struct rxc_map *map, const struct rxc_bounds *to, const char **why)
{
	const struct rxc_bounds was = map->bounds;
	struct rxc_pool *pool = map->pool;
	u64 blocks = sure_blocks(pool);
	u64 most = bound_blocks(&to->max, pool, blocks);

	*why = NULL;
	map->bounds = *to;
	if (!most)
		*why = "the max share is less than a cache block";
	else if (most < bound_blocks(&to->min, pool, blocks))
		*why = "the max share is smaller than the min share";
	else if (!rxc_bounds_fit(pool, blocks))
		*why = "the min shares of the caches on the disk would be over 100 % of it";
	if (*why) {
		map->bounds = was;
		return -EINVAL;
	}
	rxc_bounds_apply(pool);
	return 0;
}

void rxc_bounds_undo(struct rxc_map *map, const struct rxc_bounds *was)
{
	map->bounds = *was;
	rxc_bounds_apply(map->pool);
}

void rxc_bounds_cut(struct rxc_map *map)
{
	u64 tries = rxc_index_sets(map->index);

	lockdep_assert_held(&rxc_mutex);
	/* All that is left may be pinned: this ends after a round without a block. */
	while (tries && rxc_index_over(map->index, map->key)) {
		if (rxc_pool_cut(map, RXC_BATCH))
			tries = rxc_index_sets(map->index);
		else
			tries--;
		cond_resched();
	}
}
