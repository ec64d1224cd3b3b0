// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.5: open and release of a disk get the gendisk. */
#include <linux/blkdev.h>

static int rx_open(struct gendisk *disk, blk_mode_t mode)
{
	return 0;
}

static void rx_release(struct gendisk *disk)
{
}

extern const struct block_device_operations rx_probe;
const struct block_device_operations rx_probe = {
	.open		= rx_open,
	.release	= rx_release,
};
