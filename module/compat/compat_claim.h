/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens a block device exclusively, and tells when the device is removed. */
#ifndef _RX_COMPAT_CLAIM_H
#define _RX_COMPAT_CLAIM_H

/**
 * struct rx_claim - a block device opened exclusively
 * @bdev: the device, valid from open to close
 * @dead: called when the device is removed under us, in process context with
 *	the device's holder lock held: may not open, close or wait for I/O of
 *	the device. Never called on kernels without RX_HAVE_HOLDER_OPS (up to
 *	6.7), where rx_claim_gone() is the only sign. May be NULL.
 */
struct rx_claim {
	struct block_device *bdev;
	void (*dead)(struct rx_claim *claim);
	bool read_only;			/* how it was opened */
#if defined(RX_HAVE_BDEV_FILE)
	struct file *file;
#elif defined(RX_HAVE_BDEV_HANDLE)
	struct bdev_handle *handle;
#endif
};

/*
 * Holder operations came with 6.5. Before 6.7 the block layer released the holder lock
 * itself after mark_dead(); since 6.7 the callback has to release it. The prototype is
 * the same, and 6.6.23 and 6.7 have the same ways to open a device, so a build cannot
 * tell the two kinds apart. If holder operations have a freeze method (6.8), the callback
 * releases the lock; holder operations without one are not used.
 */
#ifdef RX_HAVE_HOLDER_OPS
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
#define RX_CLAIM_OPS (&rx_claim_ops)
#else
#define RX_CLAIM_OPS NULL
#endif

/*
 * Opens @dev for reading, and for writing unless @ro, so that no other task can claim
 * it. Context: process, may wait for I/O. Returns 0 or an errno: -EBUSY claimed or
 * mounted, -ENXIO gone, -EROFS or -EACCES not writable.
 */
#if defined(RX_HAVE_BDEV_FILE)
static inline int rx_claim_open(struct rx_claim *claim, dev_t dev, bool ro)
{
	blk_mode_t mode = BLK_OPEN_READ | (ro ? 0 : BLK_OPEN_WRITE);

	claim->read_only = ro;
	claim->file = bdev_file_open_by_dev(dev, mode, claim, RX_CLAIM_OPS);
	if (IS_ERR(claim->file))
		return PTR_ERR(claim->file);
	claim->bdev = file_bdev(claim->file);
	return 0;
}

/* Context: process, may sleep. */
static inline void rx_claim_close(struct rx_claim *claim)
{
	bdev_fput(claim->file);
}
#elif defined(RX_HAVE_BDEV_HANDLE)
static inline int rx_claim_open(struct rx_claim *claim, dev_t dev, bool ro)
{
	blk_mode_t mode = BLK_OPEN_READ | (ro ? 0 : BLK_OPEN_WRITE);

	claim->read_only = ro;
	claim->handle = bdev_open_by_dev(dev, mode, claim, RX_CLAIM_OPS);
	if (IS_ERR(claim->handle))
		return PTR_ERR(claim->handle);
	claim->bdev = claim->handle->bdev;
	return 0;
}

static inline void rx_claim_close(struct rx_claim *claim)
{
	bdev_release(claim->handle);
}
#elif defined(RX_HAVE_PUT_HOLDER)
static inline int rx_claim_open(struct rx_claim *claim, dev_t dev, bool ro)
{
	blk_mode_t mode = BLK_OPEN_READ | (ro ? 0 : BLK_OPEN_WRITE);
	struct block_device *bdev = blkdev_get_by_dev(dev, mode, claim,
						      RX_CLAIM_OPS);

	claim->read_only = ro;
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	claim->bdev = bdev;
	return 0;
}

static inline void rx_claim_close(struct rx_claim *claim)
{
	blkdev_put(claim->bdev, claim);
}
#else
static inline fmode_t rx_claim_mode(bool ro)
{
	return FMODE_READ | FMODE_EXCL | (ro ? 0 : FMODE_WRITE);
}

static inline int rx_claim_open(struct rx_claim *claim, dev_t dev, bool ro)
{
	struct block_device *bdev = blkdev_get_by_dev(dev, rx_claim_mode(ro),
						      claim);

	claim->read_only = ro;
	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	claim->bdev = bdev;
	return 0;
}

static inline void rx_claim_close(struct rx_claim *claim)
{
	blkdev_put(claim->bdev, rx_claim_mode(claim->read_only));
}
#endif

/* Returns whether the device has been removed. Context: any. */
static inline bool rx_claim_gone(const struct rx_claim *claim)
{
	return test_bit(GD_DEAD, &claim->bdev->bd_disk->state);
}

/*
 * Returns whether the device has been removed without a call of @dead, for requests that
 * must not pay for what a callback tells. Context: any.
 */
static inline bool rx_claim_gone_untold(const struct rx_claim *claim)
{
#ifdef RX_HAVE_HOLDER_OPS
	return false;
#else
	return rx_claim_gone(claim);
#endif
}

/*
 * Returns whether an I/O that ended in @status shows that the device has been removed.
 * Without holder operations (up to 6.7), "offline" counts as a sign of that, because
 * the last failure may be the only sign. Context: any.
 */
static inline bool rx_claim_lost(const struct rx_claim *claim,
				 blk_status_t status)
{
#ifndef RX_HAVE_HOLDER_OPS
	if (status == BLK_STS_OFFLINE)
		return true;
#endif
	return status && rx_claim_gone(claim);
}

#endif
