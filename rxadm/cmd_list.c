// SPDX-License-Identifier: GPL-2.0-only
/* list, and the fetching of objects that it shares with stat. */
#define _GNU_SOURCE
#include <string.h>
#include <stdlib.h>

#include "rxadm.h"

/* What the kernel's families do not know: paths, mount points, I/O figures. */
void list_add_system(struct rx_list *list)
{
	struct rx_cache *cache;
	struct rx_disk *disk;
	size_t i;

	users_forget();
	for (i = 0; i < list->n_disks; i++) {
		disk = &list->disks[i];
		users_mounts(disk->name, &disk->mounts);
		dev_io(disk->name, &disk->io);
	}
	for (i = 0; i < list->n_caches; i++) {
		cache = &list->caches[i];
		users_mounts(cache->name, &cache->mounts);
		dev_origin_path(cache);
		dev_io(cache->name, &cache->io);
	}
}

static int by_number(const char *a, const char *b)
{
	return atoi(a + 3) - atoi(b + 3);
}

static int by_disk(const void *a, const void *b)
{
	return by_number(((const struct rx_disk *)a)->name,
			 ((const struct rx_disk *)b)->name);
}

static int by_cache(const void *a, const void *b)
{
	return by_number(((const struct rx_cache *)a)->name,
			 ((const struct rx_cache *)b)->name);
}

/* In the order of their numbers. */
void list_sort(struct rx_list *list)
{
	if (list->n_disks)
		qsort(list->disks, list->n_disks, sizeof(*list->disks),
		      by_disk);
	if (list->n_caches)
		qsort(list->caches, list->n_caches, sizeof(*list->caches),
		      by_cache);
}

/* All disks and caches, sorted. 0, or -1 with err. */
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err)
{
	if (disks && nl_list(RX_DISK, list, err))
		return -1;
	/* Disks can be there without the cache module. */
	if (caches && nl_list(RX_CACHE, list, err) && !(err->absent && disks))
		return -1;
	list_sort(list);
	list_add_system(list);
	return 0;
}

static int fetch_one(const struct rx_verb *verb, const char *name,
		     enum rx_family family, struct rx_list *list)
{
	struct rx_event object;
	struct rx_err err;

	if (nl_get(family, name, &object.disk, &err))
		return err_report(verb->name, name, &err);
	if (family == RX_DISK)
		list_add_disk(list, &object.disk);
	else
		list_add_cache(list, &object.cache);
	return RX_OK;
}

/* The named objects, or all; each that is not there is reported. */
int fetch(const struct rx_verb *verb, const struct rx_args *args, bool disks,
	  bool caches, struct rx_list *list)
{
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	struct rx_err err;
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!name_parse(args->objects[i], &family, name))
			return usage_error("%s: '%s' is no disk or cache; say rxd0 or rxc0",
					   verb->name, args->objects[i]);
	if (!args->n_objects)
		return fetch_all(disks, caches, list, &err) ?
			err_report(verb->name, NULL, &err) : RX_OK;
	for (i = 0; i < args->n_objects; i++) {
		name_parse(args->objects[i], &family, name);
		tally(&t, fetch_one(verb, name, family, list));
	}
	list_add_system(list);
	return tally_exit(&t);
}

int cmd_list(const struct rx_verb *verb, const struct rx_args *args)
{
	bool disks = !args_has(args, "caches"), caches = !args_has(args, "disks");
	struct json_object *root;
	struct rx_list list = { 0 };
	int ret;

	if (!out_columns_valid(views_list, ARRAY_SIZE(views_list)))
		return RX_USAGE;
	ret = fetch(verb, args, disks, caches, &list);
	if (ret && ret != RX_PARTIAL) {
		list_free(&list);
		return ret;
	}
	if (rx.json) {
		root = out_json_root();
		out_json_list(root, &list, disks, caches);
		out_json_print(root);
	} else if (args_has(args, "tree")) {
		out_tree(&list);
	} else {
		out_list(&list, disks, caches);
	}
	if (!list.n_disks && !list.n_caches && !rx.json && !rx.quiet && !ret)
		say(NULL, NULL, disks ?
		    "no disks; make one: rxadm attach 1G" :
		    "no caches; make one: rxadm map --size 1G /dev/ORIGIN");
	list_free(&list);
	return ret;
}
