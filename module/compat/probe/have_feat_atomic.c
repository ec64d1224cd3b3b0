// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.14: a feature says that a device offers atomic writes. */
#include <linux/blkdev.h>

void rx_probe(struct queue_limits *lim);
void rx_probe(struct queue_limits *lim)
{
	lim->features |= BLK_FEAT_ATOMIC_WRITES;
}
