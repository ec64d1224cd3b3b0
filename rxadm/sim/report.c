// SPDX-License-Identifier: GPL-2.0-only
/* Runs what is asked for, and prints it as tables or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "estimate.h"
#include "report.h"
#include "times.h"

enum { TIME_BLOCKS = 1 << 18 };

const char report_no_memory[] = "out of memory; ask for smaller sizes";

uint64_t report_blocks(const struct sim_size *size, uint64_t distinct)
{
	uint64_t blocks = size->bytes / TRACE_BLOCK;

	if (size->percent > 0)
		blocks = distinct * size->percent / 100;
	return blocks ? blocks : 1;
}

double report_percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

void report_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void put_cell(const struct sim_ask *ask, const struct sim_size *size,
		     uint64_t asked, const struct sim_result *r)
{
	if (!ask->json) {
		printf(" %7.2f", report_percent(r->hits, r->reads));
		if (ask->stores)
			printf(" %4.2f", report_percent(r->stores, r->hits) / 100);
		return;
	}
	printf("\"size\":\"%s\",\"asked\":%" PRIu64 ",\"blocks\":%" PRIu64
	       ",\"metadata\":%" PRIu64 ",\"reads\":%" PRIu64
	       ",\"hits\":%" PRIu64 ",\"hit_percent\":%.3f,\"evicted\":%" PRIu64,
	       size->text, asked, r->capacity, r->metadata, r->reads, r->hits,
	       report_percent(r->hits, r->reads), r->evicted);
	if (ask->stores)
		printf(",\"stores\":%" PRIu64, r->stores);
	putchar('}');
}

/* Begins a cell of the JSON. */
static void put_names(const struct rxc_policy *policy, enum sim_mode mode,
		      bool *first)
{
	printf("%s{\"policy\":\"%s\",\"mode\":\"%s\",", *first ? "" : ",\n  ",
	       policy->name, sim_mode_names[mode]);
	*first = false;
}

/* Prints the hit ratios of all sizes. Returns false if there is no memory. */
static bool run_sizes(const struct sim_ask *ask, const struct trace *trace,
		      enum sim_mode mode, const struct rxc_policy *policy,
		      bool *first)
{
	uint64_t enough = trace->distinct * SIM_BLOCKS_ENOUGH, blocks;
	struct sim_result result;
	unsigned int i;

	if (!ask->json)
		printf("%-11s %-6s", sim_mode_names[mode], policy->name);
	for (i = 0; i < ask->nr_sizes; i++) {
		blocks = report_blocks(&ask->sizes[i], trace->distinct);
		if (!sim_run(trace, policy, mode,
			     blocks < enough ? blocks : enough, ask->stores,
			     &result))
			return false;
		if (ask->json)
			put_names(policy, mode, first);
		put_cell(ask, &ask->sizes[i], blocks, &result);
		fflush(stdout);
	}
	if (!ask->json)
		putchar('\n');
	return true;
}

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
			put_names(policy, mode, first);
		else
			printf("%-6s %-10s ", policy->name, sim_mode_names[mode]);
		put_shadow(ask, &ask->sizes[i], &shadow, truth);
	}
	return true;
}

static void put_heads(const struct sim_ask *ask)
{
	unsigned int i;

	if (!ask->shadow) {
		printf("%-18s", "write       policy");
		for (i = 0; i < ask->nr_sizes; i++)
			printf(" %7s%s", ask->sizes[i].text,
			       ask->stores ? "  st." : "");
	} else {
		printf("policy write       size rate    bytes  seen   reads");
		for (i = 0; i < RXC_NR_SHADOWS; i++)
			printf(" %6s error", point_names[i]);
	}
	putchar('\n');
}

/* Returns false if there is no memory. */
static bool run(const struct sim_ask *ask, const struct trace *trace)
{
	bool first = true, good = true;
	unsigned int mode, i;

	for (mode = 0; mode < SIM_MODES; mode++)
		for (i = 0; ask->modes[mode] && i < ask->nr_policies && good; i++)
			good = (ask->shadow ? run_shadows : run_sizes)
				(ask, trace, mode, ask->policies[i], &first);
	return good;
}

static bool report(const struct sim_ask *ask, const char *path,
		   const struct trace *trace)
{
	bool good;

	if (!ask->json) {
		printf("%s: %zu requests, %" PRIu64 " blocks\n", path,
		       trace->nr, trace->distinct);
		if (ask->ahead)
			return report_ahead(ask, trace);
		put_heads(ask);
		return run(ask, trace);
	}
	printf(",\"requests\":%zu,\"distinct\":%" PRIu64 ",\"span\":%" PRIu64
	       ",\"cells\":[\n  ", trace->nr, trace->distinct, trace->span);
	good = (ask->ahead ? report_ahead : run)(ask, trace);
	putchar(']');
	return good;
}

/* In JSON an error is a member of its trace, so that rxadm can print it. */
bool report_trace(const struct sim_ask *ask, const char *path, bool more)
{
	struct trace trace;
	char why[256];
	bool good;

	if (ask->json) {
		fputs("{\"trace\":", stdout);
		report_string(path);
	}
	good = trace_read(&trace, path, ask->memory, why, sizeof(why));
	if (good) {
		good = report(ask, path, &trace);
		if (!good)
			strcpy(why, report_no_memory);
		trace_free(&trace);
	}
	if (ask->json && !good) {
		fputs(",\"error\":", stdout);
		report_string(why);
	} else if (!good) {
		fprintf(stderr, "rxsim: %s: %s\n", path, why);
	}
	if (ask->json)
		printf("}%s\n", more && good ? "," : "");
	return good;
}

bool report_times(const struct sim_ask *ask, bool more)
{
	struct sim_times t;
	unsigned int i;

	if (!ask->json)
		printf("%-6s %9s %9s %9s %9s  ns, median, %u blocks\n", "policy",
		       "lookup", "of policy", "eviction", "of policy", TIME_BLOCKS);
	for (i = 0; i < ask->nr_policies; i++) {
		if (!sim_time(ask->policies[i], TIME_BLOCKS, &t)) {
			fprintf(stderr, "rxsim: %s\n", report_no_memory);
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
