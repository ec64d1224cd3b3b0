// SPDX-License-Identifier: GPL-2.0-only
/* Prints what a mix of traces hits in shared and in divided memory. */
#include <inttypes.h>
#include <stdio.h>

#include "mix.h"
#include "pages.h"

/* The ways to use the memory. */
enum { SHARED, BEST, EQUAL, WAYS };

static const struct {
	const char *name;
	bool (*run)(const struct mix *mix, const struct rxc_policy *policy,
		    enum sim_mode mode, uint64_t blocks, struct mix_result *result);
} ways[WAYS] = {
	[SHARED] = { "shared", mix_share },
	[BEST] = { "best", mix_best },
	[EQUAL] = { "equal", mix_equal },
};

/* One trace, or all of them, in each way. */
struct line {
	const struct sim_result *way[WAYS];
};

static struct line line_of(const struct mix_result *result, unsigned int nr,
			   unsigned int line)
{
	struct line l;
	unsigned int way;

	for (way = 0; way < WAYS; way++)
		l.way[way] = line < nr ? &result[way].of[line] : &result[way].all;
	return l;
}

static double hits(const struct line *line, unsigned int way)
{
	return report_percent(line->way[way]->hits, line->way[way]->reads);
}

static double points(const struct line *line)
{
	return hits(line, SHARED) - hits(line, BEST);
}

static void put_members(const struct line *line)
{
	unsigned int way;

	printf("\"reads\":%" PRIu64, line->way[SHARED]->reads);
	for (way = 0; way < WAYS; way++)
		printf(",\"%s\":{\"blocks\":%" PRIu64 ",\"hits\":%" PRIu64
		       ",\"hit_percent\":%.3f}", ways[way].name,
		       line->way[way]->capacity, line->way[way]->hits,
		       hits(line, way));
	printf(",\"points\":%.3f", points(line));
}

static void put_cell(const struct mix_result *result, char **paths,
		     unsigned int nr)
{
	struct line line = line_of(result, nr, nr);
	unsigned int i;

	put_members(&line);
	fputs(",\"traces\":[", stdout);
	for (i = 0; i < nr; i++) {
		line = line_of(result, nr, i);
		fputs(i ? ",\n    {\"trace\":" : "\n    {\"trace\":", stdout);
		report_string(paths[i]);
		putchar(',');
		put_members(&line);
		putchar('}');
	}
	fputs("]}", stdout);
}

static void put_rows(const char *head, const struct mix_result *result,
		     char **paths, unsigned int nr, uint64_t blocks)
{
	struct line line;
	unsigned int i;

	for (i = 0; i <= nr; i++) {
		line = line_of(result, nr, i);
		printf("%s %6.2f %6.2f %+6.2f %6.2f %6.1f %6.1f  %s\n", head,
		       hits(&line, SHARED), hits(&line, BEST), points(&line),
		       hits(&line, EQUAL),
		       report_percent(line.way[SHARED]->capacity, blocks),
		       report_percent(line.way[BEST]->capacity, blocks),
		       i < nr ? paths[i] : "all");
	}
}

/* Returns false if there is no memory. */
static bool run_size(const struct sim_ask *ask, const struct mix *mix, char **paths,
		     enum sim_mode mode, const struct rxc_policy *policy,
		     const struct sim_size *size, bool *first)
{
	uint64_t blocks = report_blocks(size, mix_distinct(mix));
	struct mix_result result[WAYS];
	unsigned int way;
	char head[64];

	for (way = 0; way < WAYS; way++)
		if (!ways[way].run(mix, policy, mode, blocks, &result[way]))
			return false;
	if (ask->json) {
		printf("%s{\"policy\":\"%s\",\"mode\":\"%s\",\"size\":\"%s\",\"asked\":%" PRIu64 ",",
		       *first ? "" : ",\n  ", policy->name, sim_mode_names[mode],
		       size->text, blocks);
		put_cell(result, paths, mix->nr);
	} else {
		snprintf(head, sizeof(head), "%-11s %-6s %6s",
			 sim_mode_names[mode], policy->name, size->text);
		put_rows(head, result, paths, mix->nr, blocks);
	}
	*first = false;
	fflush(stdout);
	return true;
}

/* Returns false if there is no memory. */
static bool run(const struct sim_ask *ask, const struct mix *mix, char **paths)
{
	bool first = true, good = true;
	unsigned int mode, i, size;

	for (mode = 0; mode < SIM_MODES; mode++)
		for (i = 0; ask->modes[mode] && i < ask->nr_policies; i++)
			for (size = 0; good && size < ask->nr_sizes; size++)
				good = run_size(ask, mix, paths, mode,
						ask->policies[i],
						&ask->sizes[size], &first);
	return good;
}

static void put_heads(const struct sim_ask *ask, const struct mix *mix, char **paths)
{
	const char *order = mix_timed(mix) ? "time" : "length";
	unsigned int i;

	if (ask->json)
		printf("\"order\":\"%s\",\"distinct\":%" PRIu64 ",\"traces\":[\n  ",
		       order, mix_distinct(mix));
	for (i = 0; i < mix->nr; i++) {
		if (!ask->json) {
			printf("%s: %zu requests, %" PRIu64 " blocks\n", paths[i],
			       mix->trace[i].nr, mix->trace[i].distinct);
			continue;
		}
		fputs(i ? ",\n  {\"trace\":" : "{\"trace\":", stdout);
		report_string(paths[i]);
		printf(",\"requests\":%zu,\"distinct\":%" PRIu64 "}",
		       mix->trace[i].nr, mix->trace[i].distinct);
	}
	if (ask->json)
		fputs("],\"cells\":[\n  ", stdout);
	else
		printf("mixed by %s\n"
		       "write       policy   size shared   best points  equal memory   part\n",
		       order);
}

static bool report(const struct sim_ask *ask, const struct mix *mix, char **paths)
{
	bool good;

	put_heads(ask, mix, paths);
	good = run(ask, mix, paths);
	if (ask->json)
		putchar(']');
	return good;
}

/*
 * Reads the traces one after the other, into the memory that is left. If that fails,
 * mix->nr is the number of the trace that can't be read.
 */
static bool read_mix(struct mix *mix, char **paths, unsigned int nr, uint64_t memory,
		     char *why, size_t len)
{
	struct trace *trace = mix->trace;

	for (; mix->nr < nr; mix->nr++, trace++) {
		if (!trace_read(trace, paths[mix->nr], memory, why, len))
			return false;
		memory -= trace_bytes(trace);
	}
	return true;
}

/* Ends the object, if it is JSON, with what failed: a trace, or if @path is NULL all. */
static void put_error(const struct sim_ask *ask, const char *path, const char *why)
{
	if (!ask->json) {
		fprintf(stderr, "rxstudy: %s%s%s\n", path ? path : "",
			path ? ": " : "", why);
		return;
	}
	if (path) {
		fputs("\"trace\":", stdout);
		report_string(path);
	}
	fputs(",\"error\":", stdout);
	report_string(why);
}

bool report_mix(const struct sim_ask *ask, char **paths, unsigned int nr)
{
	struct mix mix = { .nr = 0 };
	char why[256];
	bool good;

	if (ask->json)
		putchar('{');
	good = read_mix(&mix, paths, nr, ask->memory, why, sizeof(why));
	if (!good) {
		put_error(ask, paths[mix.nr], why);
	} else {
		good = report(ask, &mix, paths);
		if (!good)
			put_error(ask, NULL, sim_no_memory);
	}
	if (ask->json)
		puts("}");
	while (mix.nr)
		trace_free(&mix.trace[--mix.nr]);
	return good;
}
