// SPDX-License-Identifier: GPL-2.0-only
/*
 * The size of an origin that changes: a logical volume, an image, a LUN.
 *
 * The kernel tells a device's holder of its loss, not of its size. So the size is
 * compared when somebody asks for that (cache-set), as udev's rule does when the origin
 * reports a change, and every other second while the cache is in use (watch.c).
 *
 * The cache device does not shrink with its origin. But what is cached behind the
 * origin's end is dropped, because there is other content when the origin grows again. An
 * origin that shrinks and grows between two looks can't be told from one that does not.
 */
#include <linux/blkdev.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "busy.h"
#include "follow.h"
#include "map.h"
#include "message.h"
#include "pool.h"

/*
 * Sets the size to @bytes and drops the blocks from byte @from on. They are dropped under
 * a range in flight, as by a write: a fill or a write of them that began before is not
 * kept.
 */
static void set_bytes(struct rxc_map *map, u64 bytes, u64 from)
{
	struct rxc_busy tail = {
		.first = from >> map->block_shift,
		.last = (map->bytes - 1) >> map->block_shift,
	};

	rxc_busy_enter_write(&map->busy, &tail);
	WRITE_ONCE(map->bytes, bytes);
	rxc_pool_drop_range(map, tail.first, tail.last);
	rxc_busy_leave(&map->busy, &tail);
}

/* The fills and writes behind the end fail, so nothing comes back there. */
static void origin_shrank(struct rxc_map *map, u64 bytes)
{
	set_bytes(map, map->bytes, bytes);
	pr_warn("rxcache: %s: origin %s is smaller than the cache device\n", map->name,
		map->origin_name);
}

/*
 * The last block may be short, and has more bytes now. A fill that was made before and
 * enters later is lengthened when it enters (miss.c).
 */
static void origin_grew(struct rxc_map *map, u64 bytes)
{
	set_bytes(map, bytes, map->bytes - 1);
	/* Whoever sees the new capacity finds the new size. */
	set_capacity_and_notify(map->disk, bytes >> SECTOR_SHIFT);
	pr_info("rxcache: %s: origin %s has grown\n", map->name, map->origin_name);
	rxc_notify_change(map, RXCACHE_CAUSE_GROWN);
}

/*
 * Compares the size of the origin with that of the cache device. If the origin has
 * grown, the device grows and an event is sent. If the origin is smaller, the blocks
 * behind its end are dropped.
 */
void rxc_follow(struct rxc_map *map)
{
	u64 bytes;

	lockdep_assert_held(&rxc_mutex);
	/* What is gone has no size. */
	if (map->state != RXCACHE_STATE_ACTIVE || READ_ONCE(map->dead))
		return;
	bytes = (u64)bdev_nr_sectors(map->origin.bdev) << SECTOR_SHIFT;
	if (bytes == map->origin_bytes)
		return;
	map->origin_bytes = bytes;
	if (bytes < map->bytes)
		origin_shrank(map, bytes);
	else if (bytes > map->bytes)
		origin_grew(map, bytes);
}
