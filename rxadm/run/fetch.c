// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetches the disks and caches that a verb shows. The kernel is asked for them, and what
 * only the system knows is added.
 */
#include <errno.h>

#include <json-c/json.h>

#include "base/global.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/hooks.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "run/fetch.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "system/dev.h"
#include "system/mounts.h"

/* Adds paths, mount points and I/O figures, which the families do not send. */
void list_add_system(struct rx_list *list)
{
	struct rx_device *device;
	struct rx_cache *cache;
	size_t i;

	mounts_forget();
	for (i = 0; (device = list_device(list, i)); i++) {
		mounts_of(device->name, &device->mounts);
		dev_io(device->name, &device->io);
		if (device->family != RX_CACHE)
			continue;
		cache = (struct rx_cache *)device;
		dev_origin_path(cache);
		hooks.complete(cache);
	}
}

/* Fetches all of FAMILY. Returns 0, also if its module is absent and that MAY be. */
static int fetch_family(enum rx_family family, struct rx_list *list, bool may,
			struct rx_err *err)
{
	if (!nl_list(family, list, err))
		return 0;
	list->absent[family] = err->absent;
	return err->absent && may ? 0 : -1;
}

/*
 * Fetches all disks and caches, sorted. Returns 0, or -1 with err; LIST may have the disks
 * then. That a module is absent is an error for people, who are told what to run. A program
 * also gets JSON that names the module; then fetch_absent() has the status.
 */
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err)
{
	int ret = disks ? fetch_family(RX_DISK, list, rx.json, err) : 0;

	/* Disks can exist without the cache module. */
	if (!ret && caches)
		ret = fetch_family(RX_CACHE, list, rx.json || disks, err);
	list_sort(list);
	list_add_system(list);
	return ret;
}

/* Says that the module of FAMILY is absent, if it is. */
int fetch_absent(const char *verb, enum rx_family family, const bool *absent)
{
	struct rx_err err = { .absent = true };

	if (!absent[family])
		return RX_OK;
	err_set(&err, ENOENT, "%s", model_family(family));
	return err_report(verb, NULL, &err);
}

/* Fetches the object of a name, or reports why that fails. */
int fetch_one(const char *verb, enum rx_family family, const char *name,
	      struct rx_event *object)
{
	struct rx_err err;

	return nl_get(family, name, &object->disk, &err) ?
		err_report(verb, name, &err) : RX_OK;
}

/*
 * Checks the names and the columns of -o against what is shown: disks, caches or both,
 * and with names only the kinds of these.
 */
bool fetch_fits(const struct rx_objects *objects, bool disks, bool caches)
{
	const struct rx_view *views[2];
	bool shown[RX_FAMILIES] = { false };
	const char *verb = objects->verb;
	char name[RX_NAME_LEN];
	enum rx_family family;
	size_t i, n = 0;

	for (i = 0; i < objects->n; i++) {
		if (!object_any(verb, objects->v[i], &family, name))
			return false;
		if (!(family == RX_DISK ? disks : caches))
			return object_is(verb, objects->v[i], disks ? RX_DISK : RX_CACHE, name);
		shown[family] = true;
	}
	if (disks && (shown[RX_DISK] || !objects->n))
		views[n++] = &view_disks;
	if (caches && (shown[RX_CACHE] || !objects->n))
		views[n++] = &view_caches;
	return out_columns_valid(views, n);
}

/* Fetches the named objects, or all, and reports each that is missing. */
int fetch(const struct rx_objects *objects, bool disks, bool caches, struct rx_list *list)
{
	const char *verb = objects->verb;
	struct rx_tally t = { 0 };
	struct rx_event object;
	char name[RX_NAME_LEN];
	enum rx_family family;
	struct rx_err err;
	int status;
	size_t i;

	if (!objects->n)
		return fetch_all(disks, caches, list, &err) ?
			err_report(verb, NULL, &err) : RX_OK;
	for (i = 0; i < objects->n; i++) {
		name_parse(objects->v[i], &family, name);
		status = fetch_one(verb, family, name, &object);
		if (status == RX_OK)
			list_add(list, family, &object.disk);
		tally(&t, status);
	}
	list_add_system(list);
	return tally_exit(&t);
}

/* Names the modules that are not loaded: they have no disks or caches. */
void fetch_json_absent(struct json_object *root, const bool *absent)
{
	struct json_object *array = json_object_new_array();
	int family;

	for (family = 0; family < RX_FAMILIES; family++)
		if (absent[family])
			json_object_array_add(array, json_string(model_family(family)));
	json_object_object_add(root, "absent", array);
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
