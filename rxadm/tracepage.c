// SPDX-License-Identifier: GPL-2.0-only
/*
 * advise --trace: how large a cache a recorded load should have. Each size is
 * run through the module's own index and policy, block by block.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "advice.h"
#include "page.h"
#include "sim.h"

#define MIB		((uint64_t)1 << 20)

/*
 * A cache of so many times the blocks that there are holds them all, however
 * unevenly they fall into its sets; a larger index would only take memory.
 */
#define BLOCKS_ENOUGH	4

struct trace_advice {
	const char *path;
	struct trace trace;
	const struct rxc_policy *policy;
	enum sim_mode mode;
	struct rx_curve curve;
	struct sim_result result[CURVE_MAX];
	size_t best;
	bool helps;
	uint64_t available;		/* memory of this machine */
};

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void add_size(struct rx_curve *curve, uint64_t blocks)
{
	uint64_t size = (blocks ? blocks : 1) * TRACE_BLOCK;

	if (curve->n < CURVE_MAX &&
	    (!curve->n || curve->at[curve->n - 1].size < size))
		curve->at[curve->n++].size = size;
}

/*
 * Those that are asked for; around the only one; or shares of all blocks. With
 * somewhat more than all, because sets do not fill evenly.
 */
static void choose_sizes(struct trace_advice *t, const struct rx_args *args)
{
	static const unsigned int percent[] = {
		1, 2, 5, 10, 20, 40, 100, 125
	};
	uint64_t size[ARRAY_SIZE(args->values)];
	size_t n = 0, i;

	for (i = 0; i < args->n_values; i++)
		if (!strcmp(args->values[i].opt->name, "size"))
			size[n++] = args->values[i].num / TRACE_BLOCK;
	qsort(size, n, sizeof(*size), by_size);
	if (n == 1)
		for (i = 0; i < 5; i++)
			add_size(&t->curve, (size[0] << i) / 2);
	else
		for (i = 0; i < n; i++)
			add_size(&t->curve, size[i]);
	for (i = 0; !n && i < ARRAY_SIZE(percent); i++)
		add_size(&t->curve, t->trace.distinct * percent[i] / 100);
}

static bool run(struct trace_advice *t)
{
	uint64_t enough = t->trace.distinct * BLOCKS_ENOUGH, blocks;
	struct rx_curve_point *p;
	struct sim_result *r;
	size_t i;

	for (i = 0; i < t->curve.n; i++) {
		p = &t->curve.at[i];
		r = &t->result[i];
		blocks = p->size / TRACE_BLOCK;
		if (!sim_run(&t->trace, t->policy, t->mode,
			     blocks < enough ? blocks : enough, false, r))
			return false;
		p->ratio = r->reads ? (double)r->hits / r->reads : 0;
		t->helps |= p->ratio >= ADVICE_USELESS;
	}
	t->best = curve_knee(&t->curve, 0, t->curve.n - 1);
	return true;
}

static uint64_t best_size(const struct trace_advice *t)
{
	return (t->curve.at[t->best].size + MIB - 1) / MIB * MIB;
}

static char *command(const struct trace_advice *t)
{
	bool plain = !strcmp(t->policy->name, "rx");
	char *text;

	if (asprintf(&text, "rxadm map --size %" PRIu64 "M%s%s%s ORIGIN",
		     best_size(t) / MIB, plain ? "" : " --policy ",
		     plain ? "" : t->policy->name,
		     t->mode == SIM_UPDATE ? " --no-write-allocate" : "") < 0)
		abort();
	return text;
}

static void draw(const struct trace_advice *t)
{
	char label[CURVE_MAX][32], size[CURVE_MAX][32];
	struct rx_plot_row rows[CURVE_MAX];
	double percent;
	size_t i;

	for (i = 0; i < t->curve.n; i++) {
		snprintf(size[i], sizeof(size[i]), "%s",
			 page_size(t->curve.at[i].size));
		percent = 100.0 * t->curve.at[i].size / TRACE_BLOCK /
			  t->trace.distinct;
		snprintf(label[i], sizeof(label[i]), "%.*f%%",
			 percent < 0.95 ? 2 : 0, percent);
		rows[i] = (struct rx_plot_row){
			.size = size[i], .label = label[i],
			.mark = i == t->best && t->helps ? "<-" : "",
			.ratio = t->curve.at[i].ratio,
		};
	}
	putchar('\n');
	plot_bars(stdout, rows, t->curve.n, rx.noheadings ? NULL : "OF ALL",
		  page_width(), plot_utf8());
	putchar('\n');
}

