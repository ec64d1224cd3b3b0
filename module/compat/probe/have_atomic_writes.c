// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.11: block devices offer atomic writes. */
#include <linux/blkdev.h>

bool rx_probe(struct block_device *bdev, struct bio *bio);
bool rx_probe(struct block_device *bdev, struct bio *bio)
{
	return bio->bi_opf & REQ_ATOMIC && bdev_can_atomic_write(bdev) &&
	       bdev_get_queue(bdev)->limits.atomic_write_hw_unit_max;
}
