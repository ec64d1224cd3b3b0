/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the disks of tests have in common: 16 MiB, of which each 4 KiB are bytes of value
 * of their number, modulo 256. Writes go nowhere.
 */
#ifndef _RXTDISK_H
#define _RXTDISK_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/highmem.h>
#include <linux/spinlock.h>
#include "compat.h"

/* Puts into @bio, a read, what the disk holds there. Context: any; does not end it. */
static inline void rxt_answer(struct bio *bio)
{
	u64 pos = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter;
	struct bio_vec bv;
	unsigned int i;
	u8 *p;

	bio_for_each_segment(bv, bio, iter) {
		p = bvec_kmap_local(&bv);
		for (i = 0; i < bv.bv_len; i++)
			p[i] = (pos + i) >> 12;
		kunmap_local(p);
		pos += bv.bv_len;
	}
}

/* Takes all bios out of @kept, which @lock protects. Context: process. */
static inline struct bio_list rxt_take_all(struct bio_list *kept, spinlock_t *lock)
{
	struct bio_list all;

	spin_lock_irq(lock);
	all = *kept;
	bio_list_init(kept);
	spin_unlock_irq(lock);
	return all;
}

/* Returns a disk that nobody knows yet, or an ERR_PTR. Context: process, sleeps. */
static inline struct gendisk *rxt_disk_alloc(const char *name,
					     const struct block_device_operations *fops)
{
	struct rx_ram_limits limits = {
		.logical_block_size = 512,
		.physical_block_size = 4096,
		.max_sectors = 2048,
		.max_discard_sectors = 0,
	};
	struct gendisk *disk = rx_alloc_bio_disk(&limits, NUMA_NO_NODE);

	if (IS_ERR(disk))
		return disk;
	disk->fops = fops;
	strscpy(disk->disk_name, name, sizeof(disk->disk_name));
	disk->flags |= GENHD_FL_NO_PART;
	set_capacity(disk, (16 << 20) >> SECTOR_SHIFT);
	return disk;
}

/* Adds the disk; if that fails, it is gone. Context: process, sleeps. */
static inline int rxt_disk_add(struct gendisk *disk)
{
	int err = add_disk(disk);

	if (err)
		put_disk(disk);
	return err;
}

/* Nobody has the disk open, so nothing of it is in flight. Context: process, sleeps. */
static inline void rxt_disk_remove(struct gendisk *disk)
{
	del_gendisk(disk);
	put_disk(disk);
}

#endif
