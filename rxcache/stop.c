// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a cache.
 *
 *	starting -> active -> draining -> gone
 *	starting -> failed (gone)
 *	active -> dead -> draining
 *
 * A cache is on the list from the request to map it until its last event is
 * sent. start_work (start.c) or stop_work runs at most once each and never at
 * the same time: a cache that is starting can't be stopped. Whichever ends
 * the cache frees it.
 */
#include <linux/file.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "bounce.h"
#include "compat.h"
#include "map.h"
#include "message.h"
#include "pool.h"
#include "recent.h"
#include "resize.h"
#include "sampler.h"
#include "stop.h"
#include "verify.h"
#include "watch.h"

static void map_dead_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(work, struct rxc_map, dead_work);

	mutex_lock(&rxc_mutex);
	if (map->state == RXCACHE_STATE_ACTIVE) {
		map->state = RXCACHE_STATE_DEAD;
		pr_warn("rxcache: %s: origin %s is gone\n", map->name,
			map->origin_name);
		rxc_notify_change(map, RXCACHE_CAUSE_DEAD);
	}
	mutex_unlock(&rxc_mutex);
}

/*
 * Begins to unmap. Returns 0, or with a static text in *@why -EBUSY while the cache is
 * open or starting, or -EALREADY.
 */
int rxc_map_stop(struct rxc_map *map, const char **why)
{
	struct gendisk *disk = map->disk;
	int err = 0;

	lockdep_assert_held(&rxc_mutex);
	/* A failed one is on its way off the list, and may have no disk. */
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
	 * A task that opens the device holds the mutex, and may be reading the
	 * partition table, which takes as long as the origin does.
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
	queue_work(rxc_life_wq, &map->stop_work);
	return 0;
}

/*
 * Undoes what start did, as far as it got: takes the device away, waits for
 * the last I/O, closes the origin and empties the cache.
 *
 * After del_gendisk() no submit call runs and none will begin. What can still
 * reach the cache then is an io or part in flight, a completion on
 * rxc_end_wq or a retry on retry_wq: each holds map->users. dead_work is
 * queued by those and by the origin's removal, which rx_claim_close() ends.
 */
void rxc_map_end(struct rxc_map *map)
{
	rxc_verify_cancel(map);
	rxc_resize_cancel(map);
	if (map->added) {
		rxd_pool_unlink(map->pool.memory, map->disk);
		bd_unlink_disk_holder(map->origin.bdev, map->disk);
		del_gendisk(map->disk);
		percpu_ref_kill(&map->users);
		wait_for_completion(&map->drained);
	}
	if (map->origin.bdev) {
		sync_blockdev(map->origin.bdev);
		invalidate_bdev(map->origin.bdev);
		rx_claim_close(&map->origin);
		map->origin.bdev = NULL;
		/* The origin has to be closed for good before the event says so. */
		flush_delayed_fput();
	}
	cancel_work_sync(&map->dead_work);
	rxc_pool_close(map);
	rxc_recent_end(map);
	if (map->pool.memory) {
		rxd_pool_release(map->pool.memory);
		map->pool.memory = NULL;
	}
}

/*
 * Frees the gendisk, and waits until nobody has a reference to it any more, because it
 * refers to our methods.
 */
static void disk_free(struct rxc_map *map)
{
	bool added = test_bit(GD_ADDED, &map->disk->state);

	put_disk(map->disk);
	if (added)
		wait_for_completion(&map->released);
}

/*
 * The cache is off the list and no worker of it runs but the caller, whom the
 * module's exit waits for. Context: process, may sleep.
 */
void rxc_map_free(struct rxc_map *map)
{
	if (map->disk)
		disk_free(map);
	/* Empty: each work held map->users, but may not have returned yet. */
	if (map->retry_wq)
		destroy_workqueue(map->retry_wq);
	rxc_sampler_free(map);
	percpu_ref_exit(&map->users);
	rxc_bounce_exit(map);
	mempool_exit(&map->ios);
	bioset_exit(&map->retries);
	bioset_exit(&map->parts);
	free_percpu(map->latency);
	free_percpu(map->stats);
	kvfree(map);
}

/*
 * The last act: off the list, the event, and free. Others find the cache
 * only on the list, under rxc_mutex. The module's reference goes first, so that
 * a listener can unload the module after the event; rxc_exit() waits for the rest.
 * Context: a work on rxc_life_wq, no lock.
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

/* Makes a zeroed cache safe to free. Takes no lock, fails at nothing. */
void rxc_map_init(struct rxc_map *map)
{
	INIT_LIST_HEAD(&map->node);
	INIT_WORK(&map->stop_work, map_stop_work);
	INIT_WORK(&map->dead_work, map_dead_work);
	init_completion(&map->drained);
	init_completion(&map->released);
	rxc_verify_init(map);
	rxc_resize_init(map);
	rxc_recent_init(map, rxc_watch);
	map->stats_since = ktime_get_ns();
	map->state = RXCACHE_STATE_STARTING;
	map->mode = RXCACHE_MODE_WRITE_THROUGH;
	map->write_allocate = true;
	map->block_shift = ilog2(RXC_BLOCK_MIN);
}
