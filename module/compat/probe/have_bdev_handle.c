// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.7 and 6.8, and 6.6 since 6.6.23: a block device is opened as a bdev_handle. */
#include <linux/blkdev.h>

struct block_device *rx_probe(dev_t dev, void *holder);
struct block_device *rx_probe(dev_t dev, void *holder)
{
	return bdev_open_by_dev(dev, BLK_OPEN_READ, holder, NULL)->bdev;
}
