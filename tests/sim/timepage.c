// SPDX-License-Identifier: GPL-2.0-only
/* Prints the times of look-ups and evictions. */
#include <stdio.h>

#include "pages.h"
#include "times.h"

enum { TIME_BLOCKS = 1 << 18 };

bool report_times(const struct sim_ask *ask, bool more)
{
	struct sim_times t;
	unsigned int i;

	if (!ask->json)
		printf("%-6s %9s %9s %9s %9s  ns, median, %u blocks\n", "policy",
		       "lookup", "of policy", "eviction", "of policy", TIME_BLOCKS);
	for (i = 0; i < ask->nr_policies; i++) {
		if (!sim_time(ask->policies[i], TIME_BLOCKS, &t)) {
			fprintf(stderr, "rxstudy: %s\n", sim_no_memory);
			return false;
		}
		printf(ask->json ? "%s{\"policy\":\"%s\",\"lookup_ns\":%.1f,\"hit_ns\":%.1f,\"store_ns\":%.1f,\"evict_ns\":%.1f}" :
		       "%s%-6s %9.1f %9.1f %9.1f %9.1f\n",
		       ask->json && i ? ",\n" : "", ask->policies[i]->name, t.lookup,
		       t.hit, t.store, t.evict);
	}
	if (ask->json)
		puts(more ? "," : "");
	return true;
}
