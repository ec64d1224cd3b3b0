// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a disk: attach and detach.
 *
 * A disk is on the list of disks from the end of attach until its block device and its
 * memory are gone. Detach marks the disk dying, under open_mutex, so that no task can
 * open it any more. A worker does the rest, because requests run under generic
 * netlink's lock, which all families share. A new disk can have the number only after
 * the event about the end of the old one is sent.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "compat.h"
#include "rxdsk.h"

static int params_check(const struct rxd_params *p, const char **why)
{
	int err = rxd_change_check_size(p->size, why);

	if (err)
		return err;
	if (p->block_size != RXDSK_BLOCK_MIN && p->block_size != RXDSK_BLOCK_MAX) {
		*why = "the block size must be 512 or 4096";
		return -EINVAL;
	}
	if (p->queues > RXDSK_QUEUES_MAX) {
		*why = "a disk has 1 to 64 queues";
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
	mutex_lock(&rxd_disks_lock);
	rxd_disks_remove(index);
	/* Under the lock, so that no event of a new disk of that name precedes this. */
	rxd_event_send(msg);
	mutex_unlock(&rxd_disks_lock);
}

static void disk_stop(struct work_struct *work);

/*
 * Lists the new disk, sends its event and begins to prepare it, all under the lock that a
 * request takes to find the disk. So a detach finds prepare_work queued, and its event
 * follows that of the new disk.
 */
static void announce(struct rxd_disk *d)
{
	mutex_lock(&rxd_disks_lock);
	rxd_disks_add(d);
	rxd_notify_locked(d, RXDSK_CMD_DISK_NEW_NTF);
	if (d->prealloc)
		rxd_state_queue(&d->prepare_work);
	mutex_unlock(&rxd_disks_lock);
}

/*
 * Returns the new disk with a reference for the caller, NULL if none was to be made, or
 * ERR_PTR. A disk with prealloc is listed, but has no block device before
 * rxd_change_work() has taken its memory.
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
	if (p.prealloc && rxd_prepare_check(p.node, rxd_pages_of(p.size), why))
		return ERR_PTR(-ENOSPC);
	err = rxd_disks_reserve(p.index, p.commit, why);
	if (err < 0 || !p.commit)
		return err < 0 ? ERR_PTR(err) : NULL;
	p.index = err;

	*why = "no memory for another disk";
	err = -ENOMEM;
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		goto err_index;
	d->index = p.index;
	d->block_size = p.block_size;
	d->prealloc = p.prealloc;
	d->zero_detect = p.zero_detect;
	d->node = p.node;
	d->queue_mode = p.queue_mode;
	d->end = p.size;
	refcount_set(&d->refs, 2);
	init_completion(&d->unused);
	init_completion(&d->released);
	INIT_WORK(&d->stop_work, disk_stop);
	INIT_WORK(&d->prepare_work, rxd_change_work);
	rxd_state_init(d);
	rxd_store_init(d);
	if (rxd_limit_init(d, p.limit))
		goto err_store;
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

	d->prepare_size = p.size;
	d->preparing = p.prealloc ? RXD_PREPARING_NEW : RXD_PREPARING_NONE;
	announce(d);
	return d;

err_module:
	module_put(THIS_MODULE);
err_gendisk:
	rxd_gendisk_free(d);
err_store:
	rxd_store_destroy(d);
	rxd_limit_free(d);
	kfree(d->node_used);
	kfree(d);
err_index:
	index_release(p.index, NULL);
	return ERR_PTR(err);
}

/*
 * Ends a disk that detach or a failed preparation has marked dying. The steps that take time
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
 * - prepare_work, which may still add the block device: this waits for it first. It is
 *   queued before a detach can see the disk, or under open_mutex while
 *   rxd_state_live() finds it not dying;
 * - its clear, reap, wait and full works: disk_stop() waits for each;
 * - the gendisk: rxd_gendisk_free() waits until its last reference is dropped.
 *
 * The module's reference goes before the event, so that a listener can unload the
 * module when the event arrives: rxd_state_module_stop() waits for the rest.
 */
static void disk_stop(struct work_struct *work)
{
	struct rxd_disk *d = container_of(work, struct rxd_disk, stop_work);
	struct sk_buff *msg;

	cancel_work_sync(&d->prepare_work);
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
	rxd_limit_free(d);
	kfree(d->node_used);
	kfree(d);
}

/*
 * Begins to detach. Return: 0, or an errno, -EALREADY if another task has begun.
 */
int rxd_disk_detach(struct rxd_disk *d, bool commit, const char **why)
{
	int err = rxd_state_trylock(d, why);

	if (!err) {
		err = rxd_state_closed(d, why);
		if (!err && commit)
			rxd_state_end(d);
		rxd_state_unlock(d);
	}
	/* Both refuse a dying disk so, and nothing else. */
	return err == -ENODEV ? -EALREADY : err;
}
