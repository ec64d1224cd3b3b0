/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocates disks with their queue limits. */
#ifndef _RX_COMPAT_DISK_H
#define _RX_COMPAT_DISK_H

/**
 * struct rx_ram_limits - limits of a disk that is memory
 * @logical_block_size: 512 or 4096
 * @physical_block_size: also the smallest I/O without read-modify-write
 * @max_sectors: longest request
 * @max_discard_sectors: longest discard, 0 for none
 * @discard_granularity: smallest piece that a discard frees
 * @max_zeroes_sectors: longest write-zeroes
 */
struct rx_ram_limits {
	unsigned int logical_block_size;
	unsigned int physical_block_size;
	unsigned int max_sectors;
	unsigned int max_discard_sectors;
	unsigned int discard_granularity;
	unsigned int max_zeroes_sectors;
};

#ifdef RX_HAVE_ALLOC_LIMITS
static inline struct queue_limits rx_ram_queue_limits(const struct rx_ram_limits *ram)
{
	return (struct queue_limits){
		.logical_block_size	= ram->logical_block_size,
		.physical_block_size	= ram->physical_block_size,
		.io_min			= ram->physical_block_size,
		.max_hw_sectors		= ram->max_sectors,
		.max_segments		= USHRT_MAX,
		.max_segment_size	= UINT_MAX,
		.seg_boundary_mask	= ULONG_MAX,
		.max_hw_discard_sectors	= ram->max_discard_sectors,
		.max_write_zeroes_sectors = ram->max_zeroes_sectors,
		.discard_granularity	= ram->discard_granularity,
		.dma_alignment		= 3,
	};
}
#endif

/*
 * Since 6.11 (RX_HAVE_QUEUE_FEATURES) the features of a disk are a part of its limits.
 * On older kernels they are set in its queue, before the disk is added.
 */
#ifndef RX_HAVE_QUEUE_FEATURES
static inline void rx_queue_not_rotational(struct request_queue *q)
{
	blk_queue_flag_set(QUEUE_FLAG_NONROT, q);
	blk_queue_flag_clear(QUEUE_FLAG_ADD_RANDOM, q);
}

static inline void rx_queue_stack_features(struct request_queue *q,
					   struct request_queue *origin)
{
	blk_queue_write_cache(q, true, true);
	blk_queue_flag_set(QUEUE_FLAG_IO_STAT, q);
	blk_queue_flag_clear(QUEUE_FLAG_ADD_RANDOM, q);
	if (test_bit(QUEUE_FLAG_NOWAIT, &origin->queue_flags))
		blk_queue_flag_set(QUEUE_FLAG_NOWAIT, q);
	if (test_bit(QUEUE_FLAG_NONROT, &origin->queue_flags))
		blk_queue_flag_set(QUEUE_FLAG_NONROT, q);
	if (test_bit(QUEUE_FLAG_STABLE_WRITES, &origin->queue_flags))
		blk_queue_flag_set(QUEUE_FLAG_STABLE_WRITES, q);
}
#endif

#ifndef RX_HAVE_ALLOC_LIMITS
static inline void rx_ram_set_limits(struct request_queue *q,
				     const struct rx_ram_limits *ram)
{
	blk_queue_logical_block_size(q, ram->logical_block_size);
	blk_queue_physical_block_size(q, ram->physical_block_size);
	blk_queue_io_min(q, ram->physical_block_size);
	blk_queue_max_hw_sectors(q, ram->max_sectors);
	blk_queue_max_segments(q, USHRT_MAX);
	blk_queue_max_segment_size(q, UINT_MAX);
	blk_queue_segment_boundary(q, ULONG_MAX);
	blk_queue_max_discard_sectors(q, ram->max_discard_sectors);
	blk_queue_max_write_zeroes_sectors(q, ram->max_zeroes_sectors);
	q->limits.discard_granularity = ram->discard_granularity;
	blk_queue_dma_alignment(q, 3);
}
#endif

/*
 * Allocates a blk-mq disk over @set, which is not rotational and has no volatile cache
 * and no limit on segments. Context: process, may sleep. Returns the disk or an
 * ERR_PTR.
 */
static inline struct gendisk *
rx_alloc_mq_disk(struct blk_mq_tag_set *set, const struct rx_ram_limits *ram,
		 void *queuedata)
{
#ifdef RX_HAVE_ALLOC_LIMITS
	struct queue_limits lim = rx_ram_queue_limits(ram);
	struct gendisk *disk = blk_mq_alloc_disk(set, &lim, queuedata);
#else
	struct gendisk *disk = blk_mq_alloc_disk(set, queuedata);
#endif

	if (IS_ERR(disk))
		return disk;
#ifndef RX_HAVE_ALLOC_LIMITS
	rx_ram_set_limits(disk->queue, ram);
#endif
#ifndef RX_HAVE_QUEUE_FEATURES
	rx_queue_not_rotational(disk->queue);
#endif
	return disk;
}

/*
 * Allocates a bio-based disk with the limits of rx_alloc_mq_disk(), and with NOWAIT, I/O
 * accounting and polled I/O. Context: process, may sleep. Returns the disk or an ERR_PTR.
 */
