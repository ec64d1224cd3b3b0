// SPDX-License-Identifier: GPL-2.0-only
/*
 * The start of a cache: opens and claims the origin, writes back and drops the origin's
 * page cache, then makes the device. A worker does this, because it waits for the origin.
 */
#include <linux/blk-integrity.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/busy.h"
#include "cache.h"
#include "compat.h"
#include "figures/latency.h"
#include "figures/stats.h"
#include "io/bio.h"
#include "io/bounce.h"
#include "io/io.h"
#include "io/origin.h"
#include "io/part.h"
#include "life/holders.h"
#include "life/join.h"
#include "life/message.h"
#include "life/resize.h"
#include "life/start.h"
#include "life/stop.h"
#include "life/watch.h"

static int start_fail(struct rxc_cache *cache, int err, const char *message)
{
	cache->error = -err;
	cache->message = message;
	return err;
}

/* Called with the origin's holder lock held, see rx_claim. */
static void origin_dead(struct rx_claim *claim)
{
	rxc_origin_note_dead(container_of(claim, struct rxc_cache, origin));
}

static int open_origin(struct rxc_cache *cache)
{
	int err;

	cache->origin.dead = origin_dead;
	cache->origin.up = &rxc_holders;
	err = rx_claim_open(&cache->origin, cache->origin_dev, cache->read_only);
	if ((err == -EROFS || err == -EACCES) && !cache->read_only) {
		cache->read_only = true;
		err = rx_claim_open(&cache->origin, cache->origin_dev, true);
	}
	if (err) {
		cache->origin.bdev = NULL;
		return start_fail(cache, err, err == -EBUSY ?
				  "origin is mounted or in use" :
				  "cannot open origin");
	}
	mutex_lock(&rxc_mutex);
	snprintf(cache->origin_name, sizeof(cache->origin_name), "%pg",
		 cache->origin.bdev);
	mutex_unlock(&rxc_mutex);
	return 0;
}

static int check_origin(struct rxc_cache *cache)
{
	struct block_device *bdev = cache->origin.bdev;

	if (bdev_is_zoned(bdev))
		return start_fail(cache, -EOPNOTSUPP, "origin is a zoned device");
	if (bdev_get_integrity(bdev))
		return start_fail(cache, -EOPNOTSUPP,
				  "origin has integrity metadata (T10 PI), which would be lost");
	cache->origin_sectors = cache->origin_applied = bdev_nr_sectors(bdev);
	cache->bytes = (u64)cache->origin_sectors << SECTOR_SHIFT;
	if (!cache->bytes)
		return start_fail(cache, -EINVAL, "origin has no size (no medium?)");
	if (rxc_block_too_many(cache, cache->bytes))
		return start_fail(cache, -EFBIG,
				  "origin has more than 2^48 cache blocks; choose larger ones");
	if (bdev_logical_block_size(bdev) > 1U << cache->block_shift)
		return start_fail(cache, -EINVAL,
				  "cache block is smaller than the origin's logical block");
	return 0;
}

/*
 * The claim keeps file systems and other claimers away from the origin. Dirty pages
 * in the origin's page cache would be written behind the cache's back, and clean ones
 * would be stale once the origin is written through the cache.
 */
static int settle_origin(struct rxc_cache *cache)
{
	int err = sync_blockdev(cache->origin.bdev);

	if (err)
		return start_fail(cache, err, "cannot write back the origin's page cache");
	invalidate_bdev(cache->origin.bdev);
	return 0;
}

static void users_gone(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct rxc_cache, users)->drained);
}

/*
 * The block layer refuses writes to a device that is set read-only, but not those of a
 * driver that stands on it. So the cache device follows its origin: whoever opens it is
 * told, as by the origin itself. Until then and for file systems that are mounted already
 * writes go through, as they do on the origin. The origin is open while the cache device
 * can be opened.
 */
RX_DEFINE_OPEN(disk_open)
{
	struct rxc_cache *cache = disk->private_data;

	lockdep_assert_held(&disk->open_mutex);
	if (cache->closing)
		return -ENXIO;
	set_disk_ro(disk, cache->read_only || bdev_read_only(cache->origin.bdev));
	return 0;
}

/* The block layer calls this method last, and only if the gendisk was added. */
static void disk_released(struct gendisk *disk)
{
	struct rxc_cache *cache = disk->private_data;

	complete(&cache->released);
}

static const struct block_device_operations disk_fops = {
	.owner		= THIS_MODULE,
	.submit_bio	= rxc_submit_bio,
	.open		= disk_open,
	.free_disk	= disk_released,
};

