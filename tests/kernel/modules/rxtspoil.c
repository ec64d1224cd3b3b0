// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtspoil.ko: a disk, /dev/rxtspoil, that spoils memory. With "page" 0 or more, a read
 * into more than one page is kept until "release" is written, and then ends well, but by
 * then the page of that number is marked as failed. Any other read is answered at once. Each
 * 4 KiB of it are bytes of value of their number, modulo 256; writes go nowhere. "kept"
 * counts reads that were kept.
 */
#include <linux/module.h>
#include <linux/workqueue.h>
#include "rxtdisk.h"

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

static void late(struct work_struct *work)
{
	struct bio_list all = rxt_take_all(&waiting, &lock);
	struct bio *bio;

	while ((bio = bio_list_pop(&all))) {
		rxt_answer(bio);
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
		rxt_answer(bio);
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
	bio_list_init(&waiting);
	disk = rxt_disk_alloc("rxtspoil", &fops);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	return rxt_disk_add(disk);
}

static void __exit rxtspoil_exit(void)
{
	cancel_work_sync(&late_work);
	rxt_disk_remove(disk);
}

module_init(rxtspoil_init);
module_exit(rxtspoil_exit);
MODULE_DESCRIPTION("rxcache test: a disk that spoils the memory that it reads into");
MODULE_LICENSE("GPL");
