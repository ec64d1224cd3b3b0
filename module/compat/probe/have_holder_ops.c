// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux 6.8: a holder can freeze. Also sure to be so then, but in no prototype
 * (since 6.7): it releases bd_holder_lock when it is told of the end.
 */
#include <linux/blkdev.h>

void rx_mark_dead(struct block_device *bdev, bool surprise);
int rx_freeze(struct block_device *bdev);

extern const struct blk_holder_ops rx_probe;
const struct blk_holder_ops rx_probe = {
	.mark_dead	= rx_mark_dead,
	.freeze		= rx_freeze,
};
