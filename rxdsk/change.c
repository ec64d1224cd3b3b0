// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of a disk: it is made larger or smaller, or loses its content. What takes time
 * is left to a work, also for a new disk that takes its memory before it can be used.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/sizes.h>
#include "compat.h"
#include "rxdsk.h"

int rxd_change_check_size(u64 size, const char **why)
{
	if (size >= RXD_SIZE_MIN && size <= RXD_SIZE_MAX)
		return 0;
	*why = "the size must be 4 KiB to 1 EiB";
	return -EINVAL;
}

/*
 * Growing needs no freeze here (but see let_discards_end()): the store has no size, a
 * task that still sees the old capacity only refuses more than it has to, and no
 * partition changes. Shrinking requires a closed disk, and a pool is closed, so
 * there is no I/O to freeze. The pages beyond the new end have been dropped, and
 * clear.c frees them.
 */
void rxd_change_size(struct rxd_disk *d, u64 size)
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
 * The freeze waits for all other I/O, too. So rxd_change_work() calls this without
 * open_mutex, for which a request would wait under generic netlink's lock. While the
 * disk is preparing, no other task changes d->end, or ends the disk before rxd_change_work()
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

/* Has rxd_change_work() make the disk @size bytes large, or zero all of it. */
static void prepare_begin(struct rxd_disk *d, enum rxd_preparing what, u64 size)
{
	lockdep_assert_held(&d->gd->open_mutex);
	d->prepare_size = size;
	mutex_lock(&rxd_disks_lock);
	d->preparing = what;
	d->error = 0;
	mutex_unlock(&rxd_disks_lock);
	rxd_state_queue(&d->prepare_work);
}

/* Applies the result of rxd_change_work(), which has succeeded if @err is 0. */
static void prepare_end(struct rxd_disk *d, int err)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (!err && d->preparing == RXD_PREPARING_GROW)
		rxd_change_size(d, d->prepare_size);
	if (!err && d->preparing == RXD_PREPARING_ZERO) {
		rxd_gendisk_rescan(d);
		disk_uevent(d->gd, KOBJ_CHANGE);
	}
	mutex_lock(&rxd_disks_lock);
	d->error = -err;
	mutex_unlock(&rxd_disks_lock);
	/* A new disk without all of its memory, or without a block device, ends. */
	if (err && d->preparing == RXD_PREPARING_NEW)
		rxd_state_end(d);
	mutex_lock(&rxd_disks_lock);
	d->preparing = RXD_PREPARING_NONE;
	mutex_unlock(&rxd_disks_lock);
}

/*
 * Finishes what a request has begun: grows a disk, or takes or zeroes the memory of a
 * disk with prealloc. The request does not wait for this, for the reasons that clear.c
 * gives; an event tells of the end. "preparing" and "prepare_size" do not change meanwhile.
 */
void rxd_change_work(struct work_struct *work)
{
	struct rxd_disk *d = container_of(work, struct rxd_disk, prepare_work);
	enum rxd_preparing what = READ_ONCE(d->preparing);
	pgoff_t first = 0, end = rxd_pages_of(d->prepare_size);
	bool dying;
	int err = 0;

	if (what == RXD_PREPARING_GROW)
		first = rxd_pages_of((u64)get_capacity(d->gd) << SECTOR_SHIFT);
	if (what == RXD_PREPARING_ZERO)
		err = rxd_prepare_zero(d);
	else if (d->prealloc)
		err = rxd_prepare_pages(d, first, end);
	if (err && what == RXD_PREPARING_GROW)
		rxd_store_drop(d, first, end);
	if (!err && what == RXD_PREPARING_GROW)
		let_discards_end(d);
	if (!err && what == RXD_PREPARING_NEW)
		err = rxd_gendisk_add(d);

	mutex_lock(&d->gd->open_mutex);
	dying = d->dying;
	if (!dying)
		prepare_end(d, err);
	mutex_unlock(&d->gd->open_mutex);
	/* disk_stop() sends the event of a disk that ends. */
	if (!dying && !(err && what == RXD_PREPARING_NEW))
		rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
}

static int shrink_disk(struct rxd_disk *d, u64 size, const char **why)
{
	int err = rxd_clear_from(d, rxd_pages_of(size), why);

	if (err)
		return err;
	rxd_change_size(d, size);
	/* If the new end is within a page, that page was kept, so its rest is zeroed. */
	rxd_store_zero(d, size, round_up(size, PAGE_SIZE) - size, true, true);
	rxd_gendisk_rescan(d);
	return 0;
}

static int check_room(struct rxd_disk *d, u64 size, const char **why)
{
	u64 more = rxd_pages_of(size) - rxd_pages_of(rxd_disk_size(d));

	return d->prealloc ? rxd_prepare_check(d->node, more, why) : 0;
}

/* If growing has to wait for memory or for I/O, rxd_change_work() does it later. */
static void grow_disk(struct rxd_disk *d, u64 size)
{
	if (d->prealloc || shares_page(d))
		prepare_begin(d, RXD_PREPARING_GROW, size);
	else
		rxd_change_size(d, size);
}

int rxd_change_resize(struct rxd_disk *d, u64 size, bool shrink, bool commit,
		      const char **why)
{
	u64 old;
	int err = rxd_change_check_size(size, why);

	err = err ?: rxd_state_trylock(d, why);
	if (err)
		return err;
	size = round_up(size, SZ_4K);
	old = rxd_disk_size(d);
	if (size < old && !shrink) {
		*why = "the size is smaller and shrinking was not asked for";
		err = -EINVAL;
	} else if (size < old) {
		err = rxd_state_idle(d, why) ?: rxd_clear_check(d, why);
	} else {
		err = rxd_state_live(d, why) ?: check_room(d, size, why);
	}
	if (!err && commit && size < old)
		err = shrink_disk(d, size, why);
	else if (!err && commit && size > old)
		grow_disk(d, size);
	rxd_state_unlock(d);
	return err;
}

/* Drops all data; clear.c gives the memory back, or prepare.c zeroes it. */
int rxd_change_erase(struct rxd_disk *d, bool commit, const char **why)
{
	int err = rxd_state_trylock(d, why);

	if (err)
		return err;
	err = rxd_state_idle(d, why);
	if (!err && !d->prealloc)
		err = rxd_clear_check(d, why);
	if (err || !commit)
		goto out;
	if (d->prealloc)
		prepare_begin(d, RXD_PREPARING_ZERO, rxd_disk_size(d));
	else
		err = rxd_clear_from(d, 0, why);
	if (!err && !d->prealloc) {
		rxd_gendisk_rescan(d);
		/* Under open_mutex, before a detach can delete the device. */
		disk_uevent(d->gd, KOBJ_CHANGE);
	}
out:
	rxd_state_unlock(d);
	return err;
}
