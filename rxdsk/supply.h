/* SPDX-License-Identifier: GPL-2.0-only */
/* Which node the pages come from that mem.c takes. */
#ifndef _RXD_SUPPLY_H
#define _RXD_SUPPLY_H

#include <linux/nodemask.h>
#include <linux/types.h>

/**
 * struct rxd_source - where to take pages
 * @node: the only node to ask, or NUMA_NO_NODE: the kernel chooses, by the task's policy
 * @runs: contiguous pages may be taken, too
 */
struct rxd_source {
	int node;
	bool runs;
};

bool rxd_supply_take(unsigned int nr, struct rxd_source *from);
bool rxd_supply_choose(struct rxd_source *from, const nodemask_t *tried);
bool rxd_supply_node(int node, struct rxd_source *from);
void rxd_supply_end(void);

#endif
