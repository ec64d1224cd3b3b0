// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a disk: attach, resize, erase, detach.
 *
 * A disk is in the table from the end of attach until its block device and its
 * memory are gone. Detach marks the disk dying, under open_mutex, so that no task can
 * open it any more. A worker does the rest, because requests run under generic
 * netlink's lock, which all families share. A new disk can have the number only after
 * the event about the end of the old one is sent.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "compat.h"
#include "rxdsk.h"

static struct workqueue_struct *life_wq;

static pgoff_t pages_of(u64 size)
{
	return (size + PAGE_SIZE - 1) >> PAGE_SHIFT;
}

int rxd_disk_check_size(u64 size, const char **why)
{
	if (size >= RXD_SIZE_MIN && size <= RXD_SIZE_MAX)
		return 0;
	*why = "the size must be 4 KiB to 1 EiB";
	return -EINVAL;
}

static int params_check(const struct rxd_params *p, const char **why)
{
	int err = rxd_disk_check_size(p->size, why);

	if (err)
		return err;
	if (p->block_size != RXDSK_BLOCK_MIN && p->block_size != RXDSK_BLOCK_MAX) {
		*why = "the block size must be 512 or 4096";
		return -EINVAL;
	}
	if (p->queue_mode == RXDSK_QUEUE_MODE_BIO && p->queues) {
		*why = "a disk with queue mode bio has no queues";
		return -EINVAL;
	}
	if (p->prealloc && p->zero_detect) {
		*why = "a preallocated disk keeps its memory, so it drops no zeroes";
		return -EINVAL;
	}
	if (p->node >= 0 && !rxd_mem_has_node(p->node)) {
		*why = "there is no such NUMA node, or it has no memory for disks";
		return -EINVAL;
	}
	return 0;
}

/* Frees the number and sends @msg, the event about its disk's end, or NULL. */
static void index_release(unsigned int index, struct sk_buff *msg)
{
	mutex_lock(&rxd_table_lock);
	rxd_table_remove(index);
	/* Under the lock, so that no event of a new disk of that name precedes this. */
	rxd_event_send(msg);
	mutex_unlock(&rxd_table_lock);
}

static void disk_stop(struct work_struct *work);
static void fill_work(struct work_struct *work);

/*
 * Lists the new disk, sends its event and begins to fill it, all under the lock that a
 * request takes to find the disk. So a detach finds fill_work queued, and its event
 * follows that of the new disk.
 */
static void announce(struct rxd_disk *d)
{
	mutex_lock(&rxd_table_lock);
	rxd_table_add(d);
	rxd_notify_locked(d, RXDSK_CMD_DISK_NEW_NTF);
	if (d->prealloc)
		queue_work(life_wq, &d->fill_work);
	mutex_unlock(&rxd_table_lock);
}

/*
 * Returns the new disk with a reference for the caller, or ERR_PTR. A disk with
 * prealloc is listed, but has no block device before fill_work() has taken its
 * memory.
 */
struct rxd_disk *rxd_disk_attach(const struct rxd_params *params,
				 const char **why)
{
	struct rxd_params p = *params;
	struct rxd_disk *d;
	int err;

	err = params_check(&p, why);
	if (err)
		return ERR_PTR(err);
	p.size = round_up(p.size, SZ_4K);
	if (p.prealloc && rxd_fill_check(p.node, pages_of(p.size), why))
		return ERR_PTR(-ENOSPC);
	err = rxd_table_reserve(p.index, why);
	if (err < 0)
		return ERR_PTR(err);
	p.index = err;

	*why = "no memory for another disk";
	err = -ENOMEM;
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		goto err_index;
	d->index = p.index;
	d->block_size = p.block_size;
	d->read_only = p.read_only;
	d->prealloc = p.prealloc;
	d->zero_detect = p.zero_detect;
	d->node = p.node;
	d->queue_mode = p.queue_mode;
	d->end = p.size;
	refcount_set(&d->refs, 2);
	init_completion(&d->unused);
	init_completion(&d->released);
	INIT_WORK(&d->stop_work, disk_stop);
	INIT_WORK(&d->fill_work, fill_work);
	rxd_store_init(d);
	if (nr_node_ids > 1) {
		d->node_used = kcalloc(nr_node_ids, sizeof(*d->node_used),
				       GFP_KERNEL);
		if (!d->node_used)
			goto err_store;
	}
	err = rxd_gendisk_alloc(d, &p);
	if (err)
		goto err_store;

	/* disk_stop() drops it, because the module must stay while there is a disk. */
	if (!try_module_get(THIS_MODULE)) {
		*why = "the module is being unloaded";
		err = -ENODEV;
		goto err_gendisk;
	}
	err = p.prealloc ? 0 : rxd_gendisk_add(d);
	if (err) {
		if (err != -ENOMEM)
			*why = "the block layer refused the disk";
		goto err_module;
	}

	d->fill_size = p.size;
	d->filling = p.prealloc ? RXD_FILLING_NEW : RXD_FILLING_NONE;
	announce(d);
	return d;

err_module:
	module_put(THIS_MODULE);
err_gendisk:
	rxd_gendisk_free(d);
err_store:
	rxd_store_destroy(d);
	kfree(d->node_used);
	kfree(d);
err_index:
	index_release(p.index, NULL);
	return ERR_PTR(err);
}

