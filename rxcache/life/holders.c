// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the block layer asks of the origin's holder is passed on to the holders of the
 * cache and of its partitions: file systems, mostly. A snapshot of a mounted volume is
 * complete because the volume manager asks for a freeze before it takes the snapshot.
 *
 * Lifetime: a call holds rxc_cache.users, so it ends before the cache does. A cache that has
 * no device yet, or is ending, has no holder.
 *
 * Locks: the block layer calls with bd_fsfreeze_mutex of the origin held, and then takes
 * that of the cache, then that of whatever is above. The order is that of the devices, from
 * below, and devices are stacked without a cycle. For lockdep all these mutexes are one,
 * so a worker asks while the caller waits: lockdep would report the order as a recursion.
 * Nothing here is done under a lock of ours.
 *
 * Memory: reclaim may wait for a file system that is frozen. So nothing here allocates with
 * reclaim of file systems, and the queue has a worker of its own when no other can be made.
 * Each cache has a queue, because one that is below another waits for it. bd_fsfreeze_mutex
 * of the origin admits one call that asks by worker at a time.
 */
#include <linux/completion.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include "cache.h"
#include "compat.h"
#include "io/origin.h"
#include "life/holders.h"

/* A device whose holder is frozen for the origin's sake, with a reference to it. */
struct frozen {
	struct list_head node;
	struct block_device *bdev;
};

/* A call that a worker makes. After @done the worker does not use the structure. */
struct ask {
	struct work_struct work;
	struct completion done;
	struct rxc_cache *cache;
	int (*what)(struct rxc_cache *cache);
	int err;
};

static void ask_work(struct work_struct *work)
{
	struct ask *ask = container_of(work, struct ask, work);

	ask->err = ask->what(ask->cache);
	complete(&ask->done);
}

static int ask_by_worker(struct rxc_cache *cache, int (*what)(struct rxc_cache *cache))
{
	struct ask ask = { .cache = cache, .what = what };

	INIT_WORK_ONSTACK(&ask.work, ask_work);
	init_completion(&ask.done);
	queue_work(cache->holders_wq, &ask.work);
	wait_for_completion(&ask.done);
	destroy_work_on_stack(&ask.work);
	return ask.err;
}

/* Asks for the device and for its partitions, until one of them returns an error. */
static int ask_each(struct rxc_cache *cache,
		    int (*what)(struct rxc_cache *cache, struct block_device *bdev))
{
	struct block_device *bdev;
	unsigned long number;
	int err = 0;

	rcu_read_lock();
	xa_for_each(&cache->disk->part_tbl, number, bdev) {
		if (!kobject_get_unless_zero(&bdev->bd_device.kobj))
			continue;
		rcu_read_unlock();
		err = what(cache, bdev);
		put_device(&bdev->bd_device);
		rcu_read_lock();
		if (err)
			break;
	}
	rcu_read_unlock();
	return err;
}

static int freeze_one(struct rxc_cache *cache, struct block_device *bdev)
{
	struct frozen *frozen = kmalloc(sizeof(*frozen), GFP_NOIO);
	int err;

	if (!frozen)
		return -ENOMEM;
	err = rx_holder_freeze(bdev);
	if (err) {
		kfree(frozen);
		return err;
	}
	get_device(&bdev->bd_device);
	frozen->bdev = bdev;
	list_add(&frozen->node, &cache->frozen_holders);
	return 0;
}

/* Nothing else refers to the entry, which only the list knew. */
static void frozen_free(struct frozen *frozen)
{
	list_del(&frozen->node);
	put_device(&frozen->bdev->bd_device);
	kfree(frozen);
}

/* A device that can't be thawed stays in the list, as its count of freezes stays. */
static int thaw_all(struct rxc_cache *cache)
{
	struct frozen *frozen, *next;
	int err = 0, one;

	list_for_each_entry_safe(frozen, next, &cache->frozen_holders, node) {
		one = rx_holder_thaw(frozen->bdev);
		if (!one)
			frozen_free(frozen);
		err = err ?: one;
	}
	return err;
}

static int freeze_all(struct rxc_cache *cache)
{
	int err = ask_each(cache, freeze_one);

	/* The origin has a page cache of its own, for whoever opens it by its name. */
	if (!err)
		err = sync_blockdev(cache->origin.bdev);
	if (err)
		thaw_all(cache);
	return err;
}

static int sync_one(struct rxc_cache *cache, struct block_device *bdev)
{
	rx_holder_sync(bdev);
	return 0;
}

/* Called with the origin's holder lock held, see rx_claim_up. */
static bool holders_hold(struct rx_claim *claim)
{
	struct rxc_cache *cache = container_of(claim, struct rxc_cache, origin);

	/* Pairs with the release in show_disk(): before that, there are no users to count. */
	return smp_load_acquire(&cache->added) && percpu_ref_tryget_live(&cache->users);
}

static void holders_release(struct rx_claim *claim)
{
	percpu_ref_put(&container_of(claim, struct rxc_cache, origin)->users);
}

static int holders_freeze(struct rx_claim *claim)
{
	return ask_by_worker(container_of(claim, struct rxc_cache, origin), freeze_all);
}

/* A device-mapper origin may have a new table by now, and another size. */
static int holders_thaw(struct rx_claim *claim)
{
	struct rxc_cache *cache = container_of(claim, struct rxc_cache, origin);

	if (rxc_origin_resized(cache))
		rxc_origin_note_size(cache);
	return ask_by_worker(cache, thaw_all);
}

static void holders_sync(struct rx_claim *claim)
{
	ask_each(container_of(claim, struct rxc_cache, origin), sync_one);
}

const struct rx_claim_up rxc_holders = {
	.hold		= holders_hold,
	.release	= holders_release,
	.freeze		= holders_freeze,
	.thaw		= holders_thaw,
	.sync		= holders_sync,
};

/*
 * Thaws what is still frozen, because the origin will not ask the cache to do it any more.
 * Called after the last call has dropped rxc_cache.users.
 */
void rxc_holders_end(struct rxc_cache *cache)
{
	struct frozen *frozen, *next;

	list_for_each_entry_safe(frozen, next, &cache->frozen_holders, node) {
		rx_holder_thaw(frozen->bdev);
		frozen_free(frozen);
	}
}
