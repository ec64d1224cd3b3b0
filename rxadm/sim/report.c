// SPDX-License-Identifier: GPL-2.0-only
/* Runs what is asked for, and prints it as tables or as JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "report.h"

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
	char *copy = text_utf8(text), *p;

	putchar('"');
	for (p = copy; *p; p++) {
		if (*p == '"' || *p == '\\')
			putchar('\\');
		if ((unsigned char)*p < ' ')
			printf("\\u%04x", *p);
		else
			putchar(*p);
	}
	putchar('"');
	free(copy);
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

void report_names(const struct rxc_policy *policy, enum sim_mode mode, bool *first)
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
			report_names(policy, mode, first);
		put_cell(ask, &ask->sizes[i], blocks, &result);
		fflush(stdout);
	}
	if (!ask->json)
		putchar('\n');
	return true;
}

bool report_sizes(const struct sim_ask *ask, const struct trace *trace)
{
	bool first = true, good = true;
	unsigned int mode, i;

	if (!ask->json) {
		printf("%-18s", "write       policy");
		for (i = 0; i < ask->nr_sizes; i++)
			printf(" %7s%s", ask->sizes[i].text,
			       ask->stores ? "  st." : "");
		putchar('\n');
	}
	for (mode = 0; mode < SIM_MODES; mode++)
		for (i = 0; ask->modes[mode] && i < ask->nr_policies && good; i++)
			good = run_sizes(ask, trace, mode, ask->policies[i], &first);
	return good;
}

static bool report(const struct sim_ask *ask, const char *path,
		   const struct trace *trace)
{
	bool good;

	if (!ask->json) {
		printf("%s: %zu requests, %" PRIu64 " blocks\n", shown(path),
		       trace->nr, trace->distinct);
		return ask->page(ask, trace);
	}
	printf(",\"requests\":%zu,\"distinct\":%" PRIu64 ",\"span\":%" PRIu64
	       ",\"cells\":[\n  ", trace->nr, trace->distinct, trace->span);
	good = ask->page(ask, trace);
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
			strcpy(why, sim_no_memory);
		trace_free(&trace);
	}
	if (ask->json && !good) {
		fputs(",\"error\":", stdout);
		report_string(why);
	} else if (!good) {
		fprintf(stderr, "%s: %s: %s\n",
			program_invocation_short_name, shown(path), why);
	}
	if (ask->json)
		printf("}%s\n", more && good ? "," : "");
	return good;
}

int report_end(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: can't write the output: %s\n", program_invocation_short_name,
		strerror(errno));
	return status ? status : 5;
}
