// SPDX-License-Identifier: GPL-2.0-only
/* What sim is asked for, and how it answers: tables, or JSON. */
#define _GNU_SOURCE
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "sim.h"
#include "times.h"

enum { SIZES_MAX = 32, POLICIES_MAX = 8, TIME_BLOCKS = 1 << 18 };

static const char help[] =
"sim [OPTION...] TRACE...\n"
"Read hit ratios of rxcache's own index and policies, in percent of the blocks\n"
"that are read. TRACE is an RXT file (NAME.rxt, NAME.rxt.xz), or what blkparse\n"
"prints (other names, .xz or not, - for standard input).\n"
"\n"
"  -s, --size SIZE[,SIZE]      of the cache: 10% of the different blocks in the\n"
"                              trace, 64M, or 4096 blocks; default 1%,5%,10%,20%,40%\n"
"  -p, --policy NAME[,NAME]    default all\n"
"  -m, --mode NAME[,NAME]      what a write does: allocate, update (no-write-allocate),\n"
"                              invalidate; default all\n"
"      --stores                also how many hits changed the policy's state\n"
"      --shadow                what the shadow of a cache of that size estimates, and\n"
"                              what is true\n"
"      --time                  what lookups and evictions cost; needs no trace\n"
"  -j, --json                  one JSON object\n"
"  -h, --help                  this text\n";

/* A size: percent of the distinct blocks, or blocks. */
struct size {
	char text[24];
	double percent;
	uint64_t blocks;
};

static struct size sizes[SIZES_MAX];
static unsigned int nr_sizes;
static const struct rxc_policy *policies[POLICIES_MAX];
static unsigned int nr_policies;
static bool modes[SIM_MODES], json, count_stores, shadows;

static void usage(const char *what, const char *arg)
{
	fprintf(stderr, "sim: %s '%s'; see: sim --help\n", what, arg);
	exit(1);
}

static void add_size(const char *text)
{
	static const char units[] = "KMGT";
	struct size *size = &sizes[nr_sizes];
	double number;
	const char *unit;
	char *end;

	if (nr_sizes == SIZES_MAX)
		usage("too many sizes at", text);
	number = strtod(text, &end);
	unit = *end ? strchr(units, *end) : NULL;
	if (end == text || !(number > 0) || number > 1e15 ||
	    (*end && strcmp(end, "%") && (!unit || end[1])))
		usage("not a size:", text);
	*size = (struct size) { .percent = 0 };
	snprintf(size->text, sizeof(size->text), "%s", text);
	if (*end == '%')
		size->percent = number;
	else if (unit)
		size->blocks = number *
			       (1ULL << 10 * (unit - units + 1)) / TRACE_BLOCK;
	else
		size->blocks = number;
	nr_sizes++;
}

static void add_policy(const char *name)
{
	unsigned int i;

	for (i = 0; sim_policies[i]; i++)
		if (!strcmp(sim_policies[i]->name, name))
			break;
	if (!sim_policies[i] || nr_policies == POLICIES_MAX)
		usage("no policy", name);
	policies[nr_policies++] = sim_policies[i];
}

static void add_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < SIM_MODES; i++)
		if (!strcmp(sim_mode_names[i], name))
			break;
	if (i == SIM_MODES)
		usage("no mode", name);
	modes[i] = true;
}

static void each(const char *list, void (*add)(const char *word))
{
	char *copy = strdup(list), *word, *rest = copy;

	while ((word = strsep(&rest, ",")))
		add(word);
	free(copy);
}

