// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.11: what were flags of a queue are features among its limits. */
#include <linux/blkdev.h>

void rx_probe(struct queue_limits *lim);
void rx_probe(struct queue_limits *lim)
{
	lim->features |= BLK_FEAT_NOWAIT;
}
