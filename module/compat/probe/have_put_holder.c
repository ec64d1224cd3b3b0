// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.5 and 6.6: blkdev_put() gets the holder of the claim, not the mode. */
#include <linux/blkdev.h>

void rx_probe(struct block_device *bdev, void *holder);
void rx_probe(struct block_device *bdev, void *holder)
{
	blkdev_put(bdev, holder);
}
