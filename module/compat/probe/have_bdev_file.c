// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.9: a block device is opened as a struct file, with holder ops. */
#include <linux/blkdev.h>

struct file *rx_probe(const char *path, void *holder,
		      const struct blk_holder_ops *ops);
struct file *rx_probe(const char *path, void *holder,
		      const struct blk_holder_ops *ops)
{
	return bdev_file_open_by_path(path, BLK_OPEN_READ, holder, ops);
}
