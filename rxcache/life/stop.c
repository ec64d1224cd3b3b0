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
#include "cache.h"
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
#include "memory/pool.h"

static void dead_work(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, dead_work);
	bool dead;

	mutex_lock(&rxc_mutex);
	if (cache->state == RXCACHE_STATE_ACTIVE) {
		cache->state = RXCACHE_STATE_DEAD;
		rxc_bounds_apply(cache->pool);
		pr_warn("rxcache: %s: origin %s is gone\n", cache->name,
			cache->origin_name);
		rxc_notify_change(cache, RXCACHE_CAUSE_DEAD);
	}
	dead = cache->state == RXCACHE_STATE_DEAD;
	mutex_unlock(&rxc_mutex);
	/* Nobody can read them. rxc_cache_end() waits for this before the cache leaves its pool. */
	if (dead)
		rxc_pool_drop_all(cache);
}

/*
 * Begins to unmap; without @commit it only looks. Returns 0, or an errno with a static text in
 * *@why: -EBUSY if the cache is open or starting, -EALREADY if it is being unmapped.
 */
int rxc_cache_stop(struct rxc_cache *cache, bool commit, const char **why)
{
	struct gendisk *disk = cache->disk;
	int err = 0;

	lockdep_assert_held(&rxc_mutex);
	/* A failed cache leaves the list by itself, and may have no disk. */
	if (cache->state == RXCACHE_STATE_DRAINING ||
	    cache->state == RXCACHE_STATE_FAILED) {
		*why = "is being unmapped already";
		return -EALREADY;
	}
	if (cache->state == RXCACHE_STATE_STARTING) {
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
		cache->closing = commit;
	}
	mutex_unlock(&disk->open_mutex);
	if (err || !commit)
		return err;
	cache->state = RXCACHE_STATE_DRAINING;
	rxc_bounds_apply(cache->pool);
	queue_work(rxc_life_wq, &cache->stop_work);
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
 * these holds cache->users. Each of them, the watch's timer, and the callback when the origin
 * is removed, may queue dead_work; rxc_watch_stop() ends the timer, and rx_claim_close()
 * the callback. After rxc_pool_leave() no other context evicts its blocks.
 */
void rxc_cache_end(struct rxc_cache *cache)
{
	/* Comes first: a verification that found a difference drops all blocks at its end. */
	rxc_backlog_cancel(cache);
	rxc_verify_cancel(cache);
	if (cache->added) {
		rxd_pool_unlink(cache->pool->memory, cache->disk);
		bd_unlink_disk_holder(cache->origin.bdev, cache->disk);
		del_gendisk(cache->disk);
		percpu_ref_kill(&cache->users);
		wait_for_completion(&cache->drained);
	}
	rxc_holders_end(cache);
	rxc_watch_stop(cache);
	if (cache->origin.bdev) {
		sync_blockdev(cache->origin.bdev);
		invalidate_bdev(cache->origin.bdev);
		if (cache->added)
			origin_uevent(cache->origin.bdev);
		rx_claim_close(&cache->origin);
		cache->origin.bdev = NULL;
		/* A worker's files are closed late, but the origin must be closed at the event. */
		flush_delayed_fput();
	}
	rxc_watch_end(cache);
	cancel_work_sync(&cache->dead_work);
	rxc_pool_leave(cache);
}

/*
 * Drops our reference to the gendisk and waits until the last one is dropped, because
 * the gendisk refers to our methods.
 */
static void disk_free(struct rxc_cache *cache)
{
	bool added = test_bit(GD_ADDED, &cache->disk->state);

	put_disk(cache->disk);
	if (added)
		wait_for_completion(&cache->released);
}

/*
 * Frees a cache that has no ios and parts and is not on the list, so no request finds
 * it. If a work of the cache calls this, rxc_exit() waits until that work has returned.
 * Context: process, may sleep.
 */
void rxc_cache_free(struct rxc_cache *cache)
{
	if (cache->disk)
		disk_free(cache);
	/* All works have dropped cache->users, but the last ones may not have returned. */
	if (cache->retry_wq)
		destroy_workqueue(cache->retry_wq);
	if (cache->holders_wq)
		destroy_workqueue(cache->holders_wq);
	rxc_sampler_free(cache);
	percpu_ref_exit(&cache->users);
	rxc_bounce_exit(cache);
	mempool_exit(&cache->ios);
	rxc_ahead_exit(cache);
	bioset_exit(&cache->retries);
	bioset_exit(&cache->parts);
	rxc_pool_put(cache->pool);
	free_percpu(cache->latency);
	free_percpu(cache->stats);
	kvfree(cache);
}

/*
 * The last step: takes the cache off the list, sends the event and frees the cache.
 * Requests find a cache only on the list, under rxc_mutex. The module's reference is
 * dropped first, so that a listener can unload the module when the event arrives;
 * rxc_exit() waits for this function. Context: a work on rxc_life_wq, no lock.
 */
void rxc_cache_gone(struct rxc_cache *cache)
{
	module_put(THIS_MODULE);
	mutex_lock(&rxc_mutex);
	list_del(&cache->node);
	rxc_generation++;
	rxc_notify(cache, RXCACHE_CMD_CACHE_DEL_NTF);
	mutex_unlock(&rxc_mutex);
	rxc_cache_free(cache);
}

static void stop_work(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, stop_work);

	rxc_cache_end(cache);
	rxc_cache_gone(cache);
}

/* Prepares a zeroed cache, which rxc_cache_free() can free then. Takes no lock. */
void rxc_cache_init(struct rxc_cache *cache)
{
	INIT_LIST_HEAD(&cache->node);
	INIT_LIST_HEAD(&cache->frozen_holders);
	INIT_WORK(&cache->stop_work, stop_work);
	INIT_WORK(&cache->dead_work, dead_work);
	init_completion(&cache->drained);
	init_completion(&cache->released);
	rxc_verify_init(cache);
	rxc_backlog_init(cache);
	rxc_ahead_init(cache);
	rxc_watch_init(cache);
	cache->stats_since = ktime_get_ns();
	cache->state = RXCACHE_STATE_STARTING;
	cache->mode = RXCACHE_MODE_WRITE_THROUGH;
	cache->write_allocate = true;
	cache->block_shift = ilog2(RXC_BLOCK_MIN);
	cache->origin_least = cache->origin_stale = U64_MAX;
	cache->bounds.max.percent = 100;
}
