// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb advise --trace says how large a cache a recorded load should have. It replays the
 * trace as rxsim does, for each size, judges the hit ratios and prints them.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <json-c/json.h>

#include "advise/advice.h"
#include "advise/compressed.h"
#include "advise/page.h"
#include "args/args.h"
#include "base/global.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/say.h"
#include "show/json.h"
#include "sim/sim.h"
#include "system/dev.h"
#include "verb/trace.h"

#define MIB		((uint64_t)1 << 20)

struct trace_advice {
	const char *path;
	bool allocate;
	double times;			/* with --ratio: so many blocks fit where one would; else 0 */
	struct trace trace;
	struct rx_curve curve;
	struct sim_result of[CURVE_MAX];	/* the points of the curve */
	size_t best;
	bool helps;
	uint64_t available;		/* memory of this machine */
};

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Stores the sizes that are asked for, in blocks that fit, and returns how many there are. A
 * single size stands for 1/2 to 8 times that size. By default the sizes are shares of all
 * blocks, up to somewhat more than all, because the sets of a cache do not fill evenly.
 */
static size_t choose_sizes(const struct trace_advice *t, const struct rx_args *args,
			   uint64_t *size)
{
	static const unsigned char shares[] = { 1, 2, 5, 10, 20, 40, 100, 125 };
	size_t n = 0, i;

	for (i = 0; i < args->n_values; i++)
		if (!strcmp(args->values[i].opt->name, "size"))
			size[n++] = args->values[i].num / TRACE_BLOCK;
	if (n == 1) {
		for (; n < 5; n++)
			size[n] = size[0] << n >> 1;
		size[0] >>= 1;
	}
	for (i = 0; i < n; i++)
		size[i] = llround(size[i] * fmax(t->times, 1));
	if (!n)
		for (; n < ARRAY_SIZE(shares); n++)
			size[n] = t->trace.distinct * shares[n] / 100;
	qsort(size, n, sizeof(*size), by_size);
	return n;
}

/*
 * Replays the trace for each size. Several shares of a trace with few blocks can be one size,
 * which is taken once. Returns false if that failed, after it has said why.
 */
static bool simulate(struct trace_advice *t, const struct rx_args *args)
{
	uint64_t blocks[ARRAY_SIZE(args->values)], last = 0, enough, size;
	struct rx_curve *curve = &t->curve;
	struct sim_result *of;
	char why[256];
	size_t n, i;

	if (!trace_read(&t->trace, t->path, t->available / 2, why, sizeof(why))) {
		say("advise", t->path, "%s", why);
		return false;
	}
	enough = t->trace.distinct * SIM_BLOCKS_ENOUGH;
	n = choose_sizes(t, args, blocks);
	for (i = 0; i < n && curve->n < CURVE_MAX; i++) {
		if (i && blocks[i] <= last)
			continue;
		last = blocks[i] ?: 1;
		of = &t->of[curve->n];
		if (!sim_run(&t->trace, &rxc_policy_rx, t->allocate ? SIM_ALLOCATE : SIM_UPDATE,
			     last < enough ? last : enough, false, of)) {
			say("advise", t->path, "%s", sim_no_memory);
			return false;
		}
		/* The simulation counts blocks, of which more may fit into the memory. */
		size = llround(last / fmax(t->times, 1));
		curve->at[curve->n].size = (size ?: 1) * TRACE_BLOCK;
		curve->at[curve->n++].ratio = of->reads ? (double)of->hits / of->reads : 0;
	}
	return true;
}

static void judge(struct trace_advice *t)
{
	const struct rx_curve *curve = &t->curve;
	size_t i;

	for (i = 0; i < curve->n; i++)
		t->helps |= curve->at[i].ratio >= ADVICE_USELESS;
	t->best = curve_knee(curve, 0, curve->n - 1);
}

static uint64_t best_size(const struct trace_advice *t)
{
	return (t->curve.at[t->best].size + MIB - 1) / MIB * MIB;
}

static const char *command(const struct trace_advice *t)
{
	return page_text("rxadm map --size %" PRIu64 "M%s%s ORIGIN", best_size(t) / MIB,
			 t->allocate ? "" : " --no-write-allocate",
			 t->times > 1 ? " --compress lz4" : "");
}

static void draw(const struct trace_advice *t)
{
	const struct rx_curve *curve = &t->curve;
	struct rx_plot_row rows[CURVE_MAX], *row;
	double percent;
	size_t i;

	for (i = 0; i < curve->n; i++) {
		row = &rows[i];
		snprintf(row->size, sizeof(row->size), "%s", page_size(curve->at[i].size));
		percent = 100.0 * curve->at[i].size / TRACE_BLOCK / t->trace.distinct;
		snprintf(row->label, sizeof(row->label), "%.*f%%",
			 percent < 0.95 ? 2 : 0, percent);
		row->ratio = curve->at[i].ratio;
		row->chosen = i == t->best && t->helps;
	}
	plot_bars(rows, curve->n, "OF ALL");
}

