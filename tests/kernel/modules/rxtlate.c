// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtlate.ko: a disk, /dev/rxtlate, that refuses late. A read that must not wait is
 * kept for "ms" milliseconds and then ends with EAGAIN, in another context; any
 * other read is answered at once. Each 4 KiB of it are bytes of value of their
 * number, modulo 256; writes go nowhere. "asked" counts reads that waited, "refused"
 * those that did not.
 */
#include <linux/module.h>
#include <linux/workqueue.h>
#include "rxtdisk.h"

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
	struct bio_list all = rxt_take_all(&kept, &lock);
	struct bio *bio;

	while ((bio = bio_list_pop(&all))) {
		bio->bi_status = BLK_STS_AGAIN;
		bio_endio(bio);
	}
}

static DECLARE_DELAYED_WORK(late_work, late);

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
		rxt_answer(bio);
	}
	bio_endio(bio);
}

static const struct block_device_operations fops = {
	.owner = THIS_MODULE,
	.submit_bio = rxtlate_submit_bio,
};

static int __init rxtlate_init(void)
{
	bio_list_init(&kept);
	disk = rxt_disk_alloc("rxtlate", &fops);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	return rxt_disk_add(disk);
}

static void __exit rxtlate_exit(void)
{
	cancel_delayed_work_sync(&late_work);
	rxt_disk_remove(disk);
}

module_init(rxtlate_init);
module_exit(rxtlate_exit);
MODULE_DESCRIPTION("rxcache test: a disk that refuses late what must not wait");
MODULE_LICENSE("GPL");
