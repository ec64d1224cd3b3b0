// SPDX-License-Identifier: GPL-2.0-only
/* Makes the JSON of an advice: the verdict, and all numbers that the verdict rests on. */
#include <json-c/json.h>

#include "advise/advice.h"
#include "advise/json.h"
#include "advise/steps.h"
#include "base/strv.h"
#include "kernel/model_gen.h"
#include "show/json.h"

static void add_ns(struct json_object *into, const char *key, double ns)
{
	json_object_object_add(into, key, ns < 0 ? NULL :
			       json_object_new_int64(ns + 0.5));
}

static void add_bool(struct json_object *into, const char *key, bool is)
{
	json_object_object_add(into, key, json_object_new_boolean(is));
}

static struct json_object *sizes(const struct rx_advice *a)
{
	struct json_object *array = json_object_new_array(), *row;
	size_t i;

	for (i = 0; i < a->curve.n; i++) {
		row = json_object_new_object();
		json_add_number(row, "size", advice_size(a, i));
		json_add_ratio(row, "hit_ratio", a->curve.at[i].ratio);
		json_object_array_add(array, row);
	}
	return array;
}

static struct json_object *shadow(const struct rx_cache *c)
{
	struct json_object *root, *array, *row;
	const struct rx_point *p;

	if (c->shadow.rate == RX_NONE)
		return NULL;
	root = json_object_new_object();
	array = json_object_new_array();
	json_add_number(root, "rate", c->shadow.rate);
	json_add_number(root, "reads", c->shadow.reads);
	json_add_number(root, "lost", c->shadow.lost);
	for (p = c->shadow.points.at;
	     p < c->shadow.points.at + c->shadow.points.n; p++) {
		row = json_object_new_object();
		json_add_number(row, "size", p->size);
		json_add_number(row, "hits", p->hits);
		if (p->what < RX_WHATS)
			json_add_text(row, "what", rx_what_names[p->what]);
		else
			json_add_number(row, "what", p->what);
		json_object_array_add(array, row);
	}
	json_object_object_add(root, "points", array);
	return root;
}

static struct json_object *commands(const struct rx_advice *a)
{
	struct json_object *array;
	struct rx_strv steps = { 0 };

	advice_steps(a, &steps);
	array = json_list(&steps);
	strv_free(&steps);
	return array;
}

/* Returns the size of point AT, or RX_NONE if the advice names no size. */
static uint64_t best_size(const struct rx_advice *a, size_t at)
{
	if (!verdict_resizes(a->verdict) && a->verdict != VERDICT_KEEP)
		return RX_NONE;
	return advice_size(a, at);
}

struct json_object *advice_json(const struct rx_advice *a)
{
	struct json_object *root = json_object_new_object();
	const struct rx_cache *c = a->cache;

	json_add_text(root, "cache", c->name);
	json_add_text(root, "verdict", rx_verdict_names[a->verdict]);
	json_add_number(root, "size", a->disk_size == RX_NONE ? c->size : a->disk_size);
	json_add_number(root, "cached", c->cached);
	json_add_number(root, "origin_size", c->origin_size);
	json_add_number(root, "sharers", c->sharers);
	json_add_ratio(root, "hit_ratio", a->ratio);
	json_add_number(root, "best_size", best_size(a, a->best));
	json_add_ratio(root, "best_hit_ratio", a->curve.n ? a->curve.at[a->best].ratio : -1);
	json_add_number(root, "wanted_size", best_size(a, a->wanted));
	json_object_object_add(root, "sizes", sizes(a));
	json_object_object_add(root, "commands", commands(a));
	add_ns(root, "saved_ns", a->saved_ns);
	add_ns(root, "gain_ns_per_hour", a->gain_ns);
	json_add_ratio(root, "flipped_hit_ratio", a->flipped);
	add_bool(root, "flip_write_allocate", a->flip);
	json_add_ratio(root, "no_sequential_hit_ratio", a->sequential);
	add_bool(root, "bypass_sequential", a->scanned);
	json_add_ratio(root, "compressed_hit_ratio", a->compressed);
	json_add_ratio(root, "compressed_times", a->times > 0 ? a->times : -1);
	add_bool(root, "compress", a->compress);
	json_add_ratio(root, "ahead_vain_ratio", a->vain);
	add_bool(root, "read_ahead_off", a->no_ahead);
	json_add_ratio(root, "buffered_ratio", a->buffered);
	json_add_ratio(root, "first_ratio", a->first);
	json_add_ratio(root, "ghost_ratio", a->ghost);
	add_bool(root, "full", a->full);
	add_bool(root, "memory_short", a->pressed);
	add_bool(root, "at_max_share", a->at_max);
	json_add_number(root, "memory_available", a->memory.available);
	json_add_number(root, "memory_room", a->room);
	json_object_object_add(root, "shadow", shadow(c));
	return root;
}
