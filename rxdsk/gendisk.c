// SPDX-License-Identifier: GPL-2.0-only
/* Makes, adds, opens and frees the block device of a disk. */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include "compat.h"
#include "rxdsk.h"

/*
 * Opens run under open_mutex, like all functions that need a closed disk. So a disk
 * that had no openers when it was marked dying or claimed stays closed.
 */
RX_DEFINE_OPEN(rxd_open)
{
	struct rxd_disk *d = disk->private_data;

	lockdep_assert_held(&disk->open_mutex);
	if (d->dying)
		return -ENXIO;
	if (d->pool.holder[0] || d->preparing == RXD_PREPARING_ZERO)
		return -EBUSY;
	return 0;
}

/* The last method that the block layer calls of a gendisk that was added. */
static void rxd_released(struct gendisk *disk)
{
	struct rxd_disk *d = disk->private_data;

	complete(&d->released);
}

static const struct block_device_operations rxd_mq_fops = {
	.owner		= THIS_MODULE,
	.open		= rxd_open,
	.free_disk	= rxd_released,
};

static const struct block_device_operations rxd_bio_fops = {
	.owner		= THIS_MODULE,
	.open		= rxd_open,
	.submit_bio	= rxd_bio_submit,
	.free_disk	= rxd_released,
};

int rxd_gendisk_alloc(struct rxd_disk *d, const struct rxd_params *p)
{
	/* Whole pages. Linux 6.1 does not check that this fits a bio. */
	const unsigned int most = round_down(UINT_MAX >> SECTOR_SHIFT, PAGE_SECTORS);
	/* A discard of a disk that keeps its memory would zero it, and free nothing. */
	const struct rx_ram_limits lim = {
		.logical_block_size	= p->block_size,
		.physical_block_size	= SZ_4K,
		.max_sectors		= RXD_REQUEST_MAX >> SECTOR_SHIFT,
		.max_discard_sectors	= p->prealloc ? 0 : most,
		.discard_granularity	= p->prealloc ? 0 : PAGE_SIZE,
		.max_zeroes_sectors	= most,
	};
	bool bios = d->queue_mode == RXDSK_QUEUE_MODE_BIO;
	struct gendisk *gd;

	gd = bios ? rxd_bio_alloc(d, &lim) : rxd_queue_alloc(d, p->queues, &lim);
	if (IS_ERR(gd))
		return PTR_ERR(gd);
	d->gd = gd;
	rxd_wait_init(d);
	/* Major and minors stay 0, which asks for numbers from the extended range. */
	gd->fops = bios ? &rxd_bio_fops : &rxd_mq_fops;
	gd->private_data = d;
	snprintf(gd->disk_name, sizeof(gd->disk_name), "rxd%u", d->index);
	set_capacity(gd, p->size >> SECTOR_SHIFT);
	return 0;
}

/*
 * Returns when the last reference to the gendisk is gone, because the gendisk refers to
 * our methods, and its queue to the tags.
 */
void rxd_gendisk_free(struct rxd_disk *d)
{
	bool added = test_bit(GD_ADDED, &d->gd->state);
	struct request_queue *q = d->gd->queue;
	/* free_disk is not called if the disk was never added; then its queue tells. */
	bool held = !added && blk_get_queue(q);

	put_disk(d->gd);
	if (added)
		wait_for_completion(&d->released);
	/* A task may have found the disk in /proc while it was being added. */
	while (held && READ_ONCE(q->disk))
		schedule_timeout_uninterruptible(1);
	if (held)
		blk_put_queue(q);
	if (d->queue_mode == RXDSK_QUEUE_MODE_BIO)
		rxd_bio_free(d);
	else
		rxd_queue_free(d);
}

int rxd_gendisk_add(struct rxd_disk *d)
{
	int err;

	/*
	 * A new disk reads as zeroes, so it has no partitions. The scan's own open
	 * would count as an opener until this task is back in user space.
	 */
	set_bit(GD_SUPPRESS_PART_SCAN, &d->gd->state);
	err = add_disk(d->gd);
	clear_bit(GD_SUPPRESS_PART_SCAN, &d->gd->state);
	if (!err && d->queue_mode == RXDSK_QUEUE_MODE_MQ)
		rx_disk_unthrottled(d->gd);
	return err;
}

static bool has_partitions(struct rxd_disk *d)
{
	unsigned long nr = 0;

	return xa_find_after(&d->gd->part_tbl, &nr, ULONG_MAX, XA_PRESENT);
}

/*
 * Returns whether a partition is set read-only. No partition appears or goes meanwhile,
 * because that takes gd->open_mutex, which the caller holds.
 */
bool rxd_gendisk_parts_locked(struct rxd_disk *d)
{
	struct block_device *part;
	unsigned long nr;

	lockdep_assert_held(&d->gd->open_mutex);
	xa_for_each_start(&d->gd->part_tbl, nr, part, 1)
		if (bdev_read_only(part))
			return true;
	return false;
}

/*
 * Removes the partitions of a closed disk whose data are gone. The scan is not left to
 * the next open (GD_NEED_PART_SCAN). If that opened a partition, the block layer would
 * look up the old partition's device before the scan unhashes it, and the opener would
 * keep the old device beside a new one for the same sectors. Context: process, under
 * gd->open_mutex.
 */
void rxd_gendisk_rescan(struct rxd_disk *d)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (has_partitions(d))
		bdev_disk_changed(d->gd, false);
	/* The disk is closed, so no last close drops what the scan has read. */
	invalidate_bdev(d->gd->part0);
}