static void print_page(const struct trace_advice *t)
{
	const struct rx_curve *curve = &t->curve;
	const struct rx_curve_point *best = &curve->at[t->best];
	size_t last = curve->n - 1;

	printf("%s: %s requests; they touch %s blocks of 4K (%s), and read %s\n",
	       shown(t->path), page_count(t->trace.nr), page_count(t->trace.distinct),
	       page_size(t->trace.distinct * TRACE_BLOCK), page_count(t->of->reads));
	page_para("Simulated %s write-allocate; the cache is empty at first.%s",
		  t->allocate ? "with" : "without",
		  t->times ? page_text(" Compressed, %.2f times as many blocks fit.", t->times) : "");
	draw(t);
	if (!t->of->reads) {
		page_para("Nothing is read, and writes are not made faster: it needs no cache.");
		return;
	}
	if (!t->helps) {
		page_para("None of these sizes helps: hardly anything that they could hold is read twice.");
		return;
	}
	page_para("Give it %s: %s of the blocks read would come from memory.%s",
		  page_size(best_size(t)), page_percent(best->ratio),
		  t->best < last ? " More than that gains less than 2 points for twice the memory." :
		  best->size < t->trace.distinct * TRACE_BLOCK ?
		  " It is the largest of these sizes; larger ones, with --size, may do better." :
		  "");
	if (t->available != RX_NONE && best_size(t) > t->available)
		page_para("This machine has less memory available, %s.",
			  page_size(t->available));
	printf("    # %s\n", command(t));
}

static void print_json(const struct trace_advice *t)
{
	struct json_object *root = out_json_root(), *trace, *sizes, *row;
	size_t i;

	trace = json_object_new_object();
	sizes = json_object_new_array();
	json_add_text(trace, "file", t->path);
	json_add_number(trace, "requests", t->trace.nr);
	json_add_number(trace, "distinct_blocks", t->trace.distinct);
	json_add_number(trace, "read_blocks", t->of->reads);
	json_object_object_add(trace, "write_allocate",
			       json_object_new_boolean(t->allocate));
	json_add_ratio(trace, "compressed_times", t->times ?: -1);
	for (i = 0; i < t->curve.n; i++) {
		row = json_object_new_object();
		json_add_number(row, "size", t->curve.at[i].size);
		json_add_ratio(row, "hit_ratio", t->curve.at[i].ratio);
		json_add_number(row, "hits", t->of[i].hits);
		json_add_number(row, "evicted", t->of[i].evicted);
		json_object_array_add(sizes, row);
	}
	json_object_object_add(trace, "sizes", sizes);
	json_add_number(trace, "best_size", t->helps ? best_size(t) : RX_NONE);
	json_add_ratio(trace, "best_hit_ratio", t->helps ? t->curve.at[t->best].ratio : -1);
	json_add_text(trace, "command", t->helps ? command(t) : NULL);
	json_object_object_add(root, "trace", trace);
	out_json_print(root);
}

/* Takes what is said of the data. Returns whether that is a number that it may be. */
static bool take_ratio(struct trace_advice *t, const char *text)
{
	double ratio;
	char *end;

	if (!text)
		return true;
	ratio = strtod(text, &end);
	if (text[strspn(text, "0123456789.")] || *end || !(ratio >= 1 && ratio <= 8))
		return false;
	t->times = compressed_times(ratio);
	return true;
}

int advise_trace(const struct rx_args *args)
{
	struct trace_advice t = {
		.path = args_text(args, "trace"),
		.allocate = !args_has(args, "no-write-allocate"),
	};
	struct stat st;
	uint64_t total;
	bool good;
	size_t i;
	int err;

	if (args->n_objects)
		return usage_error("advise: --trace is about a recording, '%s' is a cache; leave one of them out",
				   args->objects[0]);
	for (i = 0; i < args->n_values; i++)
		if (args->values[i].opt->type == OPT_SIZES &&
		    (args->values[i].num < TRACE_BLOCK ||
		     args->values[i].num > UINT64_MAX / 16))
			return usage_error("advise: --size %s: a cache has at least 4K and less than 1E",
					   args->values[i].text);
	if (!take_ratio(&t, args_text(args, "ratio")))
		return usage_error("advise: --ratio %s: say how many times the data shrink, 1 to 8, for example 1.8",
				   args_text(args, "ratio"));
	err = !strcmp(t.path, "-") ? 0 : access(t.path, R_OK) || stat(t.path, &st) ? errno :
	      S_ISDIR(st.st_mode) ? EISDIR : 0;
	if (err) {
		say("advise", t.path, "%s", strerror(err));
		return RX_USAGE;
	}
	dev_memory(&total, &t.available);
	good = simulate(&t, args);
	if (good)
		judge(&t);
	if (good && rx.json)
		print_json(&t);
	else if (good && !rx.quiet)
		print_page(&t);
	trace_free(&t.trace);
	return good ? RX_OK : RX_DATA;
}
