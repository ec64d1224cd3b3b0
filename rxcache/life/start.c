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
#include "map.h"

static int start_fail(struct rxc_map *map, int err, const char *message)
{
	map->error = -err;
	map->message = message;
	return err;
}

/* Called with the origin's holder lock held, see rx_claim. */
static void origin_dead(struct rx_claim *claim)
{
	rxc_origin_note_dead(container_of(claim, struct rxc_map, origin));
}

static int open_origin(struct rxc_map *map)
{
	int err;

	map->origin.dead = origin_dead;
	map->origin.up = &rxc_holders;
	err = rx_claim_open(&map->origin, map->origin_dev, map->read_only);
	if ((err == -EROFS || err == -EACCES) && !map->read_only) {
		map->read_only = true;
		err = rx_claim_open(&map->origin, map->origin_dev, true);
	}
	if (err) {
		map->origin.bdev = NULL;
		return start_fail(map, err, err == -EBUSY ?
				  "origin is mounted or in use" :
				  "cannot open origin");
	}
	mutex_lock(&rxc_mutex);
	snprintf(map->origin_name, sizeof(map->origin_name), "%pg",
		 map->origin.bdev);
	mutex_unlock(&rxc_mutex);
	return 0;
}

static int check_origin(struct rxc_map *map)
{
	struct block_device *bdev = map->origin.bdev;

	if (bdev_is_zoned(bdev))
		return start_fail(map, -EOPNOTSUPP, "origin is a zoned device");
	if (bdev_get_integrity(bdev))
		return start_fail(map, -EOPNOTSUPP,
				  "origin has integrity metadata (T10 PI), which would be lost");
	map->origin_sectors = map->origin_applied = bdev_nr_sectors(bdev);
	map->bytes = (u64)map->origin_sectors << SECTOR_SHIFT;
	if (!map->bytes)
		return start_fail(map, -EINVAL, "origin has no size (no medium?)");
	if (rxc_block_too_many(map, map->bytes))
		return start_fail(map, -EFBIG,
				  "origin has more than 2^48 cache blocks; choose larger ones");
	if (bdev_logical_block_size(bdev) > 1U << map->block_shift)
		return start_fail(map, -EINVAL,
				  "cache block is smaller than the origin's logical block");
	return 0;
}

/*
 * The claim keeps file systems and other claimers away from the origin. Dirty pages
 * in the origin's page cache would be written behind the cache's back, and clean ones
 * would be stale once the origin is written through the cache.
 */
static int settle_origin(struct rxc_map *map)
{
	int err = sync_blockdev(map->origin.bdev);

	if (err)
		return start_fail(map, err, "cannot write back the origin's page cache");
	invalidate_bdev(map->origin.bdev);
	return 0;
}

static void users_gone(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct rxc_map, users)->drained);
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
	struct rxc_map *map = disk->private_data;

	lockdep_assert_held(&disk->open_mutex);
	if (map->closing)
		return -ENXIO;
	set_disk_ro(disk, map->read_only || bdev_read_only(map->origin.bdev));
	return 0;
}

/* The block layer calls this method last, and only if the gendisk was added. */
static void disk_released(struct gendisk *disk)
{
	struct rxc_map *map = disk->private_data;

	complete(&map->released);
}

static const struct block_device_operations disk_fops = {
	.owner		= THIS_MODULE,
	.submit_bio	= rxc_submit_bio,
	.open		= disk_open,
	.free_disk	= disk_released,
};

static int make_disk(struct rxc_map *map)
{
	struct block_device *bdev = map->origin.bdev;
	struct gendisk *disk;

	if (bioset_init(&map->parts, BIO_POOL_SIZE,
			offsetof(struct rxc_part, bio),
			BIOSET_NEED_BVECS | BIOSET_NEED_RESCUER) ||
	    bioset_init(&map->retries, BIO_POOL_SIZE,
			offsetof(struct rxc_part, bio), 0) ||
	    bioset_init(&map->ahead.parts, 1, offsetof(struct rxc_part, bio),
			BIOSET_NEED_BVECS) ||
	    mempool_init_slab_pool(&map->ios, BIO_POOL_SIZE, rxc_io_cache) ||
	    rxc_bounce_init(map) ||
	    percpu_ref_init(&map->users, users_gone, 0, GFP_KERNEL))
		return start_fail(map, -ENOMEM, "no memory for the cache");
	rxc_busy_init(&map->busy, map->block_shift);
	map->retry_wq = alloc_workqueue("%s_retry", WQ_MEM_RECLAIM | WQ_UNBOUND,
					0, map->name);
	/* A work sleeps for as long as the origin holds its cgroup back (io.cost). */
	map->ahead.wq = alloc_workqueue("%s_ahead", WQ_MEM_RECLAIM | WQ_UNBOUND, 0,
					map->name);
	map->holders_wq = alloc_workqueue("%s_holders", WQ_MEM_RECLAIM | WQ_UNBOUND, 0,
					  map->name);
	if (!map->retry_wq || !map->ahead.wq || !map->holders_wq)
		return start_fail(map, -ENOMEM, "no memory for the cache");

	disk = rx_alloc_stacked_disk(bdev, RXC_MAX_SECTORS,
				     bdev->bd_disk->node_id);
	if (IS_ERR(disk))
		return start_fail(map, PTR_ERR(disk), "no memory for the device");
	map->disk = disk;
	strscpy(disk->disk_name, map->name, sizeof(disk->disk_name));
	disk->fops = &disk_fops;
	disk->private_data = map;
	set_capacity(disk, map->bytes >> SECTOR_SHIFT);
	set_disk_ro(disk, map->read_only);
	return 0;
}

