/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens a block device exclusively, and tells when the device is removed. */
#ifndef _RX_COMPAT_CLAIM_H
#define _RX_COMPAT_CLAIM_H

struct rx_claim;

/**
 * struct rx_claim_up - how a driver that shows the claimed device as another disk passes on
 *	to that disk's holders what the block layer asks of the claim's holder
 * @hold: called with the device's holder lock held; may not sleep. Makes the claim stay until
 *	@release, or returns false if there is nobody to pass it on to
 * @release: ends that
 * @freeze: makes the holders write back what they have, and write no more; writes back the
 *	device's own page cache. 0 or an errno, and then nothing is frozen
 * @thaw: ends that. 0 or an errno
 * @sync: makes the holders write back what they have
 *
 * Context: process, may sleep; the block layer calls @freeze and @thaw one at a time.
 * Kernels without RX_HAVE_HOLDER_OPS (up to 6.7) ask only a file system that is mounted
 * directly on the device, so none of these is called.
 */
struct rx_claim_up {
	bool (*hold)(struct rx_claim *claim);
	void (*release)(struct rx_claim *claim);
	int (*freeze)(struct rx_claim *claim);
	int (*thaw)(struct rx_claim *claim);
	void (*sync)(struct rx_claim *claim);
};

/**
 * struct rx_claim - a block device opened exclusively
 * @bdev: the device, valid from open to close
 * @dead: called when the device is removed under us, in process context with
 *	the device's holder lock held: may not open, close or wait for I/O of
 *	the device. Never called on kernels without RX_HAVE_HOLDER_OPS (up to
 *	6.7), where rx_claim_gone() is the only sign. May be NULL.
 * @up: may be NULL
 */
struct rx_claim {
	struct block_device *bdev;
	void (*dead)(struct rx_claim *claim);
	const struct rx_claim_up *up;
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
/*
 * Takes over the holder lock from the block layer and releases it. Returns the claim, which
 * stays until @up->release, or NULL if there is nobody to pass the call on to.
 */
static inline struct rx_claim *rx_claim_hold(struct block_device *bdev)
{
	struct rx_claim *claim = bdev->bd_holder;

	lockdep_assert_held(&bdev->bd_holder_lock);
	if (!claim->up || !claim->up->hold(claim))
		claim = NULL;
	mutex_unlock(&bdev->bd_holder_lock);
	return claim;
}

static inline void rx_claim_sync(struct block_device *bdev)
{
	struct rx_claim *claim = rx_claim_hold(bdev);

	if (claim) {
		claim->up->sync(claim);
		claim->up->release(claim);
	}
	sync_blockdev(bdev);
}

static inline int rx_claim_freeze(struct block_device *bdev)
{
	struct rx_claim *claim = rx_claim_hold(bdev);
	int err;

	if (!claim)
		return sync_blockdev(bdev);
	err = claim->up->freeze(claim);
	claim->up->release(claim);
	return err;
}

static inline int rx_claim_thaw(struct block_device *bdev)
{
	struct rx_claim *claim = rx_claim_hold(bdev);
	int err;

	if (!claim)
		return 0;
	err = claim->up->thaw(claim);
	claim->up->release(claim);
	return err;
}

static const struct blk_holder_ops rx_claim_ops;

/*
 * A device that is removed in order, without @surprise, still takes writes, as file
 * systems expect. Meanwhile the claim may have been closed.
 */
static inline void rx_claim_mark_dead(struct block_device *bdev, bool surprise)
{
	struct rx_claim *claim;

	if (!surprise) {
		rx_claim_sync(bdev);
		mutex_lock(&bdev->bd_holder_lock);
	}
	claim = bdev->bd_holder_ops == &rx_claim_ops ? bdev->bd_holder : NULL;
	if (claim && claim->dead)
		claim->dead(claim);
	/* The block layer hands the lock over to this callback. */
	mutex_unlock(&bdev->bd_holder_lock);
}

static const struct blk_holder_ops rx_claim_ops __maybe_unused = {
	.mark_dead	= rx_claim_mark_dead,
	.sync		= rx_claim_sync,
	.freeze		= rx_claim_freeze,
	.thaw		= rx_claim_thaw,
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

/*
 * Ask the holder of @bdev, as the block layer does, or do what it does if there is none.
 * Only the functions of rx_claim_up call these. Context: process, may sleep.
 */
#ifdef RX_HAVE_HOLDER_OPS
static inline int rx_holder_freeze(struct block_device *bdev)
{
	return bdev_freeze(bdev);
}

/*
 * Thaws, or returns 0 if nothing is frozen any more: SysRq-j thaws every file system,
 * whoever has frozen it. A thaw that fails leaves the count of freezes as it was.
 */
static inline int rx_holder_thaw(struct block_device *bdev)
{
	int err = bdev_thaw(bdev);

	return atomic_read(&bdev->bd_fsfreeze_count) ? err : 0;
}

static inline void rx_holder_sync(struct block_device *bdev)
{
	mutex_lock(&bdev->bd_holder_lock);
	if (bdev->bd_holder_ops && bdev->bd_holder_ops->sync) {
		bdev->bd_holder_ops->sync(bdev);
	} else {
		mutex_unlock(&bdev->bd_holder_lock);
		sync_blockdev(bdev);
	}
}
#else
static inline int rx_holder_freeze(struct block_device *bdev)
{
	return 0;
}

static inline int rx_holder_thaw(struct block_device *bdev)
{
	return 0;
}

static inline void rx_holder_sync(struct block_device *bdev)
{
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
