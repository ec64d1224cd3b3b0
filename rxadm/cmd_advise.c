// SPDX-License-Identifier: GPL-2.0-only
/*
 * advise: whether a cache helps and how large it should be, for caches that are
 * mapped. With --trace, see tracepage.c, for one that could be.
 */
#define _GNU_SOURCE
#include <string.h>

#include <json-c/json.h>

#include "advice.h"
#include "dev.h"
#include "fetch.h"
#include "json.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "say.h"
#include "verbs.h"

/* The size of the cache's disk, as the user gave it, or RX_NONE. */
static uint64_t disk_size(const struct rx_cache *c, const struct rx_list *all)
{
	size_t i;

	for (i = 0; i < all->n_disks; i++)
		if (!strcmp(all->disks[i].name, c->disk))
			return all->disks[i].size;
	return RX_NONE;
}

/* The memory that other caches do not use yet, but will when they are full. */
static uint64_t promised(const struct rx_cache *c, const struct rx_list *all)
{
	const struct rx_cache *other;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < all->n_caches; i++) {
		other = &all->caches[i];
		if (strcmp(other->name, c->name) && other->size != RX_NONE &&
		    other->cached != RX_NONE && other->cached < other->size)
			sum += other->size - other->cached;
	}
	return sum;
}

static void tell(const struct rx_cache *c, const struct rx_list *all,
		 struct json_object *array)
{
	struct rx_memory memory = { .promised = promised(c, all) };
	uint64_t free_now, size = disk_size(c, all);
	struct rx_advice a;

	dev_memory(&memory.total, &free_now, &memory.available);
	advise(&a, c, &memory);
	if (array)
		json_object_array_add(array, advice_json(&a, c, size, &memory));
	else if (!rx.quiet)
		advice_page(&a, c, size, &memory);
}

static int tell_named(const struct rx_verb *verb, const struct rx_args *args,
		      const struct rx_list *all, struct json_object *array)
{
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	bool first = true;
	size_t i, at;

	for (i = 0; i < args->n_objects; i++) {
		object_is(verb->name, args->objects[i], RX_CACHE, name);
		for (at = 0; at < all->n_caches; at++)
			if (!strcmp(all->caches[at].name, name))
				break;
		if (at == all->n_caches) {
			say(verb->name, name, "no such cache; see: rxadm list");
			tally(&t, RX_KERNEL);
			continue;
		}
		if (!first && !array && !rx.quiet)
			putchar('\n');
		first = false;
		tell(&all->caches[at], all, array);
		tally(&t, RX_OK);
	}
	return tally_exit(&t);
}

static int tell_all(const struct rx_list *all, struct json_object *array)
{
	size_t i;

	for (i = 0; i < all->n_caches; i++) {
		if (i && !array && !rx.quiet)
			putchar('\n');
		tell(&all->caches[i], all, array);
	}
	if (!all->n_caches && !array && !rx.quiet)
		say(NULL, NULL, "no caches; make one: rxadm map --size 1G /dev/ORIGIN");
	return RX_OK;
}

int cmd_advise(const struct rx_verb *verb, const struct rx_args *args)
{
	struct json_object *root = NULL, *array = NULL;
	struct rx_list all = { 0 };
	char name[RX_NAME_LEN];
	struct rx_err err;
	size_t i;
	int ret;

	if (args_has(args, "trace"))
		return advise_trace(args);
	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb->name, args->objects[i], RX_CACHE, name))
			return RX_USAGE;
	/* All caches, because they share the memory of the machine. */
	if (nl_list(RX_CACHE, &all, &err) || nl_list(RX_DISK, &all, &err)) {
		list_free(&all);
		return err_report(verb->name, NULL, &err);
	}
	list_sort(&all);
	list_add_system(&all);
	if (rx.json) {
		root = out_json_root();
		array = json_object_new_array();
	}
	ret = args->n_objects ? tell_named(verb, args, &all, array) :
				tell_all(&all, array);
	if (root) {
		json_object_object_add(root, "advice", array);
		out_json_print(root);
	}
	list_free(&all);
	return ret;
}
