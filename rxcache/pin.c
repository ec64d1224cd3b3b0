// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned parts of the origin: whole blocks, which stay cached once they are. Pinning
 * reads nothing: the reads that bring the blocks in are the user's.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include "block.h"
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
	*why = err == -ENOSPC ? "no more than half of a cache can be pinned" :
	       err == -EOVERFLOW ? "too many pinned ranges" : "no memory for the pins";
	return err;
}

/*
 * Has a change of the ranges take effect for the blocks that are cached, at a cost of
 * min(range, cache), and sends an event soon (watch.c).
 */
static void pins_changed(struct rxc_map *map, u64 first, u64 last)
{
	struct rxc_index *index = map->pool.index;
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

/*
 * Pins the blocks that a range of bytes touches. Context: process, may sleep, rxc_mutex.
 * 0 or an errno, and in *@why its text.
 */
int rxc_pin(struct rxc_map *map, u64 offset, u64 length, const char **why)
{
	u64 first = offset >> map->block_shift;
	u64 last = (offset + length - 1) >> map->block_shift;
	int err = range_check(map, offset, length, why);

	lockdep_assert_held(&rxc_mutex);
	if (err)
		return err;
	err = rxc_index_pin(map->pool.index, rxc_map_key(map, first),
			    rxc_map_key(map, last));
	if (err)
		return pins_refuse(err, why);
	pins_changed(map, first, last);
	return 0;
}

/* The opposite, for what of the range is pinned. Context: as rxc_pin(). */
int rxc_unpin(struct rxc_map *map, u64 offset, u64 length, const char **why)
{
	u64 first = offset >> map->block_shift;
	u64 last = (offset + length - 1) >> map->block_shift;
	int err = range_check(map, offset, length, why);

	lockdep_assert_held(&rxc_mutex);
	if (err)
		return err;
	err = rxc_index_unpin(map->pool.index, rxc_map_key(map, first),
			      rxc_map_key(map, last));
	if (err)
		return pins_refuse(err, why);
	pins_changed(map, first, last);
	return 0;
}
