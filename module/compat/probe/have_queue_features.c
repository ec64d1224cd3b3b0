// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.11: the limits of a queue have features, which were flags of the queue before. */
#include <linux/blkdev.h>

void rx_probe(struct queue_limits *lim);
void rx_probe(struct queue_limits *lim)
{
	lim->features |= BLK_FEAT_NOWAIT;
}