static uint64_t blocks_of(const struct size *size, const struct trace *trace)
{
	uint64_t blocks = size->blocks;

	if (size->percent > 0)
		blocks = trace->distinct * size->percent / 100;
	return blocks ? blocks : 1;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

static void put_string(const char *text)
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

static void put_cell(const char *policy, const char *mode,
		     const struct size *size, const struct sim_result *r,
		     bool first)
{
	if (!json) {
		printf(" %7.2f", percent(r->hits, r->reads));
		if (count_stores)
			printf(" %4.2f", percent(r->stores, r->hits) / 100);
		return;
	}
	printf("%s{\"policy\":\"%s\",\"mode\":\"%s\",\"size\":\"%s\",\"blocks\":%" PRIu64
	       ",\"metadata\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"hits\":%" PRIu64
	       ",\"hit_percent\":%.3f,\"evicted\":%" PRIu64,
	       first ? "" : ",\n  ", policy, mode, size->text, r->capacity,
	       r->metadata, r->reads, r->hits, percent(r->hits, r->reads),
	       r->evicted);
	if (count_stores)
		printf(",\"stores\":%" PRIu64, r->stores);
	putchar('}');
}

/* The rows of one mode. False if there is no memory. */
static bool run_mode(const struct trace *trace, enum sim_mode mode, bool *first)
{
	struct sim_result result;
	unsigned int p, s;

	for (p = 0; p < nr_policies; p++) {
		if (!json)
			printf("%-11s %-6s", sim_mode_names[mode],
			       policies[p]->name);
		for (s = 0; s < nr_sizes; s++) {
			if (!sim_run(trace, policies[p], mode,
				     blocks_of(&sizes[s], trace), count_stores,
				     &result)) {
				fputs("sim: out of memory\n", stderr);
				return false;
			}
			put_cell(policies[p]->name, sim_mode_names[mode],
				 &sizes[s], &result, *first);
			*first = false;
			fflush(stdout);
		}
		if (!json)
			putchar('\n');
	}
	return true;
}

static const char *const point_names[RXC_NR_SHADOWS] = {
	"x0.5", "x1", "x2", "x4", "x8", "flipped", "bypass",
};

static void put_point(const struct sim_shadow *shadow, unsigned int point,
		      const struct sim_result *truth)
{
	double estimate = percent(shadow->hits[point], shadow->reads);

	if (json)
		printf("%s{\"what\":\"%s\",\"blocks\":%" PRIu64 ",\"estimate_percent\":%.3f,\"hit_percent\":%.3f}",
		       point ? "," : "", point_names[point], truth->capacity,
		       estimate, percent(truth->hits, truth->reads));
	else
		printf(" %6.2f %+5.2f", estimate,
		       sim_shadow_error(shadow, point, truth));
}

/* The row of one size. False if there is no memory. */
static bool run_shadow(const struct trace *trace, enum sim_mode mode,
		       const struct rxc_policy *policy, const struct size *size,
		       bool first)
{
	uint64_t blocks = blocks_of(size, trace);
	struct sim_shadow shadow;
	struct sim_result truth;
	unsigned int point;

	if (!sim_shadow(trace, policy, mode, blocks, &shadow))
		return false;
	printf(json ? "%s{\"policy\":\"%s\",\"mode\":\"%s\",\"size\":\"%s\",\"rate\":%u,\"bytes\":%" PRIu64 ",\"distinct\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"points\":[" :
	       "%s%-6s %-10s %5s 1/%-4u %6" PRIu64 " %5" PRIu64 " %7" PRIu64,
	       json && !first ? ",\n  " : "", policy->name, sim_mode_names[mode],
	       size->text, shadow.rate, shadow.bytes, shadow.distinct,
	       shadow.reads);
	for (point = 0; point < RXC_NR_SHADOWS; point++) {
		if (!sim_shadow_truth(trace, policy, mode, blocks, point, &truth))
			return false;
		put_point(&shadow, point, &truth);
	}
	fputs(json ? "]}" : "\n", stdout);
	fflush(stdout);
	return true;
}

static bool run_shadows(const struct trace *trace, enum sim_mode mode, bool *first)
{
	unsigned int p, s;

	for (p = 0; p < nr_policies; p++) {
		for (s = 0; s < nr_sizes; s++) {
			if (!run_shadow(trace, mode, policies[p], &sizes[s],
					*first)) {
				fputs("sim: out of memory\n", stderr);
				return false;
			}
			*first = false;
		}
	}
	return true;
}

static void put_heads(void)
{
	unsigned int i;

	if (!shadows) {
		printf("%-18s", "write       policy");
		for (i = 0; i < nr_sizes; i++)
			printf(" %7s%s", sizes[i].text,
			       count_stores ? "  st." : "");
	} else {
		printf("policy write       size rate    bytes  seen   reads");
		for (i = 0; i < RXC_NR_SHADOWS; i++)
			printf(" %6s error", point_names[i]);
	}
	putchar('\n');
}

static bool run(const char *path, bool more)
{
	bool first = true, good = true;
	struct trace trace;
	unsigned int i;
	char why[256];

	if (!trace_read(&trace, path, UINT64_MAX, why, sizeof(why))) {
		fprintf(stderr, "sim: %s: %s\n", path, why);
		return false;
	}
	if (json) {
		fputs("{\"trace\":", stdout);
		put_string(path);
		printf(",\"requests\":%zu,\"distinct\":%" PRIu64
		       ",\"span\":%" PRIu64 ",\"cells\":[\n  ",
		       trace.nr, trace.distinct, trace.span);
	} else {
		printf("%s: %zu requests, %" PRIu64 " blocks\n", path,
		       trace.nr, trace.distinct);
		put_heads();
	}
	for (i = 0; i < SIM_MODES && good; i++)
		if (modes[i])
			good = shadows ? run_shadows(&trace, i, &first) :
					 run_mode(&trace, i, &first);
	if (json)
		printf("]}%s\n", more ? "," : "");
	trace_free(&trace);
	return good;
}

static bool run_times(bool more)
{
	struct sim_times t;
	unsigned int i;

	if (!json)
		printf("%-6s %9s %9s %9s %9s  ns, median, %u blocks\n", "policy",
		       "lookup", "of policy", "eviction", "of policy", TIME_BLOCKS);
	for (i = 0; i < nr_policies; i++) {
		if (!sim_time(policies[i], TIME_BLOCKS, &t))
			return false;
		printf(json ? "%s{\"policy\":\"%s\",\"lookup_ns\":%.1f,\"hit_ns\":%.1f,\"store_ns\":%.1f,\"evict_ns\":%.1f}" :
		       "%s%-6s %9.1f %9.1f %9.1f %9.1f\n",
		       json && i ? ",\n" : "", policies[i]->name, t.lookup,
		       t.hit, t.store, t.evict);
	}
	if (json)
		puts(more ? "," : "");
	return true;
}

enum { OPT_STORES = 256, OPT_TIME, OPT_SHADOW };

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "policy", required_argument, NULL, 'p' },
		{ "mode", required_argument, NULL, 'm' },
		{ "stores", no_argument, NULL, OPT_STORES },
		{ "time", no_argument, NULL, OPT_TIME },
		{ "shadow", no_argument, NULL, OPT_SHADOW },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ .name = NULL }
	};
	bool times = false, good = true;
	int c, i;

	while ((c = getopt_long(argc, argv, "s:p:m:jh", options, NULL)) >= 0) {
		switch (c) {
		case 's': each(optarg, add_size); break;
		case 'p': each(optarg, add_policy); break;
		case 'm': each(optarg, add_mode); break;
		case 'j': json = true; break;
		case OPT_STORES: count_stores = true; break;
		case OPT_TIME: times = true; break;
		case OPT_SHADOW: shadows = true; break;
		case 'h': fputs(help, stdout); return 0;
		default: fputs("Try 'sim --help'\n", stderr); return 1;
		}
	}
	if (optind == argc && !times)
		usage("no trace", argv[0]);
	if (!nr_sizes)
		each("1%,5%,10%,20%,40%", add_size);
	if (!nr_policies)
		for (; sim_policies[nr_policies]; nr_policies++)
			policies[nr_policies] = sim_policies[nr_policies];
	if (!modes[SIM_ALLOCATE] && !modes[SIM_UPDATE] && !modes[SIM_INVALIDATE])
		each("allocate,update,invalidate", add_mode);
	if (json)
		puts("{\"sim\":1,\"results\":[");
	if (times)
		good = run_times(optind < argc);
	for (i = optind; i < argc && good; i++)
		good = run(argv[i], i + 1 < argc);
	if (json)
		puts("]}");
	return good ? 0 : 2;
}
