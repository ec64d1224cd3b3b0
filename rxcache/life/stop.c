// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a cache.
 *
 *	starting -> active -> draining -> gone
 *	starting -> failed (gone)
 *	active -> dead -> draining
 *
 * A cache is on the list from the request to map it until its last event is
 * sent. start_work (start.c) and stop_work run at most once each and never at the
 * same time, because a cache that is starting can't be stopped. The work that ends the
 * cache frees it.
 */
#include <linux/file.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "compat.h"
#include "figures/sampler.h"
#include "io/ahead.h"
#include "io/bounce.h"
#include "life/backlog.h"
#include "life/bounds.h"
#include "life/holders.h"
#include "life/join.h"
#include "life/message.h"
#include "life/stop.h"
#include "life/verify.h"
#include "life/watch.h"
#include "map.h"
#include "memory/pool.h"

static void map_dead_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(work, struct rxc_map, dead_work);
	bool dead;

	mutex_lock(&rxc_mutex);
	if (map->state == RXCACHE_STATE_ACTIVE) {
		map->state = RXCACHE_STATE_DEAD;
		rxc_bounds_apply(map->pool);
		pr_warn("rxcache: %s: origin %s is gone\n", map->name,
			map->origin_name);
		rxc_notify_change(map, RXCACHE_CAUSE_DEAD);
	}
	dead = map->state == RXCACHE_STATE_DEAD;
	mutex_unlock(&rxc_mutex);
	/* Nobody can read them. rxc_map_end() waits for this before the cache leaves its pool. */
	if (dead)
		rxc_pool_drop_all(map);
}

/*
 * Begins to unmap. Returns 0, or an errno with a static text in *@why: -EBUSY if the
 * cache is open or starting, -EALREADY if it is being unmapped.
 */
int rxc_map_stop(struct rxc_map *map, const char **why)
{
	struct gendisk *disk = map->disk;
	int err = 0;

	lockdep_assert_held(&rxc_mutex);
	/* A failed cache leaves the list by itself, and may have no disk. */
	if (map->state == RXCACHE_STATE_DRAINING ||
	    map->state == RXCACHE_STATE_FAILED) {
		*why = "is being unmapped already";
		return -EALREADY;
	}
	if (map->state == RXCACHE_STATE_STARTING) {
		*why = "is still starting";
		return -EBUSY;
	}
	/*
	 * A task that opens the device holds the mutex, and may wait for the
	 * origin meanwhile, to read the partition table.
	 */
	if (!mutex_trylock(&disk->open_mutex)) {
		*why = "is being opened";
		return -EBUSY;
	}
	if (disk_openers(disk)) {
		*why = "in use";
		err = -EBUSY;
	} else {
		map->closing = true;
	}
	mutex_unlock(&disk->open_mutex);
	if (err)
		return err;
	map->state = RXCACHE_STATE_DRAINING;
	rxc_bounds_apply(map->pool);
	queue_work(rxc_life_wq, &map->stop_work);
	return 0;
}

/*
 * Tells udev that the origin's content may have changed: what was written through the
 * cache was no write to a node of the origin, which udev would have seen.
 */
static void origin_uevent(struct block_device *bdev)
{
	if (bdev_is_partition(bdev))
		kobject_uevent(bdev_kobj(bdev), KOBJ_CHANGE);
	else
		disk_uevent(bdev->bd_disk, KOBJ_CHANGE);
}

/*
 * Undoes a start, complete or not: removes the device, waits for the last I/O, closes
 * the origin and leaves the pool.
 *
 * After del_gendisk() no submit call runs and none will begin. Ios and parts in flight,
 * completions on rxc_end_wq and works on retry_wq may still use the cache, and each of
 * these holds map->users. Each of them, the watch's timer, and the callback when the origin
 * is removed, may queue dead_work; rxc_watch_stop() ends the timer, and rx_claim_close()
 * the callback. After rxc_pool_leave() no other context evicts its blocks.
 */