static inline struct gendisk *
rx_alloc_bio_disk(const struct rx_ram_limits *ram, int node)
{
#ifdef RX_HAVE_ALLOC_LIMITS
	struct queue_limits lim = rx_ram_queue_limits(ram);
	struct gendisk *disk;

#ifdef RX_HAVE_QUEUE_FEATURES
	lim.features |= BLK_FEAT_NOWAIT | BLK_FEAT_IO_STAT | BLK_FEAT_POLL;
#endif
	disk = blk_alloc_disk(&lim, node);
	if (IS_ERR(disk))
		return disk;
#else
	struct gendisk *disk = blk_alloc_disk(node);

	if (!disk)
		return ERR_PTR(-ENOMEM);
	rx_ram_set_limits(disk->queue, ram);
#endif
#ifndef RX_HAVE_QUEUE_FEATURES
	rx_queue_not_rotational(disk->queue);
	blk_queue_flag_set(QUEUE_FLAG_NOWAIT, disk->queue);
	blk_queue_flag_set(QUEUE_FLAG_IO_STAT, disk->queue);
	blk_queue_flag_set(QUEUE_FLAG_POLL, disk->queue);
#endif
	return disk;
}

/*
 * Switches off the throttling of page cache writes that the kernel begins by default for
 * each blk-mq disk when it is added. It measures read latencies, to protect reads from
 * queues of writes, and a disk that is memory has no such queues. A value that a user
 * sets (wbt_lat_usec) holds. Schedulers use this function, so it is exported, but its
 * prototype is in no header, and no probe can compile it. Context: process, after the
 * disk was added.
 */
#ifdef CONFIG_BLK_WBT
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
void wbt_disable_default(struct gendisk *disk);

static inline void rx_disk_unthrottled(struct gendisk *disk)
{
	wbt_disable_default(disk);
}
#else
void wbt_disable_default(struct request_queue *q);

static inline void rx_disk_unthrottled(struct gendisk *disk)
{
	wbt_disable_default(disk->queue);
}
#endif
#else
static inline void rx_disk_unthrottled(struct gendisk *disk)
{
}
#endif

/* Returns whether the device must get the bio whole or not at all. Context: any. */
static inline bool rx_bio_atomic(const struct bio *bio)
{
#ifdef RX_HAVE_ATOMIC_WRITES
	return bio->bi_opf & REQ_ATOMIC;
#else
	return false;
#endif
}

#ifdef RX_HAVE_ATOMIC_WRITES
/*
 * Gives the disk the limits of atomic writes that the origin has after its other limits
 * were applied. The kernel stacks them, too, but only from 6.13 on and within io_min.
 */
static inline void rx_stack_atomic(struct queue_limits *lim,
				   struct block_device *origin)
{
	const struct queue_limits *from = &bdev_get_queue(origin)->limits;

	lim->atomic_write_hw_max = 0;
	if (!bdev_can_atomic_write(origin))
		return;
#ifdef RX_HAVE_FEAT_ATOMIC
	lim->features |= BLK_FEAT_ATOMIC_WRITES;
#endif
	lim->atomic_write_hw_max = from->atomic_write_max_sectors << SECTOR_SHIFT;
	lim->atomic_write_hw_boundary =
		from->atomic_write_boundary_sectors << SECTOR_SHIFT;
	lim->atomic_write_hw_unit_min = from->atomic_write_unit_min;
	lim->atomic_write_hw_unit_max = from->atomic_write_unit_max;
}
#else
static inline void rx_stack_atomic(struct queue_limits *lim,
				   struct block_device *origin)
{
}
#endif

/*
 * Allocates a bio-based disk stacked on @origin. It has the origin's block sizes,
 * alignment and discard limits, NOWAIT and atomic writes if the origin has them, I/O
 * accounting and no polling; FLUSH and FUA are always passed down. Requests are split
 * at @max_sectors only, because the origin splits them by itself, and for cached reads
 * its limits do not matter. Context: process, may sleep. Returns the disk or an ERR_PTR.
 */
static inline struct gendisk *
rx_alloc_stacked_disk(struct block_device *origin, unsigned int max_sectors,
		      int node)
{
#ifdef RX_HAVE_ALLOC_LIMITS
	struct queue_limits lim;
	struct gendisk *disk;

	blk_set_stacking_limits(&lim);
#ifdef RX_HAVE_QUEUE_FEATURES
	lim.features |= BLK_FEAT_NOWAIT;
#endif
	queue_limits_stack_bdev(&lim, origin, 0, "rxcache");
#ifdef RX_HAVE_QUEUE_FEATURES
	lim.features |= BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA | BLK_FEAT_IO_STAT;
#endif
	lim.max_hw_sectors = max_sectors;
	lim.max_dev_sectors = 0;
	lim.max_user_sectors = 0;
	lim.chunk_sectors = 0;
	lim.dma_alignment = bdev_dma_alignment(origin);
	lim.max_segments = USHRT_MAX;
	lim.max_segment_size = UINT_MAX;
	lim.seg_boundary_mask = ULONG_MAX;
	lim.virt_boundary_mask = 0;
	lim.max_secure_erase_sectors = 0;
	rx_stack_atomic(&lim, origin);
	disk = blk_alloc_disk(&lim, node);
	if (IS_ERR(disk))
		return disk;
#else
	struct gendisk *disk = blk_alloc_disk(node);
	struct request_queue *q;

	if (!disk)
		return ERR_PTR(-ENOMEM);
	q = disk->queue;
	blk_set_stacking_limits(&q->limits);
	disk_stack_limits(disk, origin, 0);
	q->limits.max_hw_sectors = max_sectors;
	q->limits.max_sectors = max_sectors;
	q->limits.max_dev_sectors = max_sectors;
	q->limits.chunk_sectors = 0;
	q->limits.max_segments = USHRT_MAX;
	q->limits.max_segment_size = UINT_MAX;
	q->limits.seg_boundary_mask = ULONG_MAX;
	q->limits.virt_boundary_mask = 0;
	q->limits.max_secure_erase_sectors = 0;
	blk_queue_dma_alignment(q, bdev_dma_alignment(origin));
#endif
#ifndef RX_HAVE_QUEUE_FEATURES
	rx_queue_stack_features(disk->queue, bdev_get_queue(origin));
#endif
	return disk;
}

#endif
