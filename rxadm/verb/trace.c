// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb advise --trace says how large a cache a recorded load should have. rxsim
 * replays the trace for each size; this file judges the hit ratios and prints them.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "advise/advice.h"
#include "advise/bars.h"
#include "advise/compressed.h"
#include "advise/rxsim.h"
#include "args/args.h"
#include "base/global.h"
#include "base/page.h"
#include "base/say.h"
#include "show/json.h"
#include "system/dev.h"
#include "verb/trace.h"

#define MIB		((uint64_t)1 << 20)

struct trace_advice {
	const char *path;
	bool allocate;
	double times;			/* with --ratio: so many blocks fit where one would; else 0 */
	struct rx_trace trace;
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
 * Returns the sizes that are asked for, in blocks that fit. A single size stands for 1/2 to 8
 * times that size. By default the sizes are shares of all blocks, up to somewhat more
 * than all, because the sets of a cache do not fill evenly.
 */
static const char *choose_sizes(const struct rx_args *args, double times)
{
	uint64_t size[ARRAY_SIZE(args->values)], blocks;
	static char text[ARRAY_SIZE(size) * 24];
	size_t n = 0, len = 0, i;

	for (i = 0; i < args->n_values; i++)
		if (!strcmp(args->values[i].opt->name, "size"))
			size[n++] = args->values[i].num / TRACE_BLOCK;
	if (!n)
		return "1%,2%,5%,10%,20%,40%,100%,125%";
	qsort(size, n, sizeof(*size), by_size);
	for (i = 0; i < (n == 1 ? 5 : n); i++) {
		blocks = llround((n == 1 ? (size[0] << i) / 2 : size[i]) * fmax(times, 1));
		len += snprintf(text + len, sizeof(text) - len, "%s%" PRIu64,
				i ? "," : "", blocks ? blocks : 1);
	}
	return text;
}

static void judge(struct trace_advice *t)
{
	const struct rx_curve *curve = &t->trace.curve;
	size_t i;

	for (i = 0; i < curve->n; i++)
		t->helps |= curve->at[i].ratio >= ADVICE_USELESS;
	t->best = curve_knee(curve, 0, curve->n - 1);
}

static uint64_t best_size(const struct trace_advice *t)
{
	return (t->trace.curve.at[t->best].size + MIB - 1) / MIB * MIB;
}

static const char *command(const struct trace_advice *t)
{
	return page_text("rxadm map --size %" PRIu64 "M%s%s ORIGIN", best_size(t) / MIB,
			 t->allocate ? "" : " --no-write-allocate",
			 t->times > 1 ? " --compress lz4" : "");
}

static void draw(const struct trace_advice *t)
{
	const struct rx_curve *curve = &t->trace.curve;
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
	const struct rx_trace *r = &t->trace;
	const struct rx_curve *curve = &r->curve;
	const struct rx_curve_point *best = &curve->at[t->best];
	size_t last = curve->n - 1;

	printf("%s: %s requests; they touch %s blocks of 4K (%s), and read %s\n",
	       t->path, page_count(r->requests), page_count(r->distinct),
	       page_size(r->distinct * TRACE_BLOCK), page_count(r->reads));
	page_para("Simulated %s write-allocate; the cache is empty at first.%s",
		  t->allocate ? "with" : "without",
		  t->times ? page_text(" Compressed, %.2f times as many blocks fit.", t->times) : "");
	draw(t);
	if (!r->reads) {
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
		  best->size < r->distinct * TRACE_BLOCK ?
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
	const struct rx_trace *r = &t->trace;
	size_t i;

	trace = json_object_new_object();
	sizes = json_object_new_array();
	json_add_text(trace, "file", t->path);
	json_add_number(trace, "requests", r->requests);
	json_add_number(trace, "distinct_blocks", r->distinct);
	json_add_number(trace, "read_blocks", r->reads);
	json_object_object_add(trace, "write_allocate",
			       json_object_new_boolean(t->allocate));
	json_add_ratio(trace, "compressed_times", t->times ?: -1);
	for (i = 0; i < t->trace.curve.n; i++) {
		row = json_object_new_object();
		json_add_number(row, "size", t->trace.curve.at[i].size);
		json_add_ratio(row, "hit_ratio", t->trace.curve.at[i].ratio);
		json_add_number(row, "hits", r->hits[i]);
		json_add_number(row, "evicted", r->evicted[i]);
		json_object_array_add(sizes, row);
	}
	json_object_object_add(trace, "sizes", sizes);
	json_add_number(trace, "best_size", t->helps ? best_size(t) : RX_NONE);
	json_add_ratio(trace, "best_hit_ratio", t->helps ? t->trace.curve.at[t->best].ratio : -1);
	json_add_text(trace, "command", t->helps ? command(t) : NULL);
	json_object_object_add(root, "trace", trace);
	out_json_print(root);
}

/* The simulation counts blocks, of which TIMES as many fit into the memory of a size. */
static void scale(struct rx_curve_point *at, double times)
{
	uint64_t blocks = llround(at->size / TRACE_BLOCK / fmax(times, 1));

	at->size = (blocks ?: 1) * TRACE_BLOCK;
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
	uint64_t total;
	size_t i;

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
	if (strcmp(t.path, "-") && access(t.path, R_OK)) {
		say("advise", t.path, "%s", strerror(errno));
		return RX_USAGE;
	}
	dev_memory(&total, &t.available);
	if (!trace_run(&t.trace, t.path, t.allocate, choose_sizes(args, t.times), t.available / 2))
		return RX_DATA;
	for (i = 0; i < t.trace.curve.n; i++)
		scale(&t.trace.curve.at[i], t.times);
	judge(&t);
	if (rx.json)
		print_json(&t);
	else if (!rx.quiet)
		print_page(&t);
	return RX_OK;
}
