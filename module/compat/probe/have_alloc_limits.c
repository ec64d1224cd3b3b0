// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.9: queue limits are given when a disk is allocated. */
#include <linux/blkdev.h>

struct gendisk *rx_probe(struct queue_limits *lim);
struct gendisk *rx_probe(struct queue_limits *lim)
{
	return blk_alloc_disk(lim, NUMA_NO_NODE);
}
