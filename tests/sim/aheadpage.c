// SPDX-License-Identifier: GPL-2.0-only
/* Prints what read-ahead does, as a table or as cells of the JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "ahead.h"
#include "pages.h"

struct ahead_ask ahead_ask = { .think = 10000 };

/* How much smaller @on is than @off, in percent; negative if it is larger. */
static double cut(uint64_t off, uint64_t on)
{
	return off ? 100 * (1 - (double)on / off) : on ? -100 : 0;
}

static double ratio(uint64_t on, uint64_t off)
{
	return off ? (double)on / off : 1;
}

static void put_head(void)
{
	printf("%-11s %-6s %7s %-7s %9s %9s %9s %6s %11s %11s %6s %6s %9s %9s %8s %8s %5s %6s %6s\n",
	       "write", "policy", "size", "disk", "reads", "waits", "ahead", "cut", "ms", "ahead",
	       "cut", "origin", "issued", "used", "late", "vain", "%", "hit", "ahead");
}

static void put_row(const struct ahead_result *off, const struct ahead_result *on)
{
	printf(" %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %6.2f %11.1f %11.1f %6.2f x%5.3f",
	       off->requests, off->waits, on->waits, cut(off->waits, on->waits),
	       off->waited / 1e6, on->waited / 1e6, cut(off->waited, on->waited),
	       ratio(on->origin, off->origin));
	printf(" %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %5.1f %6.2f %6.2f\n",
	       on->issued, on->used, on->late, on->vain, report_percent(on->vain, on->issued),
	       report_percent(off->hits, off->reads), report_percent(on->hits, on->reads));
}

static void put_run(const char *name, const struct ahead_result *r)
{
	printf("\"%s\":{\"waits\":%" PRIu64 ",\"waited_ns\":%" PRIu64 ",\"time_ns\":%" PRIu64
	       ",\"hits\":%" PRIu64 ",\"hit_percent\":%.3f,\"origin\":%" PRIu64 "},",
	       name, r->waits, r->waited, r->time, r->hits, report_percent(r->hits, r->reads),
	       r->origin);
}

static void put_json(const struct ahead_result *off, const struct ahead_result *on)
{
	printf("\"blocks\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"reads\":%" PRIu64 ",",
	       off->capacity, off->requests, off->reads);
	put_run("off", off);
	put_run("auto", on);
	printf("\"waits_cut_percent\":%.3f,\"waited_cut_percent\":%.3f,\"origin_ratio\":%.4f,",
	       cut(off->waits, on->waits), cut(off->waited, on->waited),
	       ratio(on->origin, off->origin));
	printf("\"issued\":%" PRIu64 ",\"used\":%" PRIu64 ",\"late\":%" PRIu64 ",\"vain\":%" PRIu64
	       ",\"vain_percent\":%.3f}", on->issued, on->used, on->late, on->vain,
	       report_percent(on->vain, on->issued));
}

static void put_names(const struct sim_ask *ask, const struct ahead_setup *setup,
		      const struct sim_size *size, uint64_t asked, bool first)
{
	if (ask->json)
		printf("%s{\"policy\":\"%s\",\"mode\":\"%s\",\"size\":\"%s\",\"disk\":\"%s\",\"asked\":%"
		       PRIu64 ",", first ? "" : ",\n  ", setup->policy->name,
		       sim_mode_names[setup->mode], size->text, setup->disk.name, asked);
	else
		printf("%-11s %-6s %7s %-7s", sim_mode_names[setup->mode], setup->policy->name,
		       size->text, setup->disk.name);
}

/* Runs one size on all disks. */
static bool run_disks(const struct sim_ask *ask, const struct trace *trace,
		      struct ahead_setup *setup, const struct sim_size *size, bool *first)
{
	uint64_t asked = report_blocks(size, trace->distinct);
	uint64_t enough = trace->distinct * SIM_BLOCKS_ENOUGH;
	struct ahead_result off, on;
	unsigned int i;

	setup->blocks = asked < enough ? asked : enough;
	for (i = 0; i < ahead_ask.nr_disks; i++) {
		disk_parse(&setup->disk, ahead_ask.disks[i], setup->think);
		setup->on = false;
		if (!ahead_run(trace, setup, &off))
			return false;
		setup->on = true;
		if (!ahead_run(trace, setup, &on))
			return false;
		put_names(ask, setup, size, asked, *first);
		*first = false;
		(ask->json ? put_json : put_row)(&off, &on);
		fflush(stdout);
	}
	return true;
}

bool report_ahead(const struct sim_ask *ask, const struct trace *trace)
{
	struct ahead_setup setup = { .think = ahead_ask.think };
	unsigned int mode, policy, size;
	bool first = true, good = true;

	if (!ask->json)
		put_head();
	for (mode = 0; mode < SIM_MODES; mode++)
		for (policy = 0; ask->modes[mode] && policy < ask->nr_policies; policy++)
			for (size = 0; size < ask->nr_sizes && good; size++) {
				setup.mode = mode;
				setup.policy = ask->policies[policy];
				good = run_disks(ask, trace, &setup, &ask->sizes[size], &first);
			}
	return good;
}
