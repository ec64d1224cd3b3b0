// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned parts of the origin: whole blocks, which are not evicted once they are cached.
 * Pinning itself reads nothing, so a user has to read the blocks.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include "block.h"
#include "bounds.h"
#include "index.h"
#include "map.h"
#include "pin.h"
#include "pool.h"
#include "recent.h"

static int range_check(const struct rxc_map *map, u64 offset, u64 length,
		       const char **why)
{
	if (length && offset < map->bytes && length <= map->bytes - offset)
		return 0;
	*why = "range is empty or goes beyond the end of the origin";
	return -EINVAL;
}

static int pins_refuse(int err, const char **why)
{
	*why = err == -ENOSPC ? "no more than half of the disk can be pinned" :
	       err == -EOVERFLOW ? "too many pinned ranges" : "no memory for the pins";
	return err;
}

/*
 * Applies a change of the ranges to the cached blocks, and makes watch.c send an event
 * soon. The cost is that of the smaller of the range and the cache.
 */
static void pins_changed(struct rxc_map *map, u64 first, u64 last)
{
	struct rxc_index *index = map->index;
	u64 block, cursor = 0;

	map->recent.pins_changed = true;
	rxc_recent_wake(map);
	if (last - first < rxc_index_sets(index)) {
		for (block = first; block <= last; block++) {
			rxc_index_settle(index, rxc_map_key(map, block));
			if (!((block - first) % 1024))
				cond_resched();
		}
		return;
	}
	while (cursor < RXC_WALK_END) {
		rxc_index_settle_all(index, rxc_map_key(map, first),
				     rxc_map_key(map, last), &cursor);
		cond_resched();
	}
}

/* Pins or unpins, with @change, the blocks that a range of bytes touches. */
static int pins_change(struct rxc_map *map, u64 offset, u64 length, const char **why,
		       int (*change)(struct rxc_index *index, u64 first, u64 last))
{
	u64 first = offset >> map->block_shift;
	u64 last = (offset + length - 1) >> map->block_shift;
	int err = range_check(map, offset, length, why);

	lockdep_assert_held(&rxc_mutex);
	if (err)
		return err;
	err = change(map->index, rxc_map_key(map, first), rxc_map_key(map, last));
	if (err)
		return pins_refuse(err, why);
	pins_changed(map, first, last);
	return 0;
}

/*
 * Pins the blocks that a range of bytes touches. Returns 0, or an errno and its text in
 * *@why. Context: process, may sleep, rxc_mutex.
 */
int rxc_pin(struct rxc_map *map, u64 offset, u64 length, const char **why)
{
	return pins_change(map, offset, length, why, rxc_index_pin);
}

/* Unpins those blocks of the range that are pinned. Context: as rxc_pin(). */
int rxc_unpin(struct rxc_map *map, u64 offset, u64 length, const char **why)
{
	int err = pins_change(map, offset, length, why, rxc_index_unpin);

	/* The max share may have been below what was pinned. */
	if (!err)
		rxc_bounds_cut(map->pool);
	return err;
}
