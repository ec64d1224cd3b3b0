// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtlimit.ko: a disk, /dev/rxtlimit, with the limits that its parameters name, to which
 * the block layer splits what it gets; what must not wait ends with EAGAIN instead. Each
 * 4 KiB of it are bytes of value of their number, modulo 256; writes go nowhere.
 * "split" counts the reads that were split or refused.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/module.h>
#include "compat.h"

enum { SIZE = 16 << 20 };

static unsigned int segment, segments, chunk, sectors;
module_param(segment, uint, 0444);
MODULE_PARM_DESC(segment, "longest segment in bytes, or 0");
module_param(segments, uint, 0444);
MODULE_PARM_DESC(segments, "most segments, or 0");
module_param(chunk, uint, 0444);
MODULE_PARM_DESC(chunk, "sectors of a chunk, or 0");
module_param(sectors, uint, 0444);
MODULE_PARM_DESC(sectors, "most sectors, or 0");

static atomic_t split_reads;
static struct gendisk *disk;

static int split_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%d\n", atomic_read(&split_reads));
}
static const struct kernel_param_ops split_ops = { .get = split_get };
module_param_cb(split, &split_ops, NULL, 0444);
MODULE_PARM_DESC(split, "reads that were split or refused");

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

static void rxtlimit_submit_bio(struct bio *bio)
{
	bool read = bio_op(bio) == REQ_OP_READ;
	unsigned int bytes = bio->bi_iter.bi_size;

	bio = bio_split_to_limits(bio);
	if (read && (!bio || bio->bi_iter.bi_size < bytes))
		atomic_inc(&split_reads);
	if (!bio)
		return;
	if (read)
		answer(bio);
	bio_endio(bio);
}

static const struct block_device_operations fops = {
	.owner = THIS_MODULE,
	.submit_bio = rxtlimit_submit_bio,
};

/* Nobody knows the disk yet. */
static void set_limits(struct queue_limits *lim)
{
	if (segment)
		lim->max_segment_size = segment;
	if (segments)
		lim->max_segments = segments;
	if (chunk)
		lim->chunk_sectors = chunk;
	if (sectors)
		lim->max_sectors = sectors;
}

static int __init rxtlimit_init(void)
{
	struct rx_ram_limits limits = {
		.logical_block_size = 512,
		.physical_block_size = 4096,
		.max_sectors = 2048,
		.max_discard_sectors = 0,
	};
	int err;

	disk = rx_alloc_bio_disk(&limits, NUMA_NO_NODE);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	disk->fops = &fops;
	strscpy(disk->disk_name, "rxtlimit", sizeof(disk->disk_name));
	disk->flags |= GENHD_FL_NO_PART;
	set_limits(&disk->queue->limits);
	set_capacity(disk, SIZE >> SECTOR_SHIFT);
	err = add_disk(disk);
	if (err)
		put_disk(disk);
	return err;
}

static void __exit rxtlimit_exit(void)
{
	del_gendisk(disk);
	put_disk(disk);
}

module_init(rxtlimit_init);
module_exit(rxtlimit_exit);
MODULE_DESCRIPTION("rxcache test: a disk with limits");
MODULE_LICENSE("GPL");
