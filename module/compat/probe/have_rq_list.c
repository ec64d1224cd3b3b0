// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.13: a list of requests is a type of its own. */
#include <linux/blk-mq.h>

int rx_probe(struct rq_list *list);
int rx_probe(struct rq_list *list)
{
	return rq_list_empty(list);
}
