// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submits two chained reads, of which the first to be submitted lies behind the
 * end of the device, and says in the parameter "error" how their parent ended.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/module.h>
#include "compat.h"
#include "compat_claim.h"

static char *dev;
module_param(dev, charp, 0);
MODULE_PARM_DESC(dev, "path of the block device");

static int error;
module_param(error, int, 0444);
MODULE_PARM_DESC(error, "of the parent, as a negative errno");

/* Return: how the parent ended. */
static int submit_both(struct block_device *bdev, struct page *page)
{
	struct bio *parent = bio_alloc(bdev, 1, REQ_OP_READ, GFP_KERNEL);
	struct bio *child = bio_alloc(bdev, 1, REQ_OP_READ, GFP_KERNEL);
	int err;

	parent->bi_iter.bi_sector = 0;
	child->bi_iter.bi_sector = bdev_nr_sectors(bdev);
	__bio_add_page(parent, page, PAGE_SIZE, 0);
	__bio_add_page(child, page, PAGE_SIZE, 0);
	bio_chain(child, parent);
	submit_bio(child);
	err = submit_bio_wait(parent);
	bio_put(parent);
	return err;
}

static int __init rxtchain_init(void)
{
	struct page *page = alloc_page(GFP_KERNEL);
	struct rx_claim claim = {};
	dev_t number;
	int err;

	if (!page)
		return -ENOMEM;
	err = lookup_bdev(dev, &number);
	if (!err)
		err = rx_claim_open(&claim, number, true);
	if (!err) {
		error = submit_both(claim.bdev, page);
		rx_claim_close(&claim);
	}
	__free_page(page);
	return err;
}

static void __exit rxtchain_exit(void)
{
}

module_init(rxtchain_init);
module_exit(rxtchain_exit);
MODULE_DESCRIPTION("rxdsk test: the error of a chained bio");
MODULE_LICENSE("GPL");
