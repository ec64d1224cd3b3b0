/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of kernel.h: the block layer. */
#define BLK_STS_OK 0
#define BLK_STS_IOERR 10
#define BLK_STS_OFFLINE 16
#define GD_DEAD 2
#define REQ_ATOMIC (1u << 30)

struct file;
struct block_device;
struct gendisk;
struct request_queue;

/* Limits, and what a disk has besides them. */
struct queue_limits {
#if SINCE(6, 11)
	unsigned int features;
#endif
	unsigned int logical_block_size, physical_block_size, io_min;
	unsigned int max_hw_sectors, max_sectors, max_dev_sectors;
	unsigned int max_user_sectors, chunk_sectors, max_segment_size;
	unsigned int max_hw_discard_sectors, max_write_zeroes_sectors;
	unsigned int discard_granularity, max_secure_erase_sectors;
	unsigned int dma_alignment;
	unsigned short max_segments;
	unsigned long seg_boundary_mask, virt_boundary_mask;
#if SINCE(6, 11)
	unsigned int atomic_write_hw_max, atomic_write_max_sectors;
	unsigned int atomic_write_hw_boundary, atomic_write_boundary_sectors;
	unsigned int atomic_write_hw_unit_min, atomic_write_unit_min;
	unsigned int atomic_write_hw_unit_max, atomic_write_unit_max;
#endif
};

/* The bits are this test's own: the same for flags and for features. */
enum { WC, FUA, NOWAIT, IO_STAT, STABLE, NONROT, RANDOM, ATOMIC, POLL };

#if SINCE(6, 11)
#define BLK_FEAT_WRITE_CACHE (1u << WC)
#define BLK_FEAT_FUA (1u << FUA)
#define BLK_FEAT_NOWAIT (1u << NOWAIT)
#define BLK_FEAT_IO_STAT (1u << IO_STAT)
#define BLK_FEAT_POLL (1u << POLL)
#define BLK_FEAT_STABLE_WRITES (1u << STABLE)
#define BLK_FEAT_ROTATIONAL (1u << NONROT)
#else
#define QUEUE_FLAG_NOWAIT NOWAIT
#define QUEUE_FLAG_IO_STAT IO_STAT
#define QUEUE_FLAG_POLL POLL
#define QUEUE_FLAG_STABLE_WRITES STABLE
#define QUEUE_FLAG_NONROT NONROT
#define QUEUE_FLAG_ADD_RANDOM RANDOM
#endif
#if SINCE(6, 14)
#define BLK_FEAT_ATOMIC_WRITES (1u << ATOMIC)
#endif

struct request_queue {
	struct queue_limits limits;
	unsigned long queue_flags;
	int frozen;
};

struct gendisk {
	struct request_queue *queue;
	unsigned long state;
	void *private_data;
};

/* What a holder is told: 6.5 without a reason, from 6.8 on also of freezing. */
#if SINCE(6, 5)
typedef unsigned int blk_mode_t;
#define BLK_OPEN_READ 1u
#define BLK_OPEN_WRITE 2u

struct blk_holder_ops {
#if SINCE(6, 6)
	void (*mark_dead)(struct block_device *bdev, bool surprise);
	void (*sync)(struct block_device *bdev);
#else
	void (*mark_dead)(struct block_device *bdev);
#endif
#if SINCE(6, 8)
	int (*freeze)(struct block_device *bdev);
	int (*thaw)(struct block_device *bdev);
#endif
};
#else
#define FMODE_READ 1u
#define FMODE_WRITE 2u
#define FMODE_EXCL 0x80u
struct blk_holder_ops;
#endif

struct block_device {
	struct gendisk *bd_disk;
	void *bd_holder;
	const struct blk_holder_ops *bd_holder_ops;
	struct mutex bd_holder_lock;
	unsigned int mode;		/* 1 read, 2 write */
#if SINCE(6, 8)
	atomic_t bd_fsfreeze_count;
#endif
};

extern struct block_device rxt_bdev;	/* the only one, of any number */
extern int rxt_syncs;			/* of its page cache */

__unused_fn int sync_blockdev(struct block_device *bdev)
{
	rxt_syncs++;
	return 0;
}

/* Whoever is asked releases the lock. */
#if SINCE(6, 8)
__unused_fn int bdev_freeze(struct block_device *bdev)
{
	int err;

	mutex_lock(&bdev->bd_holder_lock);
	if (bdev->bd_holder_ops && bdev->bd_holder_ops->freeze) {
		err = bdev->bd_holder_ops->freeze(bdev);
	} else {
		mutex_unlock(&bdev->bd_holder_lock);
		err = sync_blockdev(bdev);
	}
	if (bdev->bd_holder_lock.held)
		bug("the holder lock is held after a freeze");
	return err;
}

