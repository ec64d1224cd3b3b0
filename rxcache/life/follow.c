// SPDX-License-Identifier: GPL-2.0-only
/*
 * The size of an origin that changes: a logical volume, an image, a LUN.
 *
 * The kernel tells the holder of a device that the device is lost, but not that its size
 * has changed. So the size is looked at with each request, every 2 seconds even if the
 * cache is idle (watch.c), and with each cache-set request, which udev's rule sends when
 * the origin reports a change.
 *
 * The cache device does not shrink with its origin. But blocks that are cached behind the
 * origin's end are dropped, because the origin may have other content there when it
 * grows again. A look may see an origin that has grown again before the work runs, so it
 * notes the smallest size. If an origin shrinks and grows between two looks, nothing shows
 * that.
 */
#include <linux/atomic.h>
#include <linux/blkdev.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/busy.h"
#include "cache.h"
#include "io/origin.h"
#include "life/backlog.h"
#include "life/follow.h"
#include "life/message.h"
#include "memory/pool.h"

/*
 * Sets the size to @bytes and drops the last block. It enters the ranges in flight as a
 * write, so that a fill or write that began before is not kept.
 */
static void set_bytes(struct rxc_cache *cache, u64 bytes)
{
	u64 block = (cache->bytes - 1) >> cache->block_shift;
	struct rxc_busy last = { .first = block, .last = block };

	rxc_busy_enter_write(&cache->busy, &last);
	WRITE_ONCE(cache->bytes, bytes);
	rxc_pool_drop_range(cache, block, block);
	rxc_busy_leave(&cache->busy, &last);
}

/* Later fills and writes behind the end fail, so no block is cached there again. */
static void origin_shrank(struct rxc_cache *cache, u64 bytes)
{
	WRITE_ONCE(cache->origin_sectors, RXC_UNSETTLED);
	rxc_backlog_drop_tail(cache, bytes >> cache->block_shift,
			      (cache->bytes - 1) >> cache->block_shift);
	pr_warn("rxcache: %s: origin %s is smaller than the cache device\n", cache->name,
		cache->origin_name);
}

/* The device stays as it is: nobody can tell the blocks behind its end from others. */
static void origin_outgrew(const struct rxc_cache *cache)
{
	pr_warn("rxcache: %s: origin %s has grown beyond 2^48 cache blocks\n", cache->name,
		cache->origin_name);
}

/*
 * The last block may have been short, and now has more bytes. A fill that was made before
 * and enters later is lengthened by rxc_fill_fit().
 */
static void origin_grew(struct rxc_cache *cache, u64 bytes)
{
	set_bytes(cache, bytes);
	/* Comes last, so that a request that the new capacity allows finds the new size. */
	set_capacity_and_notify(cache->disk, bytes >> SECTOR_SHIFT);
	pr_info("rxcache: %s: origin %s has grown\n", cache->name, cache->origin_name);
	rxc_notify_change(cache, RXCACHE_CAUSE_GROWN);
}

/*
 * Lets the device grow to the size that was last seen. While blocks behind a former end of
 * the origin wait to be dropped, it does not grow: nobody may be told of the larger origin
 * and find former content in it.
 */
static void follow_growth(struct rxc_cache *cache)
{
	u64 bytes = (u64)cache->origin_applied << SECTOR_SHIFT;

	lockdep_assert_held(&rxc_mutex);
	if (cache->state != RXCACHE_STATE_ACTIVE || READ_ONCE(cache->dead) ||
	    cache->backlog.tail || bytes <= cache->bytes)
		return;
	if (rxc_block_too_many(cache, bytes))
		origin_outgrew(cache);
	else
		origin_grew(cache, bytes);
}

/*
 * Lets requests be hits again without a look of their own, unless blocks wait to be dropped
 * or somebody has noted a size meanwhile. rxc_origin_note_size() notes it, then stores
 * RXC_UNSETTLED, and then queues the work that comes here. So either its note is seen here,
 * or its store comes last.
 */
static void size_settle(struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	if (cache->backlog.tail)
		return;
	WRITE_ONCE(cache->origin_sectors, cache->origin_applied);
	smp_mb();
	if (READ_ONCE(cache->origin_least) != U64_MAX)
		WRITE_ONCE(cache->origin_sectors, RXC_UNSETTLED);
}

/*
 * Takes the smallest size that was noted, or @least if that is smaller. Reads behind it are
 * no hits from now on, if it is smaller than the device.
 */
static sector_t least_take(struct rxc_cache *cache, sector_t now, sector_t least)
{
	sector_t noted = READ_ONCE(cache->origin_least);

	do {
		/* A note is larger than @now if the origin has shrunk again. */
		least = min(least, noted == U64_MAX ? noted : min(noted, now));
		if (least < cache->bytes >> SECTOR_SHIFT && least < cache->origin_stale)
			WRITE_ONCE(cache->origin_stale, least);
	} while (!try_cmpxchg(&cache->origin_least, &noted, U64_MAX));
	return least;
}

/*
 * Compares the size of the origin with that of the cache device. If the origin has
 * grown, the device grows and an event is sent. If the origin is or was smaller, the
 * blocks behind its end are dropped. The size is stored before the notes are taken, so
 * that a look which still compares with the former size is either taken here or queues
 * the work again. The backlog has this called once more when the blocks are dropped.
 */
void rxc_follow(struct rxc_cache *cache)
{
	sector_t now, least;

	lockdep_assert_held(&rxc_mutex);
	/* An origin that is gone has no size. */
	if (cache->state != RXCACHE_STATE_ACTIVE || READ_ONCE(cache->dead))
		return;
	now = bdev_nr_sectors(cache->origin.bdev);
	least = now == cache->origin_applied ? U64_MAX : now;
	WRITE_ONCE(cache->origin_applied, now);
	least = least_take(cache, now, least);
	if (least < cache->bytes >> SECTOR_SHIFT)
		origin_shrank(cache, (u64)least << SECTOR_SHIFT);
	if (least != U64_MAX || READ_ONCE(cache->origin_sectors) == RXC_UNSETTLED)
		follow_growth(cache);
	size_settle(cache);
}
