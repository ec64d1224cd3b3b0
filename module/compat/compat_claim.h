/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening a block device for oneself alone, and hearing of its end. */
#ifndef _RX_COMPAT_CLAIM_H
#define _RX_COMPAT_CLAIM_H

/**
 * struct rx_claim - a block device opened exclusively
 * @bdev: the device, valid from open to close
 * @dead: called when the device is removed under us, in process context with
 *	the device's holder lock held: may not open, close or wait for I/O of
 *	it. Never called on kernels without holder operations (6.1), where
 *	rx_claim_gone() is the only sign. May be NULL.
 */
struct rx_claim {
	struct block_device *bdev;
	void (*dead)(struct rx_claim *claim);
	bool read_only;			/* how it was opened */
#ifdef RX_HAVE_BDEV_FILE
	struct file *file;
#endif
};

#ifdef RX_HAVE_BDEV_FILE
static inline void rx_claim_mark_dead(struct block_device *bdev, bool surprise)
{
	struct rx_claim *claim = bdev->bd_holder;

	lockdep_assert_held(&bdev->bd_holder_lock);
	if (claim->dead)
		claim->dead(claim);
	/* The block layer hands the lock over to this callback. */
	mutex_unlock(&bdev->bd_holder_lock);
}

static const struct blk_holder_ops rx_claim_ops __maybe_unused = {
	.mark_dead = rx_claim_mark_dead,
};
#endif

/*
 * Opens @dev for reading, and for writing unless @ro, so that nobody else can
 * claim it. Context: process, may wait for I/O. Returns 0 or an errno: -EBUSY
 * claimed or mounted, -ENXIO gone, -EROFS or -EACCES not writable.
 */
static inline int rx_claim_open(struct rx_claim *claim, dev_t dev, bool ro)
{
#ifdef RX_HAVE_BDEV_FILE
	blk_mode_t mode = BLK_OPEN_READ | (ro ? 0 : BLK_OPEN_WRITE);

	claim->read_only = ro;
	claim->file = bdev_file_open_by_dev(dev, mode, claim, &rx_claim_ops);
	if (IS_ERR(claim->file))
		return PTR_ERR(claim->file);
	claim->bdev = file_bdev(claim->file);
	return 0;
#else
	fmode_t mode = FMODE_READ | FMODE_EXCL | (ro ? 0 : FMODE_WRITE);
	struct block_device *bdev = blkdev_get_by_dev(dev, mode, claim);

	claim->read_only = ro;
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	claim->bdev = bdev;
	return 0;
#endif
}

/* Context: process, may sleep. */
static inline void rx_claim_close(struct rx_claim *claim)
{
#ifdef RX_HAVE_BDEV_FILE
	bdev_fput(claim->file);
#else
	blkdev_put(claim->bdev, FMODE_READ | FMODE_EXCL |
				(claim->read_only ? 0 : FMODE_WRITE));
#endif
}

/* Whether the device has been removed. Context: any. */
static inline bool rx_claim_gone(const struct rx_claim *claim)
{
	return test_bit(GD_DEAD, &claim->bdev->bd_disk->state);
}

/*
 * Whether an I/O that ended in @status says that the device has been removed.
 * Where nothing else does (6.1), "offline" is taken for it, since the last
 * failure may be the only sign there is. Context: any.
 */
static inline bool rx_claim_lost(const struct rx_claim *claim,
				 blk_status_t status)
{
#ifndef RX_HAVE_BDEV_FILE
	if (status == BLK_STS_OFFLINE)
		return true;
#endif
	return status && rx_claim_gone(claim);
}

#endif
