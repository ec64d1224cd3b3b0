// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtlate.ko: a disk, /dev/rxtlate, that refuses late. A read that must not wait is
 * kept for "ms" milliseconds and then ends with EAGAIN, in another context; any
 * other read is answered at once. Each 4 KiB of it are bytes of value of their
 * number, modulo 256; writes go nowhere. "asked" counts reads that waited, "refused"
 * those that did not.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "compat.h"

enum { SIZE = 16 << 20 };

static unsigned int ms = 300;
module_param(ms, uint, 0644);
MODULE_PARM_DESC(ms, "how long a read that must not wait is kept");

static unsigned int asked, refused;
module_param(asked, uint, 0444);
MODULE_PARM_DESC(asked, "reads that were answered");
module_param(refused, uint, 0444);
MODULE_PARM_DESC(refused, "reads that were refused");

static struct gendisk *disk;
static struct bio_list kept;
static DEFINE_SPINLOCK(lock);		/* what is kept, and the counts */

static void late(struct work_struct *work)
{
	struct bio_list all;
	struct bio *bio;

	bio_list_init(&all);
	spin_lock_irq(&lock);
	bio_list_merge(&all, &kept);
	bio_list_init(&kept);
	spin_unlock_irq(&lock);
	while ((bio = bio_list_pop(&all))) {
		bio->bi_status = BLK_STS_AGAIN;
		bio_endio(bio);
	}
}

static DECLARE_DELAYED_WORK(late_work, late);

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

static void rxtlate_submit_bio(struct bio *bio)
{
	bool keep = bio_op(bio) == REQ_OP_READ && bio->bi_opf & REQ_NOWAIT;

	if (bio_op(bio) == REQ_OP_READ) {
		spin_lock_irq(&lock);
		if (keep) {
			bio_list_add(&kept, bio);
			refused++;
		} else {
			asked++;
		}
		spin_unlock_irq(&lock);
		if (keep) {
			schedule_delayed_work(&late_work, msecs_to_jiffies(ms));
			return;
		}
		answer(bio);
	}
	bio_endio(bio);
}

static const struct block_device_operations fops = {
	.owner = THIS_MODULE,
	.submit_bio = rxtlate_submit_bio,
};

static int __init rxtlate_init(void)
{
	struct rx_ram_limits limits = {
		.logical_block_size = 512,
		.physical_block_size = 4096,
		.max_sectors = 2048,
		.max_discard_sectors = 0,
	};
	int err;

	bio_list_init(&kept);
	disk = rx_alloc_bio_disk(&limits, NUMA_NO_NODE);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	disk->fops = &fops;
	strscpy(disk->disk_name, "rxtlate", sizeof(disk->disk_name));
	disk->flags |= GENHD_FL_NO_PART;
	set_capacity(disk, SIZE >> SECTOR_SHIFT);
	err = add_disk(disk);
	if (err)
		put_disk(disk);
	return err;
}

/* Nobody has the disk open, so nothing of it is in flight. */
static void __exit rxtlate_exit(void)
{
	cancel_delayed_work_sync(&late_work);
	del_gendisk(disk);
	put_disk(disk);
}

module_init(rxtlate_init);
module_exit(rxtlate_exit);
MODULE_DESCRIPTION("rxcache test: a disk that refuses late what must not wait");
MODULE_LICENSE("GPL");
