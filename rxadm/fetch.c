// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetches the disks and caches that a verb shows. The kernel is asked for them, and what
 * only the system knows is added.
 */
#include "args.h"
#include "dev.h"
#include "events.h"
#include "fetch.h"
#include "json.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "users.h"
#include "warmstate.h"

/* Adds paths, mount points and I/O figures, which the families do not send. */
void list_add_system(struct rx_list *list)
{
	struct rx_device *device;
	struct rx_cache *cache;
	size_t i;

	users_forget();
	for (i = 0; (device = list_device(list, i)); i++) {
		users_mounts(device->name, &device->mounts);
		dev_io(device->name, &device->io);
		if (device->family != RX_CACHE)
			continue;
		cache = (struct rx_cache *)device;
		dev_origin_path(cache);
		warm_state_get(cache->name, cache->id, &cache->warm);
	}
}

/* Fetches all disks and caches, sorted. Returns 0, or -1 with err. */
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err)
{
	if (disks && nl_list(RX_DISK, list, err))
		return -1;
	/* Disks can exist without the cache module. */
	if (caches && nl_list(RX_CACHE, list, err) && !(err->absent && disks))
		return -1;
	list_sort(list);
	list_add_system(list);
	return 0;
}

/* Fetches the object of a name, or reports why that fails. */
int fetch_one(const char *verb, enum rx_family family, const char *name,
	      struct rx_event *object)
{
	struct rx_err err;

	return nl_get(family, name, &object->disk, &err) ?
		err_report(verb, name, &err) : RX_OK;
}

/* Fetches the named objects, or all, and reports each that is missing. */
int fetch(const struct rx_args *args, bool disks, bool caches, struct rx_list *list)
{
	const char *verb = args->verb->name;
	struct rx_tally t = { 0 };
	struct rx_event object;
	char name[RX_NAME_LEN];
	enum rx_family family;
	struct rx_err err;
	int status;
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_any(verb, args->objects[i], &family, name))
			return RX_USAGE;
	if (!args->n_objects)
		return fetch_all(disks, caches, list, &err) ?
			err_report(verb, NULL, &err) : RX_OK;
	for (i = 0; i < args->n_objects; i++) {
		name_parse(args->objects[i], &family, name);
		status = fetch_one(verb, family, name, &object);
		if (status == RX_OK)
			list_add(list, family, &object.disk);
		tally(&t, status);
	}
	list_add_system(list);
	return tally_exit(&t);
}

/* Prints the objects that a verb changed, if JSON was asked for. */
int out_result(struct rx_list *list)
{
	struct json_object *root;

	if (!rx.json || rx.quiet || (!list->n_disks && !list->n_caches))
		return RX_OK;
	list_add_system(list);
	root = out_json_root();
	out_json_list(root, list, list->n_disks, list->n_caches);
	out_json_print(root);
	return RX_OK;
}
