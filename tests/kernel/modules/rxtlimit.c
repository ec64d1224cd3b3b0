// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtlimit.ko: a disk, /dev/rxtlimit, with the limits that its parameters name, to which
 * the block layer splits what it gets; what must not wait ends with EAGAIN instead. Each
 * 4 KiB of it are bytes of value of their number, modulo 256; writes go nowhere.
 * "split" counts the reads that were split or refused.
 */
#include <linux/module.h>
#include "rxtdisk.h"

static unsigned int segment, segments, chunk, sectors, boundary, virt;
module_param(segment, uint, 0444);
MODULE_PARM_DESC(segment, "longest segment in bytes, or 0");
module_param(segments, uint, 0444);
MODULE_PARM_DESC(segments, "most segments, or 0");
module_param(chunk, uint, 0444);
MODULE_PARM_DESC(chunk, "sectors of a chunk, or 0");
module_param(sectors, uint, 0444);
MODULE_PARM_DESC(sectors, "most sectors, or 0");
module_param(boundary, uint, 0444);
MODULE_PARM_DESC(boundary, "multiple in bytes that no segment crosses, or 0");
module_param(virt, uint, 0444);
MODULE_PARM_DESC(virt, "multiple in bytes at which segments meet in memory, or 0");

static atomic_t split_reads;
static struct gendisk *disk;

static int split_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%d\n", atomic_read(&split_reads));
}
static const struct kernel_param_ops split_ops = { .get = split_get };
module_param_cb(split, &split_ops, NULL, 0444);
MODULE_PARM_DESC(split, "reads that were split or refused");

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
		rxt_answer(bio);
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
	if (boundary)
		lim->seg_boundary_mask = boundary - 1;
	if (virt)
		lim->virt_boundary_mask = virt - 1;
}

static int __init rxtlimit_init(void)
{
	disk = rxt_disk_alloc("rxtlimit", &fops);
	if (IS_ERR(disk))
		return PTR_ERR(disk);
	set_limits(&disk->queue->limits);
	return rxt_disk_add(disk);
}

static void __exit rxtlimit_exit(void)
{
	rxt_disk_remove(disk);
}

module_init(rxtlimit_init);
module_exit(rxtlimit_exit);
MODULE_DESCRIPTION("rxcache test: a disk with limits");
MODULE_LICENSE("GPL");
