// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a disk: which requests it allows, and the step from which it allows none.
 */
#include <linux/blkdev.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "rxdsk.h"

static struct workqueue_struct *life_wq;

/* Queues @work, which makes, changes or ends a disk. */
void rxd_state_queue(struct work_struct *work)
{
	queue_work(life_wq, work);
}

void rxd_state_init(struct rxd_disk *d)
{
	mutex_init(&d->change_lock);
}

/*
 * Locks a disk for a request. The request waits for other requests, which take no time,
 * and finds what they have done. But it must not wait for open_mutex: it runs under
 * generic netlink's lock, which all families share. A task that has the partition table
 * read anew holds open_mutex for as long as dirty pages of the disk's page cache are
 * written, and that may take minutes. Return: 0, -ENODEV, or -EBUSY.
 */
int rxd_state_trylock(struct rxd_disk *d, const char **why)
{
	mutex_lock(&d->change_lock);
	if (mutex_trylock(&d->gd->open_mutex))
		return 0;
	mutex_unlock(&d->change_lock);
	/* The end of a disk takes open_mutex, too. If this is seen late, the tool asks again. */
	if (READ_ONCE(d->dying)) {
		*why = "the disk is being detached";
		return -ENODEV;
	}
	*why = "the disk is being opened or closed, or its partition table is read";
	return -EBUSY;
}

/* Locks a claimed disk. Nobody has it open, so nobody holds open_mutex for long. */
void rxd_state_lock(struct rxd_disk *d)
{
	mutex_lock(&d->change_lock);
	mutex_lock(&d->gd->open_mutex);
	WARN_ON_ONCE(!d->pool.holder[0]);
}

void rxd_state_unlock(struct rxd_disk *d)
{
	mutex_unlock(&d->gd->open_mutex);
	mutex_unlock(&d->change_lock);
}

/* Refuses a disk that is dying or claimed. */
static int check_there(struct rxd_disk *d, const char **why)
{
	lockdep_assert_held(&d->change_lock);
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

static int check_prepared(struct rxd_disk *d, const char **why)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (!d->preparing)
		return 0;
	*why = "the disk is still taking memory, growing or being zeroed";
	return -EBUSY;
}

/* Refuses a disk that a request may not change even if it is open. */
int rxd_state_live(struct rxd_disk *d, const char **why)
{
	return check_there(d, why) ?: check_prepared(d, why);
}

/* Refuses a disk that is in use. */
int rxd_state_closed(struct rxd_disk *d, const char **why)
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
	if (bdev_read_only(d->gd->part0))
		*why = "the disk is set read-only (blockdev --setro)";
	else if (rxd_gendisk_parts_locked(d))
		*why = "a partition of the disk is set read-only (blockdev --setro)";
	else
		return 0;
	return -EROFS;
}

/* Refuses a disk that is in use, busy or protected; any other may lose its content. */
int rxd_state_idle(struct rxd_disk *d, const char **why)
{
	return rxd_state_closed(d, why) ?: check_prepared(d, why) ?: check_writable(d, why);
}

/* Marks the disk dying, and has disk_stop() end it. */
void rxd_state_end(struct rxd_disk *d)
{
	lockdep_assert_held(&d->gd->open_mutex);
	mutex_lock(&rxd_disks_lock);
	d->last_size = rxd_disk_size(d);
	WRITE_ONCE(d->dying, true);
	mutex_unlock(&rxd_disks_lock);
	rxd_state_queue(&d->stop_work);
}

int rxd_state_module_init(void)
{
	life_wq = alloc_workqueue("rxdsk-life", WQ_UNBOUND, 0);
	return life_wq ? 0 : -ENOMEM;
}

/* Returns when the last detach is done and no caller is in rxd_released(). */
void rxd_state_module_stop(void)
{
	flush_workqueue(life_wq);
	synchronize_rcu_tasks();
}

void rxd_state_module_exit(void)
{
	destroy_workqueue(life_wq);
}
