// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.14: freezing a queue returns the caller's allocation flags. */
#include <linux/blkdev.h>
#include <linux/blk-mq.h>

void rx_probe(struct request_queue *q);
void rx_probe(struct request_queue *q)
{
	unsigned int memflags = blk_mq_freeze_queue(q);

	blk_mq_unfreeze_queue(q, memflags);
}