__unused_fn int bdev_thaw(struct block_device *bdev)
{
	int err = 0;

	mutex_lock(&bdev->bd_holder_lock);
	if (bdev->bd_holder_ops && bdev->bd_holder_ops->thaw)
		err = bdev->bd_holder_ops->thaw(bdev);
	else
		mutex_unlock(&bdev->bd_holder_lock);
	if (bdev->bd_holder_lock.held)
		bug("the holder lock is held after a thaw");
	return err;
}
#endif

__unused_fn struct request_queue *bdev_get_queue(struct block_device *bdev)
{
	return bdev->bd_disk->queue;
}

__unused_fn int bdev_dma_alignment(struct block_device *bdev)
{
	return bdev_get_queue(bdev)->limits.dma_alignment;
}

__unused_fn struct block_device *rxt_open(unsigned int mode, void *holder,
					  const struct blk_holder_ops *ops)
{
	if (!holder)
		bug("not exclusive");
	if (rxt_bdev.bd_holder)
		return ERR_PTR(-EBUSY);
	rxt_bdev.bd_holder = holder;
	rxt_bdev.bd_holder_ops = ops;
	rxt_bdev.mode = mode;
	return &rxt_bdev;
}

__unused_fn void rxt_put(struct block_device *bdev, void *holder)
{
	if (bdev->bd_holder != holder)
		bug("closed by another than who holds it");
	mutex_lock(&bdev->bd_holder_lock);
	bdev->bd_holder = NULL;
	mutex_unlock(&bdev->bd_holder_lock);
}

/* bdev_mark_dead(): until 6.7 it releases the lock, since then the holder does. */
__unused_fn void rxt_remove(struct block_device *bdev)
{
	const struct blk_holder_ops *ops = bdev->bd_holder_ops;

	bdev->bd_disk->state |= 1ul << GD_DEAD;
	(void)ops;
	mutex_lock(&bdev->bd_holder_lock);
#if SINCE(6, 7)
	if (ops && ops->mark_dead)
		ops->mark_dead(bdev, false);
	else
		mutex_unlock(&bdev->bd_holder_lock);
#elif SINCE(6, 6)
	if (ops && ops->mark_dead)
		ops->mark_dead(bdev, false);
	mutex_unlock(&bdev->bd_holder_lock);
#elif SINCE(6, 5)
	if (ops && ops->mark_dead)
		ops->mark_dead(bdev);
	mutex_unlock(&bdev->bd_holder_lock);
#else
	mutex_unlock(&bdev->bd_holder_lock);
#endif
	if (bdev->bd_holder_lock.held)
		bug("the holder lock is held for ever");
}

/* The ways to open a device. */
#if SINCE(6, 9)
__unused_fn struct file *
bdev_file_open_by_dev(dev_t dev, blk_mode_t mode, void *holder,
		      const struct blk_holder_ops *hops)
{
	return dev ? (struct file *)rxt_open(mode, holder, hops) : NULL;
}

__unused_fn struct block_device *file_bdev(struct file *file)
{
	return (struct block_device *)file;
}

__unused_fn void bdev_fput(struct file *file)
{
	rxt_put(file_bdev(file), file_bdev(file)->bd_holder);
}
#endif
#if (SINCE(6, 7) && !SINCE(6, 9)) || STABLE(6, 6, 23, 999)
struct bdev_handle {
	struct block_device *bdev;
	void *holder;
	blk_mode_t mode;
};

__unused_fn struct bdev_handle *
bdev_open_by_dev(dev_t dev, blk_mode_t mode, void *holder,
		 const struct blk_holder_ops *hops)
{
	struct block_device *bdev = dev ? rxt_open(mode, holder, hops) : NULL;
	struct bdev_handle *handle;

	if (IS_ERR(bdev))
		return (struct bdev_handle *)bdev;
	handle = malloc(sizeof(*handle));
	handle->bdev = bdev;
	handle->holder = holder;
	return handle;
}

__unused_fn void bdev_release(struct bdev_handle *handle)
{
	rxt_put(handle->bdev, handle->holder);
	free(handle);
}
#endif
#if SINCE(6, 5) && !SINCE(6, 8)
__unused_fn struct block_device *
blkdev_get_by_dev(dev_t dev, blk_mode_t mode, void *holder,
		  const struct blk_holder_ops *hops)
{
	return dev ? rxt_open(mode, holder, hops) : NULL;
}

__unused_fn void blkdev_put(struct block_device *bdev, void *holder)
{
	rxt_put(bdev, holder);
}
#elif !SINCE(6, 5)
__unused_fn struct block_device *blkdev_get_by_dev(dev_t dev, fmode_t mode,
						   void *holder)
{
	if (!(mode & FMODE_EXCL))
		bug("not exclusive");
	return dev ? rxt_open(mode & ~FMODE_EXCL, holder, NULL) : NULL;
}

__unused_fn void blkdev_put(struct block_device *bdev, fmode_t mode)
{
	if (mode != (bdev->mode | FMODE_EXCL))
		bug("closed in another mode than it was opened in");
	rxt_put(bdev, bdev->bd_holder);
}
#endif

#include "disk.h"
#include "request.h"