static int make_disk(struct rxc_cache *cache)
{
	struct block_device *bdev = cache->origin.bdev;
	struct gendisk *disk;

	if (bioset_init(&cache->parts, BIO_POOL_SIZE,
			offsetof(struct rxc_part, bio),
			BIOSET_NEED_BVECS | BIOSET_NEED_RESCUER) ||
	    bioset_init(&cache->retries, BIO_POOL_SIZE,
			offsetof(struct rxc_part, bio), 0) ||
	    bioset_init(&cache->ahead.parts, 1, offsetof(struct rxc_part, bio),
			BIOSET_NEED_BVECS) ||
	    mempool_init_slab_pool(&cache->ios, BIO_POOL_SIZE, rxc_io_cache) ||
	    rxc_bounce_init(cache) ||
	    percpu_ref_init(&cache->users, users_gone, 0, GFP_KERNEL))
		return start_fail(cache, -ENOMEM, "no memory for the cache");
	rxc_busy_init(&cache->busy, cache->block_shift);
	cache->retry_wq = alloc_workqueue("%s_retry", WQ_MEM_RECLAIM | WQ_UNBOUND,
					  0, cache->name);
	/* A work sleeps for as long as the origin holds its cgroup back (io.cost). */
	cache->ahead.wq = alloc_workqueue("%s_ahead", WQ_MEM_RECLAIM | WQ_UNBOUND, 0,
					  cache->name);
	cache->holders_wq = alloc_workqueue("%s_holders", WQ_MEM_RECLAIM | WQ_UNBOUND, 0,
					    cache->name);
	if (!cache->retry_wq || !cache->ahead.wq || !cache->holders_wq)
		return start_fail(cache, -ENOMEM, "no memory for the cache");

	disk = rx_alloc_stacked_disk(bdev, RXC_MAX_SECTORS,
				     bdev->bd_disk->node_id);
	if (IS_ERR(disk))
		return start_fail(cache, PTR_ERR(disk), "no memory for the device");
	cache->disk = disk;
	strscpy(disk->disk_name, cache->name, sizeof(disk->disk_name));
	disk->fops = &disk_fops;
	disk->private_data = cache;
	set_capacity(disk, cache->bytes >> SECTOR_SHIFT);
	set_disk_ro(disk, cache->read_only);
	return 0;
}

/* Links the device to its origin and its pool in sysfs, for lsblk and similar tools. */
static int link_disk(struct rxc_cache *cache)
{
	int err = bd_link_disk_holder(cache->origin.bdev, cache->disk);

	if (err)
		return err;
	err = rxd_pool_link(cache->pool->memory, cache->disk);
	if (err)
		bd_unlink_disk_holder(cache->origin.bdev, cache->disk);
	return err;
}

/* Adds the device; the block layer may then read the partition table through the cache. */
static int show_disk(struct rxc_cache *cache)
{
	int err = add_disk(cache->disk);

	if (err)
		return start_fail(cache, err, "cannot add the device");
	smp_store_release(&cache->added, true);
	/*
	 * The scan of the partition table opens the device in a kernel thread,
	 * whose files are closed a while later. Without the flush, an early
	 * unmap would find the device open.
	 */
	flush_delayed_fput();
	err = link_disk(cache);
	if (!err)
		return 0;
	/*
	 * The device is removed here, because rxc_cache_end() would remove links
	 * that do not exist. For a task that has the device open, every I/O
	 * fails; rxc_cache_free() waits until the task closes it.
	 */
	WRITE_ONCE(cache->added, false);
	rxc_origin_note_dead(cache);
	del_gendisk(cache->disk);
	percpu_ref_kill(&cache->users);
	wait_for_completion(&cache->drained);
	return start_fail(cache, err, "cannot link the device to its origin and memory");
}

static int make_index(struct rxc_cache *cache)
{
	const char *why;
	int err = rxc_resize_whole(cache->pool, &why);

	return err ? start_fail(cache, err, why) : 0;
}

static int start_all(struct rxc_cache *cache)
{
	int err = open_origin(cache);

	if (!err)
		err = check_origin(cache);
	if (!err && bdev_read_only(cache->origin.bdev))
		cache->read_only = true;
	if (!err)
		err = make_index(cache);
	if (!err)
		err = settle_origin(cache);
	if (!err)
		err = make_disk(cache);
	if (!err)
		err = show_disk(cache);
	return err;
}

static void start_work(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, start_work);
	bool new_floor;

	if (!start_all(cache)) {
		mutex_lock(&rxc_mutex);
		cache->state = READ_ONCE(cache->dead) ? RXCACHE_STATE_DEAD :
						    RXCACHE_STATE_ACTIVE;
		/* dead_work may have run, and did nothing for a cache that starts. */
		if (cache->state == RXCACHE_STATE_DEAD)
			queue_work(rxc_life_wq, &cache->dead_work);
		new_floor = rxc_pool_joined(cache);
		rxc_notify(cache, RXCACHE_CMD_CACHE_NEW_NTF);
		if (new_floor)
			rxc_notify_sharers(cache->pool, RXCACHE_CAUSE_SET);
		rxc_watch_begin(cache);
		mutex_unlock(&rxc_mutex);
		return;
	}
	/* In this state no request looks at the parts that the next lines free. */
	mutex_lock(&rxc_mutex);
	cache->state = RXCACHE_STATE_FAILED;
	rxc_pool_joined(cache);
	mutex_unlock(&rxc_mutex);
	rxc_cache_end(cache);
	rxc_cache_gone(cache);
}

/* Starts a cache that is on the list. Context: under rxc_mutex. */
void rxc_cache_start(struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	INIT_WORK(&cache->start_work, start_work);
	queue_work(rxc_life_wq, &cache->start_work);
}

/* Returns a new cache, which is on no list yet, or NULL. Context: process, may sleep. */
struct rxc_cache *rxc_cache_new(void)
{
	struct rxc_cache *cache = kvzalloc(sizeof(*cache), GFP_KERNEL | __GFP_NOWARN);

	if (!cache)
		return NULL;
	rxc_cache_init(cache);
	cache->stats = alloc_percpu(struct rxc_stats);
	cache->latency = alloc_percpu(struct rxc_latencies);
	if (cache->stats && cache->latency)
		return cache;
	rxc_cache_free(cache);
	return NULL;
}