void rxc_map_end(struct rxc_map *map)
{
	rxc_verify_cancel(map);
	rxc_backlog_cancel(map);
	if (map->added) {
		rxd_pool_unlink(map->pool->memory, map->disk);
		bd_unlink_disk_holder(map->origin.bdev, map->disk);
		del_gendisk(map->disk);
		percpu_ref_kill(&map->users);
		wait_for_completion(&map->drained);
	}
	rxc_holders_end(map);
	rxc_watch_stop(map);
	if (map->origin.bdev) {
		sync_blockdev(map->origin.bdev);
		invalidate_bdev(map->origin.bdev);
		if (map->added)
			origin_uevent(map->origin.bdev);
		rx_claim_close(&map->origin);
		map->origin.bdev = NULL;
		/* A worker's files are closed late, but the origin must be closed at the event. */
		flush_delayed_fput();
	}
	rxc_watch_end(map);
	cancel_work_sync(&map->dead_work);
	rxc_pool_leave(map);
}

/*
 * Drops our reference to the gendisk and waits until the last one is dropped, because
 * the gendisk refers to our methods.
 */
static void disk_free(struct rxc_map *map)
{
	bool added = test_bit(GD_ADDED, &map->disk->state);

	put_disk(map->disk);
	if (added)
		wait_for_completion(&map->released);
}

/*
 * Frees a cache that has no ios and parts and is not on the list, so no request finds
 * it. If a work of the cache calls this, rxc_exit() waits until that work has returned.
 * Context: process, may sleep.
 */
void rxc_map_free(struct rxc_map *map)
{
	if (map->disk)
		disk_free(map);
	/* All works have dropped map->users, but the last ones may not have returned. */
	if (map->retry_wq)
		destroy_workqueue(map->retry_wq);
	if (map->holders_wq)
		destroy_workqueue(map->holders_wq);
	rxc_sampler_free(map);
	percpu_ref_exit(&map->users);
	rxc_bounce_exit(map);
	mempool_exit(&map->ios);
	rxc_ahead_exit(map);
	bioset_exit(&map->retries);
	bioset_exit(&map->parts);
	rxc_pool_put(map->pool);
	free_percpu(map->latency);
	free_percpu(map->stats);
	kvfree(map);
}

/*
 * The last step: takes the cache off the list, sends the event and frees the cache.
 * Requests find a cache only on the list, under rxc_mutex. The module's reference is
 * dropped first, so that a listener can unload the module when the event arrives;
 * rxc_exit() waits for this function. Context: a work on rxc_life_wq, no lock.
 */
void rxc_map_gone(struct rxc_map *map)
{
	module_put(THIS_MODULE);
	mutex_lock(&rxc_mutex);
	list_del(&map->node);
	rxc_generation++;
	rxc_notify(map, RXCACHE_CMD_CACHE_DEL_NTF);
	mutex_unlock(&rxc_mutex);
	rxc_map_free(map);
}

static void map_stop_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(work, struct rxc_map, stop_work);

	rxc_map_end(map);
	rxc_map_gone(map);
}

/* Prepares a zeroed cache, which rxc_map_free() can free then. Takes no lock. */
void rxc_map_init(struct rxc_map *map)
{
	INIT_LIST_HEAD(&map->node);
	INIT_LIST_HEAD(&map->frozen_holders);
	INIT_WORK(&map->stop_work, map_stop_work);
	INIT_WORK(&map->dead_work, map_dead_work);
	init_completion(&map->drained);
	init_completion(&map->released);
	rxc_verify_init(map);
	rxc_backlog_init(map);
	rxc_ahead_init(map);
	rxc_watch_init(map);
	map->stats_since = ktime_get_ns();
	map->state = RXCACHE_STATE_STARTING;
	map->mode = RXCACHE_MODE_WRITE_THROUGH;
	map->write_allocate = true;
	map->block_shift = ilog2(RXC_BLOCK_MIN);
	map->origin_least = map->origin_stale = U64_MAX;
	map->bounds.max.percent = 100;
}