static void print_page(const struct trace_advice *t)
{
	const struct rx_curve *curve = &t->curve;
	const struct rx_curve_point *best = &curve->at[t->best];
	size_t last = curve->n - 1;
	char *text;

	printf("%s: %zu requests; they touch %" PRIu64 " blocks of 4K (%s), and read %" PRIu64 "\n",
	       t->path, t->trace.nr, t->trace.distinct,
	       page_size(t->trace.distinct * TRACE_BLOCK), t->result[0].reads);
	page_para("Policy %s, %s write-allocate; the cache is empty at first.",
		  t->policy->name, t->mode == SIM_ALLOCATE ? "with" : "without");
	draw(t);
	if (!t->result[0].reads) {
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
	text = command(t);
	printf("    # %s\n", text);
	free(text);
}

static void print_json(const struct trace_advice *t)
{
	struct json_object *root = out_json_root(), *trace, *sizes, *row;
	const struct rx_curve_point *best = &t->curve.at[t->best];
	char *text;
	size_t i;

	trace = json_object_new_object();
	sizes = json_object_new_array();
	json_object_object_add(trace, "file", json_string(t->path));
	json_add_number(trace, "requests", t->trace.nr);
	json_add_number(trace, "distinct_blocks", t->trace.distinct);
	json_add_number(trace, "read_blocks", t->result[0].reads);
	json_object_object_add(trace, "policy",
			       json_object_new_string(t->policy->name));
	json_object_object_add(trace, "write_allocate",
			       json_object_new_boolean(t->mode == SIM_ALLOCATE));
	for (i = 0; i < t->curve.n; i++) {
		row = json_object_new_object();
		json_add_number(row, "size", t->curve.at[i].size);
		json_object_object_add(row, "hit_ratio",
				       json_ratio(t->curve.at[i].ratio));
		json_add_number(row, "hits", t->result[i].hits);
		json_add_number(row, "evicted", t->result[i].evicted);
		json_object_array_add(sizes, row);
	}
	json_object_object_add(trace, "sizes", sizes);
	json_object_object_add(trace, "best_size", !t->helps ? NULL :
			       json_object_new_uint64(best_size(t)));
	json_object_object_add(trace, "best_hit_ratio", !t->helps ? NULL :
			       json_ratio(best->ratio));
	text = command(t);
	json_object_object_add(trace, "command", !t->helps ? NULL :
			       json_object_new_string(text));
	free(text);
	json_object_object_add(root, "trace", trace);
	out_json_print(root);
}

static const struct rxc_policy *policy_named(const char *name)
{
	size_t i;

	for (i = 0; sim_policies[i + 1]; i++)
		if (!strcmp(sim_policies[i]->name, name))
			break;
	return sim_policies[i];
}

int advise_trace(const struct rx_args *args)
{
	const char *policy = args_text(args, "policy");
	struct trace_advice t = { .path = args_text(args, "trace") };
	uint64_t total, free_now;
	char why[256];
	bool good;
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
	t.policy = policy_named(policy ? policy : "rx");
	t.mode = args_has(args, "no-write-allocate") ? SIM_UPDATE :
						       SIM_ALLOCATE;
	dev_memory(&total, &free_now, &t.available);
	if (!trace_read(&t.trace, t.path, t.available / 2, why, sizeof(why))) {
		say("advise", t.path, "%s", why);
		return RX_DATA;
	}
	choose_sizes(&t, args);
	good = run(&t);
	if (!good)
		say("advise", t.path, "out of memory; ask for smaller sizes");
	else if (rx.json)
		print_json(&t);
	else if (!rx.quiet)
		print_page(&t);
	trace_free(&t.trace);
	return good ? RX_OK : RX_DATA;
}
