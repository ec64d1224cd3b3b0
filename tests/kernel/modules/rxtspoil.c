// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtspoil.ko: a disk, /dev/rxtspoil, that spoils memory. With "page" 0 or more, a read
 * into more than one page is kept until "release" is written, and then ends well, but by
 * then the page of that number is marked as failed. Any other read is answered at once. Each
 * 4 KiB of it are bytes of value of their number, modulo 256; writes go nowhere. "kept"
 * counts reads that were kept.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "compat.h"

enum { SIZE = 16 << 20 };

static int page = -1;
module_param(page, int, 0644);
MODULE_PARM_DESC(page, "number of the page of a read that fails, or -1");

static unsigned int kept;
module_param(kept, uint, 0444);
MODULE_PARM_DESC(kept, "reads that were kept");

static struct gendisk *disk;
static struct bio_list waiting;
static DEFINE_SPINLOCK(lock);		/* what is kept, and the count */

/* The memory of @bio fails, if it has so many pages. */
static void spoil(struct bio *bio, int nr)
{
	unsigned int at = nr << PAGE_SHIFT;
	struct bvec_iter iter = bio->bi_iter;
	struct bio_vec bv;

	if (at >= iter.bi_size)
		return;
	bio_advance_iter(bio, &iter, at);
	bv = bio_iter_iovec(bio, iter);
	SetPageHWPoison(bv.bv_page);
}

static void answer(struct bio *bio)
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

static void late(struct work_struct *work)
{
	struct bio_list all;
	struct bio *bio;

	bio_list_init(&all);
	spin_lock_irq(&lock);
	bio_list_merge(&all, &waiting);
	bio_list_init(&waiting);
	spin_unlock_irq(&lock);
	while ((bio = bio_list_pop(&all))) {
		answer(bio);
		spoil(bio, READ_ONCE(page));
		bio_endio(bio);
	}
}
static DECLARE_WORK(late_work, late);

static int release_set(const char *text, const struct kernel_param *kp)
{
	schedule_work(&late_work);
	return 0;
}
static const struct kernel_param_ops release_ops = { .set = release_set };
module_param_cb(release, &release_ops, NULL, 0200);
MODULE_PARM_DESC(release, "anything that is written ends the reads that are kept");

static void rxtspoil_submit_bio(struct bio *bio)
{
	if (bio_op(bio) != REQ_OP_READ) {
		bio_endio(bio);
	} else if (READ_ONCE(page) < 0 || bio->bi_iter.bi_size <= PAGE_SIZE) {
		answer(bio);
		bio_endio(bio);
	} else {
		spin_lock_irq(&lock);
		bio_list_add(&waiting, bio);
		kept++;
		spin_unlock_irq(&lock);
	}
}

static const struct block_device_operations fops = {
	.owner = THIS_MODULE,
	.submit_bio = rxtspoil_submit_bio,
};

static int __init rxtspoil_init(void)
{
	struct rx_ram_limits limits = {
		.logical_block_size = 512,
		.physical_block_size = 4096,
		.max_sectors = 2048,
		.max_discard_sectors = 0,
	};
	int err;

	bio_list_init(&waiting);
	disk = rx_alloc_bio_disk(&limits, NUMA_NO_NODE);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	disk->fops = &fops;
	strscpy(disk->disk_name, "rxtspoil", sizeof(disk->disk_name));
	disk->flags |= GENHD_FL_NO_PART;
	set_capacity(disk, SIZE >> SECTOR_SHIFT);
	err = add_disk(disk);
	if (err)
		put_disk(disk);
	return err;
}

/* Nobody has the disk open, so nothing of it is in flight. */
static void __exit rxtspoil_exit(void)
{
	cancel_work_sync(&late_work);
	del_gendisk(disk);
	put_disk(disk);
}

module_init(rxtspoil_init);
module_exit(rxtspoil_exit);
MODULE_DESCRIPTION("rxcache test: a disk that spoils the memory that it reads into");
MODULE_LICENSE("GPL");