/* Refuses a disk that is dying or claimed. */
static int check_there(struct rxd_disk *d, const char **why)
{
	lockdep_assert_held(&d->gd->open_mutex);

	if (d->dying) {
		*why = "the disk is being detached";
		return -ENODEV;
	}
	if (d->pool.holder[0]) {
		*why = "the disk is claimed as cache memory";
		return -EBUSY;
	}
	return 0;
}

static int check_filled(struct rxd_disk *d, const char **why)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (!d->filling)
		return 0;
	*why = "the disk is still taking memory, growing or being zeroed";
	return -EBUSY;
}

static int check_closed(struct rxd_disk *d, const char **why)
{
	int err = check_there(d, why);

	if (err)
		return err;
	if (disk_openers(d->gd)) {
		*why = "the disk is open, mounted or otherwise in use";
		return -EBUSY;
	}
	return 0;
}

/* Refuses a disk whose content its owner, or the owner of a partition, protects. */
static int check_writable(struct rxd_disk *d, const char **why)
{
	if (d->read_only)
		*why = "the disk is read-only";
	else if (bdev_read_only(d->gd->part0))
		*why = "the disk is set read-only (blockdev --setro)";
	else if (rxd_gendisk_parts_locked(d))
		*why = "a partition of the disk is set read-only (blockdev --setro)";
	else
		return 0;
	return -EROFS;
}

/* Refuses a disk that is in use, busy or protected; any other may lose its content. */
int rxd_disk_check_idle(struct rxd_disk *d, const char **why)
{
	return check_closed(d, why) ?: check_filled(d, why) ?: check_writable(d, why);
}

/*
 * Ends a disk that detach or a failed fill has marked dying. The steps that take time
 * run while the disk is still listed, the others when no request can find it.
 *
 * Nothing can hold the disk when it is freed:
 * - an opener: there was none when dying was set, and rxd_open() refuses new ones;
 * - a request or bio: del_gendisk() waited for all of them, also for the workers', and
 *   a worker does not touch the disk after it has ended a request, or has dropped a
 *   bio's reference to the queue;
 * - a netlink handler or a claim: each has a reference, which this waits for, and
 *   rxd_disk_get() and dumps no longer find the disk. Until then a handler may list
 *   the extents, for which rxd_store_destroy() leaves the tree empty;
 * - fill_work, which may still add the block device: this waits for it first. It is
 *   queued before a detach can see the disk, or under open_mutex while
 *   check_there() finds it not dying;
 * - its clear, reap, wait and full works: disk_stop() waits for each;
 * - the gendisk: rxd_gendisk_free() waits until its last reference is dropped.
 *
 * The module's reference goes before the event, so that a listener can unload the
 * module when the event arrives: rxd_disk_module_stop() waits for the rest.
 */
static void disk_stop(struct work_struct *work)
{
	struct rxd_disk *d = container_of(work, struct rxd_disk, stop_work);
	struct sk_buff *msg;

	cancel_work_sync(&d->fill_work);
	if (test_bit(GD_ADDED, &d->gd->state))
		del_gendisk(d->gd);
	rxd_wait_end(d);
	rxd_limit_end(d);
	rxd_store_destroy(d);
	msg = rxd_event_new(d, RXDSK_CMD_DISK_DEL_NTF);
	module_put(THIS_MODULE);
	index_release(d->index, msg);
	rxd_disk_put(d);
	wait_for_completion(&d->unused);
	rxd_gendisk_free(d);
	kfree(d->node_used);
	kfree(d);
}

