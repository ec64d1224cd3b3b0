// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux 6.8: holder operations have a freeze method. On such a kernel, as since 6.7,
 * mark_dead() has to release bd_holder_lock, which no prototype shows.
 */
#include <linux/blkdev.h>

void rx_mark_dead(struct block_device *bdev, bool surprise);
int rx_freeze(struct block_device *bdev);

extern const struct blk_holder_ops rx_probe;
const struct blk_holder_ops rx_probe = {
	.mark_dead	= rx_mark_dead,
	.freeze		= rx_freeze,
};
