// SPDX-License-Identifier: GPL-2.0-only
/* Prints what the shadow of a cache estimates, and the error. */
#include <inttypes.h>
#include <stdio.h>

#include "estimate.h"
#include "pages.h"

static const char *const point_names[RXC_NR_SHADOWS] = {
	"x0.5", "x1", "x2", "x4", "x8", "flipped", "bypass",
};

static void put_shadow(const struct sim_ask *ask, const struct sim_size *size,
		       const struct sim_shadow *shadow,
		       const struct sim_result *truth)
{
	double estimate;
	unsigned int i;

	printf(ask->json ? "\"size\":\"%s\",\"rate\":%u,\"bytes\":%" PRIu64 ",\"distinct\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"points\":[" :
	       "%5s 1/%-4u %6" PRIu64 " %5" PRIu64 " %7" PRIu64,
	       size->text, shadow->rate, shadow->bytes, shadow->distinct,
	       shadow->reads);
	for (i = 0; i < RXC_NR_SHADOWS; i++) {
		estimate = report_percent(shadow->hits[i], shadow->reads);
		if (ask->json)
			printf("%s{\"what\":\"%s\",\"blocks\":%" PRIu64 ",\"estimate_percent\":%.3f,\"hit_percent\":%.3f}",
			       i ? "," : "", point_names[i], truth[i].capacity,
			       estimate, report_percent(truth[i].hits, truth[i].reads));
		else
			printf(" %6.2f %+5.2f", estimate,
			       sim_shadow_error(shadow, i, &truth[i]));
	}
	fputs(ask->json ? "]}" : "\n", stdout);
	fflush(stdout);
}

/* Prints a row for each size. Returns false if there is no memory. */
static bool run_shadows(const struct sim_ask *ask, const struct trace *trace,
			enum sim_mode mode, const struct rxc_policy *policy,
			bool *first)
{
	struct sim_result truth[RXC_NR_SHADOWS];
	struct sim_shadow shadow;
	unsigned int i, point;
	uint64_t blocks;

	for (i = 0; i < ask->nr_sizes; i++) {
		blocks = report_blocks(&ask->sizes[i], trace->distinct);
		if (!sim_shadow(trace, policy, mode, blocks, &shadow))
			return false;
		for (point = 0; point < RXC_NR_SHADOWS; point++)
			if (!sim_shadow_truth(trace, policy, mode, blocks,
					      point, &truth[point]))
				return false;
		if (ask->json)
			report_names(policy, mode, first);
		else
			printf("%-6s %-10s ", policy->name, sim_mode_names[mode]);
		put_shadow(ask, &ask->sizes[i], &shadow, truth);
	}
	return true;
}

bool report_shadows(const struct sim_ask *ask, const struct trace *trace)
{
	bool first = true, good = true;
	unsigned int mode, i;

	if (!ask->json) {
		printf("policy write       size rate    bytes  seen   reads");
		for (i = 0; i < RXC_NR_SHADOWS; i++)
			printf(" %6s error", point_names[i]);
		putchar('\n');
	}
	for (mode = 0; mode < SIM_MODES; mode++)
		for (i = 0; ask->modes[mode] && i < ask->nr_policies && good; i++)
			good = run_shadows(ask, trace, mode, ask->policies[i], &first);
	return good;
}