static void disk_end(struct rxd_disk *d)
{
	lockdep_assert_held(&d->gd->open_mutex);
	mutex_lock(&rxd_table_lock);
	d->last_size = rxd_disk_size(d);
	WRITE_ONCE(d->dying, true);
	mutex_unlock(&rxd_table_lock);
	queue_work(life_wq, &d->stop_work);
}

/*
 * Begins to detach. Return: 0, or an errno, -EALREADY if another task has begun.
 */
int rxd_disk_detach(struct rxd_disk *d, const char **why)
{
	int err = rxd_gendisk_trylock(d, why);

	if (err)
		return err;
	err = check_closed(d, why);
	if (!err)
		disk_end(d);
	else if (d->dying)
		err = -EALREADY;
	mutex_unlock(&d->gd->open_mutex);
	return err;
}

/*
 * Growing needs no freeze here (but see let_discards_end()): the store has no size, a
 * task that still sees the old capacity only refuses more than it has to, and no
 * partition changes. Shrinking requires a closed disk, and a pool is closed, so
 * there is no I/O to freeze. The pages beyond the new end have been dropped, and
 * clear.c frees them.
 */
void rxd_disk_set_size(struct rxd_disk *d, u64 size)
{
	lockdep_assert_held(&d->gd->open_mutex);
	set_capacity_and_notify(d->gd, size >> SECTOR_SHIFT);
	WRITE_ONCE(d->end, size);
}

/* Returns whether the disk ends within a page, which only pages above 4 KiB allow. */
static bool shares_page(const struct rxd_disk *d)
{
	return !IS_ALIGNED(rxd_disk_size(d), PAGE_SIZE);
}

/*
 * Called before a disk grows, which may be in use. If the disk ends within a page, a
 * discard up to d->end clears the whole page (see clear_end()), and would clear data
 * that is written behind the old end as soon as the disk has grown. So d->end is
 * invalidated before the capacity changes. The freeze waits for discards that may have
 * seen the old d->end; a task that sees the new capacity no longer sees that value.
 *
 * The freeze waits for all other I/O, too. So fill_work() calls this without
 * open_mutex, for which a request would wait under generic netlink's lock. While the
 * disk is filling, no other task changes d->end, or ends the disk before fill_work()
 * has returned.
 */
static void let_discards_end(struct rxd_disk *d)
{
	if (!shares_page(d))
		return;
	WRITE_ONCE(d->end, U64_MAX);
	/* Nothing is allocated while the queue is frozen: reclaim could wait for it. */
	rx_unfreeze_queue(d->gd->queue, rx_freeze_queue(d->gd->queue));
}

/* Has fill_work() make the disk @size bytes large, or zero all of it. */
static void fill_begin(struct rxd_disk *d, enum rxd_filling what, u64 size)
{
	lockdep_assert_held(&d->gd->open_mutex);
	d->fill_size = size;
	mutex_lock(&rxd_table_lock);
	d->filling = what;
	d->error = 0;
	mutex_unlock(&rxd_table_lock);
	queue_work(life_wq, &d->fill_work);
}

/* Applies the result of fill_work(), which has succeeded if @err is 0. */
static void disk_fill_end(struct rxd_disk *d, int err)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (!err && d->filling == RXD_FILLING_GROW)
		rxd_disk_set_size(d, d->fill_size);
	if (!err && d->filling == RXD_FILLING_ZERO) {
		rxd_gendisk_rescan(d);
		disk_uevent(d->gd, KOBJ_CHANGE);
	}
	mutex_lock(&rxd_table_lock);
	d->error = -err;
	mutex_unlock(&rxd_table_lock);
	/* A new disk without all of its memory, or without a block device, ends. */
	if (err && d->filling == RXD_FILLING_NEW)
		disk_end(d);
	mutex_lock(&rxd_table_lock);
	d->filling = RXD_FILLING_NONE;
	mutex_unlock(&rxd_table_lock);
}

/*
 * Finishes what a request has begun: grows a disk, or takes or zeroes the memory of a
 * disk with prealloc. The request does not wait for this, for the reasons that clear.c
 * gives; an event tells of the end. "filling" and "fill_size" do not change meanwhile.
 */
