/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of kernel.h: making disks. */
struct blk_mq_tag_set { int dummy; };

__unused_fn void blk_set_stacking_limits(struct queue_limits *lim)
{
	memset(lim, 0, sizeof(*lim));
	lim->logical_block_size = 512;
}

/* Without memory: what each version's function answers then. */
__unused_fn struct gendisk *rxt_disk(const struct queue_limits *lim, void *data,
				     void *failure)
{
	struct gendisk *disk = calloc(1, sizeof(*disk));

	if (rxt_no_memory) {
		free(disk);
		return failure;
	}
	disk->queue = calloc(1, sizeof(*disk->queue));
	if (lim)
		disk->queue->limits = *lim;
	disk->private_data = data;
	return disk;
}

__unused_fn void rxt_stack(struct queue_limits *lim, struct block_device *bdev)
{
	const struct queue_limits *from = &bdev_get_queue(bdev)->limits;

	lim->logical_block_size = from->logical_block_size;
#if SINCE(6, 11)
	/* As blk_stack_limits(): NOWAIT of all, the rest of any. */
	if (!(from->features & BLK_FEAT_NOWAIT))
		lim->features &= ~BLK_FEAT_NOWAIT;
	lim->features |= from->features & (BLK_FEAT_STABLE_WRITES |
					   BLK_FEAT_ROTATIONAL);
#endif
}

#if SINCE(6, 9)
#define blk_alloc_disk(lim, node) rxt_disk(lim, NULL, ERR_PTR(-ENOMEM))
#define blk_mq_alloc_disk(set, lim, data) \
	rxt_disk((set) ? (lim) : NULL, data, ERR_PTR(-ENOMEM))

__unused_fn void queue_limits_stack_bdev(struct queue_limits *lim,
					 struct block_device *bdev,
					 uint64_t offset, const char *prefix)
{
	rxt_stack(lim, bdev);
	if (offset || !prefix)
		bug("offset");
}
#else
#define blk_alloc_disk(node) rxt_disk(NULL, NULL, NULL)
#define blk_mq_alloc_disk(set, data) \
	rxt_disk((set) ? NULL : NULL, data, ERR_PTR(-ENOMEM))

__unused_fn void disk_stack_limits(struct gendisk *disk,
				   struct block_device *bdev, uint64_t offset)
{
	rxt_stack(&disk->queue->limits, bdev);
	if (offset)
		bug("offset");
}
#endif

#define SETTER(name, type, field)					\
	__unused_fn void blk_queue_##name(struct request_queue *q, type to)	\
	{								\
		q->limits.field = to;					\
	}

/* The first of them went in 6.10, the rest in 6.11. */
#if !SINCE(6, 10)
SETTER(max_hw_sectors, unsigned int, max_hw_sectors)
SETTER(max_segments, unsigned short, max_segments)
SETTER(max_segment_size, unsigned int, max_segment_size)
SETTER(segment_boundary, unsigned long, seg_boundary_mask)
SETTER(dma_alignment, int, dma_alignment)
#endif
#if !SINCE(6, 11)
SETTER(logical_block_size, unsigned int, logical_block_size)
SETTER(physical_block_size, unsigned int, physical_block_size)
SETTER(io_min, unsigned int, io_min)
SETTER(max_discard_sectors, unsigned int, max_hw_discard_sectors)
SETTER(max_write_zeroes_sectors, unsigned int, max_write_zeroes_sectors)

__unused_fn void blk_queue_write_cache(struct request_queue *q, bool wc, bool fua)
{
	q->queue_flags |= (unsigned long)wc << WC | (unsigned long)fua << FUA;
}
#endif

/* blk-wbt.c, which only the block layer's own header declares. */
#define CONFIG_BLK_WBT 1
static bool rxt_throttled = true;
#if SINCE(6, 3)
void wbt_disable_default(struct gendisk *disk)
{
	rxt_throttled = disk->queue->limits.logical_block_size == 0;
}
#else
void wbt_disable_default(struct request_queue *q)
{
	rxt_throttled = q->limits.logical_block_size == 0;
}
#endif

/* These are there for ever, for flags that are not features. */
__unused_fn void blk_queue_flag_set(unsigned int flag, struct request_queue *q)
{
	q->queue_flags |= 1ul << flag;
}

__unused_fn void blk_queue_flag_clear(unsigned int flag, struct request_queue *q)
{
	q->queue_flags &= ~(1ul << flag);
}

#if SINCE(6, 11)
__unused_fn bool bdev_can_atomic_write(struct block_device *bdev)
{
	return bdev_get_queue(bdev)->limits.atomic_write_unit_min;
}
#endif

#if SINCE(6, 5)
#define OPEN_ARGUMENTS struct gendisk *disk, blk_mode_t mode
#define RELEASE_ARGUMENTS struct gendisk *disk
#else
#define OPEN_ARGUMENTS struct block_device *bdev, fmode_t mode
#define RELEASE_ARGUMENTS struct gendisk *disk, fmode_t mode
#endif
struct block_device_operations {
	int (*open)(OPEN_ARGUMENTS);
	void (*release)(RELEASE_ARGUMENTS);
};

void del_gendisk(struct gendisk *disk);