/* Links the device to its origin and its pool in sysfs, for lsblk and similar tools. */
static int link_disk(struct rxc_map *map)
{
	int err = bd_link_disk_holder(map->origin.bdev, map->disk);

	if (err)
		return err;
	err = rxd_pool_link(map->pool->memory, map->disk);
	if (err)
		bd_unlink_disk_holder(map->origin.bdev, map->disk);
	return err;
}

/* Adds the device; the block layer may then read the partition table through the cache. */
static int show_disk(struct rxc_map *map)
{
	int err = add_disk(map->disk);

	if (err)
		return start_fail(map, err, "cannot add the device");
	smp_store_release(&map->added, true);
	/*
	 * The scan of the partition table opens the device in a kernel thread,
	 * whose files are closed a while later. Without the flush, an early
	 * unmap would find the device open.
	 */
	flush_delayed_fput();
	err = link_disk(map);
	if (!err)
		return 0;
	/*
	 * The device is removed here, because rxc_map_end() would remove links
	 * that do not exist. For a task that has the device open, every I/O
	 * fails; rxc_map_free() waits until the task closes it.
	 */
	WRITE_ONCE(map->added, false);
	rxc_origin_note_dead(map);
	del_gendisk(map->disk);
	percpu_ref_kill(&map->users);
	wait_for_completion(&map->drained);
	return start_fail(map, err, "cannot link the device to its origin and memory");
}

static int make_index(struct rxc_map *map)
{
	const char *why;
	int err = rxc_resize_whole(map->pool, &why);

	return err ? start_fail(map, err, why) : 0;
}

static int start_all(struct rxc_map *map)
{
	int err = open_origin(map);

	if (!err)
		err = check_origin(map);
	if (!err && bdev_read_only(map->origin.bdev))
		map->read_only = true;
	if (!err)
		err = make_index(map);
	if (!err)
		err = settle_origin(map);
	if (!err)
		err = make_disk(map);
	if (!err)
		err = show_disk(map);
	return err;
}

static void map_start_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(work, struct rxc_map, start_work);
	bool new_floor;

	if (!start_all(map)) {
		mutex_lock(&rxc_mutex);
		map->state = READ_ONCE(map->dead) ? RXCACHE_STATE_DEAD :
						    RXCACHE_STATE_ACTIVE;
		/* dead_work may have run, and did nothing for a cache that starts. */
		if (map->state == RXCACHE_STATE_DEAD)
			queue_work(rxc_life_wq, &map->dead_work);
		new_floor = rxc_pool_joined(map);
		rxc_notify(map, RXCACHE_CMD_CACHE_NEW_NTF);
		if (new_floor)
			rxc_notify_sharers(map->pool, RXCACHE_CAUSE_SET);
		rxc_watch_begin(map);
		mutex_unlock(&rxc_mutex);
		return;
	}
	/* In this state no request looks at the parts that the next lines free. */
	mutex_lock(&rxc_mutex);
	map->state = RXCACHE_STATE_FAILED;
	rxc_pool_joined(map);
	mutex_unlock(&rxc_mutex);
	rxc_map_end(map);
	rxc_map_gone(map);
}

/* Starts a cache that is on the list. Context: under rxc_mutex. */
void rxc_map_start(struct rxc_map *map)
{
	lockdep_assert_held(&rxc_mutex);
	INIT_WORK(&map->start_work, map_start_work);
	queue_work(rxc_life_wq, &map->start_work);
}

/* Returns a new cache, which is on no list yet, or NULL. Context: process, may sleep. */
struct rxc_map *rxc_map_new(void)
{
	struct rxc_map *map = kvzalloc(sizeof(*map), GFP_KERNEL | __GFP_NOWARN);

	if (!map)
		return NULL;
	rxc_map_init(map);
	map->stats = alloc_percpu(struct rxc_stats);
	map->latency = alloc_percpu(struct rxc_latencies);
	if (map->stats && map->latency)
		return map;
	rxc_map_free(map);
	return NULL;
}
