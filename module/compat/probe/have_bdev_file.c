// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.9: a block device is opened as a struct file. */
#include <linux/blkdev.h>

struct file *rx_probe(dev_t dev, void *holder);
struct file *rx_probe(dev_t dev, void *holder)
{
	return bdev_file_open_by_dev(dev, BLK_OPEN_READ, holder, NULL);
}