static void fill_work(struct work_struct *work)
{
	struct rxd_disk *d = container_of(work, struct rxd_disk, fill_work);
	enum rxd_filling what = READ_ONCE(d->filling);
	pgoff_t first = 0, end = pages_of(d->fill_size);
	bool dying;
	int err = 0;

	if (what == RXD_FILLING_GROW)
		first = pages_of((u64)get_capacity(d->gd) << SECTOR_SHIFT);
	if (what == RXD_FILLING_ZERO)
		err = rxd_fill_zero(d);
	else if (d->prealloc)
		err = rxd_fill_pages(d, first, end);
	if (err && what == RXD_FILLING_GROW)
		rxd_store_drop(d, first, end);
	if (!err && what == RXD_FILLING_GROW)
		let_discards_end(d);
	if (!err && what == RXD_FILLING_NEW)
		err = rxd_gendisk_add(d);

	mutex_lock(&d->gd->open_mutex);
	dying = d->dying;
	if (!dying)
		disk_fill_end(d, err);
	mutex_unlock(&d->gd->open_mutex);
	/* disk_stop() sends the event of a disk that ends. */
	if (!dying && !(err && what == RXD_FILLING_NEW))
		rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
}

static int shrink_disk(struct rxd_disk *d, u64 size, const char **why)
{
	int err = rxd_clear_from(d, pages_of(size), why);

	if (err)
		return err;
	rxd_disk_set_size(d, size);
	/* If the new end is within a page, that page was kept, so its rest is zeroed. */
	rxd_store_zero(d, size, round_up(size, PAGE_SIZE) - size, true, true);
	rxd_gendisk_rescan(d);
	return 0;
}

/* If growing has to wait for memory or for I/O, fill_work() does it later. */
static int grow_disk(struct rxd_disk *d, u64 size, const char **why)
{
	u64 more = pages_of(size) - pages_of(rxd_disk_size(d));
	int err = d->prealloc ? rxd_fill_check(d->node, more, why) : 0;

	if (err)
		return err;
	if (d->prealloc || shares_page(d))
		fill_begin(d, RXD_FILLING_GROW, size);
	else
		rxd_disk_set_size(d, size);
	return 0;
}

int rxd_disk_resize(struct rxd_disk *d, u64 size, bool shrink, const char **why)
{
	u64 old;
	int err = rxd_disk_check_size(size, why);

	err = err ?: rxd_gendisk_trylock(d, why);
	if (err)
		return err;
	size = round_up(size, SZ_4K);
	old = rxd_disk_size(d);
	if (size < old && !shrink) {
		*why = "the size is smaller and shrinking was not asked for";
		err = -EINVAL;
	} else if (size < old) {
		err = rxd_disk_check_idle(d, why);
	} else {
		err = check_there(d, why) ?: check_filled(d, why);
	}
	if (!err && size < old)
		err = shrink_disk(d, size, why);
	else if (!err && size > old)
		err = grow_disk(d, size, why);
	mutex_unlock(&d->gd->open_mutex);
	return err;
}

/* Drops all data; clear.c gives the memory back, or fill.c zeroes it. */
int rxd_disk_erase(struct rxd_disk *d, const char **why)
{
	int err = rxd_gendisk_trylock(d, why);

	if (err)
		return err;
	err = rxd_disk_check_idle(d, why);
	if (!err && d->prealloc)
		fill_begin(d, RXD_FILLING_ZERO, rxd_disk_size(d));
	else if (!err)
		err = rxd_clear_from(d, 0, why);
	if (!err && !d->prealloc) {
		rxd_gendisk_rescan(d);
		/* Under open_mutex, before a detach can delete the device. */
		disk_uevent(d->gd, KOBJ_CHANGE);
	}
	mutex_unlock(&d->gd->open_mutex);
	return err;
}

int rxd_disk_module_init(void)
{
	life_wq = alloc_workqueue("rxdsk-life", WQ_UNBOUND, 0);
	return life_wq ? 0 : -ENOMEM;
}

/* Returns when the last detach is done and no caller is in rxd_released(). */
void rxd_disk_module_stop(void)
{
	flush_workqueue(life_wq);
	synchronize_rcu_tasks();
}

void rxd_disk_module_exit(void)
{
	destroy_workqueue(life_wq);
}
