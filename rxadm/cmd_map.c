// SPDX-License-Identifier: GPL-2.0-only
/*
 * map: with --size it attaches the disk first. The kernel opens the origin in
 * the background, so success is said only after its event.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "args.h"
#include "await.h"
#include "busy.h"
#include "dev.h"
#include "events.h"
#include "fetch.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "origin.h"
#include "request.h"
#include "say.h"
#include "users.h"
#include "verbs.h"

#define UNDO_MS	10000		/* for the kernel to end what was begun */

struct map {
	const struct rx_verb *verb;
	const struct rx_args *args;
	char object[PATH_MAX + 64];	/* what error texts name */
	char disk[RX_NAME_LEN];
	bool own_disk;
	bool goes_on;		/* it exists, or may yet */
	char origin[PATH_MAX];
	int64_t start;
	struct rx_cache cache;
};

static int check_objects(struct map *map)
{
	const struct rx_args *args = map->args;
	const char *origin = args->objects[args->n_objects - 1];
	int err;

	map->own_disk = args_has(args, "size");
	if (map->own_disk && args->n_objects == 2)
		return usage_error("map: --size makes a disk, '%s' names one; leave one of them out",
				   args->objects[0]);
	if (!map->own_disk && args->n_objects == 1)
		return usage_error("map: which disk is to hold it? say: rxadm map rxd0 %s, or: rxadm map --size 1G %s",
				   origin, origin);
	if (!map->own_disk &&
	    !object_is("map", args->objects[0], RX_DISK, map->disk))
		return RX_USAGE;
	if (!new_name_ok(args, RX_CACHE))
		return RX_USAGE;
	snprintf(map->object, sizeof(map->object), "%s%s%s", map->disk,
		 map->own_disk ? "" : " ", origin);
	err = dev_origin(origin, map->origin, sizeof(map->origin));
	if (!err)
		return RX_OK;
	if (err == ENOTBLK)
		say("map", map->object, "%s is no block device; see: lsblk",
		    map->origin);
	else
		say("map", map->object, "%s: %s; see: lsblk", map->origin,
		    strerror(err));
	return RX_USAGE;
}

static bool reserved(const char *name)
{
	size_t i;

	for (i = 0; i < rx.step.reserved->n; i++)
		if (!strcmp(rx.step.reserved->v[i], name))
			return true;
	return false;
}

/* The next disk that is free, but for those whose names are reserved. */
static int new_disk(uint64_t size, struct rx_disk *disk, struct rx_err *err)
{
	bool choose = rx.step.on && rx.step.reserved->n;
	unsigned int number = 0;
	char name[RX_NAME_LEN];
	struct rx_req req;
	int ret;

	do {
		do
			snprintf(name, sizeof(name), "rxd%u", number++);
		while (choose && reserved(name));
		req_init(&req, RX_DISK, "disk-new");
		req_text(&req, "name", choose ? name : NULL);
		req_num(&req, "size", size);
		ret = rx.dry_run ? req_show(&req) : nl_do(&req, disk, err);
		req_free(&req);
	} while (ret && choose && err->err == EEXIST);
	return ret;
}

static int make_disk(struct map *map)
{
	uint64_t size = args_num(map->args, "size", RX_NONE);
	struct rx_disk disk = { .name = "NEW-DISK" };
	struct rx_err err;

	if (new_disk(size, &disk, &err))
		return err_report("map", map->object, &err);
	memcpy(map->disk, disk.name, sizeof(map->disk));
	/* A cache takes it so that udev can't open it any more, which it logs. */
	if (!rx.dry_run && udev_runs())
		dev_wait(disk.name, disk.major, disk.minor);
	return RX_OK;
}

static void fill_request(struct rx_req *req, const struct map *map)
{
	const struct rx_args *args = map->args;
	const char *mode = args_text(args, "mode");

	req_init(req, RX_CACHE, "map-new");
	req_text(req, "name", args_text(args, "name"));
	req_text(req, "disk", map->disk);
	req_text(req, "origin", map->origin);
	req_num(req, "block-size", args_num(args, "block", RX_NONE));
	if (mode)
		req_num(req, "mode", mode_parse(mode));
	req_text(req, "policy", args_text(args, "policy"));
	if (args_has(args, "no-write-allocate"))
		req_num(req, "write-allocate", 0);
	if (args_has(args, "erase"))
		req_flag(req, "erase");
	if (map->own_disk)
		req_num(req, "own-disk", 1);
	req_num(req, "floor", args_num(args, "floor", RX_NONE));
	if (args_has(args, "read-only"))
		req_num(req, "read-only", 1);
}

/* The mapping was begun and came to nothing. */
static int report_failure(struct map *map)
{
	char subject[PATH_MAX + 8];
	struct rx_err err = { .err = EIO };
	const char *slash = strrchr(map->origin, '/');

	if (map->cache.error != RX_NONE && map->cache.error)
		err.err = map->cache.error;
	snprintf(err.msg, sizeof(err.msg), "%s", map->cache.message);
	if (map->cache.error == RX_NONE && !*err.msg)
		snprintf(err.msg, sizeof(err.msg),
			 "the mapping went away while it was made");
	snprintf(subject, sizeof(subject), "%s is ", map->origin);
	if (err.err == EBUSY) {
		users_firm(slash + 1, NULL);
		if (users_say("map", map->object, subject, slash + 1, NULL))
			return RX_KERNEL;
	}
	return err_report("map", map->object, &err);
}

/* Of a step nothing stays; a mapping that came to nothing leaves its disk. */
static int undo(struct map *map)
{
	struct rx_list undone = { 0 };
	struct rx_cache cache;
	struct rx_err err;

	if (nl_get(RX_CACHE, map->cache.name, &cache, &err))
		map->goes_on = false;
	else
		cache_unmap(map->cache.name, UNDO_MS, &undone);
	list_free(&undone);
	return RX_KERNEL;
}

static int wait_for_end(struct map *map)
{
	struct rx_cache *cache = &map->cache;
	enum rx_end end;

	map->goes_on = true;
	end = await_active(cache, "map", map->object, rx.step.on ? step_left() :
			   wait_left(map->start, args_wait(map->args)));
	if (rx.step.on && (end == END_TIMEOUT || end == END_SIGNAL)) {
		say("map", map->object, "%s; it is undone", end == END_SIGNAL ?
		    "interrupted" : "not done in time");
		return undo(map);
	}
	switch (end) {
	case END_DONE:
		break;
	case END_TIMEOUT:
		say("map", map->object,
		    "not done in time, and still being made as %s; see: rxadm list, or undo it: rxadm unmap %s",
		    cache->name, cache->name);
		return RX_KERNEL;
	case END_SIGNAL:
		say("map", map->object,
		    "interrupted; the kernel goes on making %s; see: rxadm list, or undo it: rxadm unmap %s",
		    cache->name, cache->name);
		signals_die();
		return RX_KERNEL;
	case END_FAILED:
		map->goes_on = false;
		return report_failure(map);
	}
	if (!dev_wait(cache->name, cache->major, cache->minor)) {
		say("map", map->object,
		    "%s is active, but /dev/%s did not appear; is devtmpfs mounted on /dev?",
		    cache->name, cache->name);
		return rx.step.on ? undo(map) : RX_KERNEL;
	}
	return RX_OK;
}

/* Another cache has the origin already, and says which. */
static bool origin_taken(const struct map *map)
{
	const char *kname = strrchr(map->origin, '/') + 1;
	struct rx_list list = { 0 };
	struct rx_err ignored;
	bool taken = false;
	size_t i;

	if (nl_list(RX_CACHE, &list, &ignored))
		return false;
	for (i = 0; i < list.n_caches && !taken; i++) {
		taken = !strcmp(list.caches[i].origin, kname);
		if (taken)
			say("map", map->object,
			    "%s is mapped already; use /dev/%s, or run: rxadm unmap %s",
			    map->origin, list.caches[i].name,
			    list.caches[i].name);
	}
	list_free(&list);
	return taken;
}

static int make_map(struct map *map)
{
	char subject[RX_NAME_LEN + 8];
	struct rx_err err;
	struct rx_req req;
	int ret;

	fill_request(&req, map);
	snprintf(subject, sizeof(subject), "%s is ", map->disk);
	if (rx.dry_run)
		ret = req_show(&req);
	else if (!nl_do(&req, &map->cache, &err))
		ret = wait_for_end(map);
	else if (err.err == EBUSY && origin_taken(map))
		ret = RX_KERNEL;
	else if (err.err == EBUSY &&
		 !busy_do(&req, &map->cache, map->disk, args_wait(map->args),
			  &err))
		ret = wait_for_end(map);
	else
		ret = busy_report("map", map->object, subject, map->disk, &err);
	req_free(&req);
	return ret;
}

int cmd_map(const struct rx_verb *verb, const struct rx_args *args)
{
	struct map map = { .verb = verb, .args = args, .start = now_ms() };
	struct rx_list done = { 0 }, undone = { 0 };
	struct rx_err err;
	int ret;

	ret = check_objects(&map);
	if (ret)
		return ret;
	/* Listening begins before the request, or its end could go by unheard. */
	if (!rx.dry_run && nl_join(RX_CACHE, &err))
		return err_report("map", map.object, &err);
	if (map.own_disk) {
		/* Ctrl-C must not leave the disk alone. */
		if (!rx.dry_run)
			signals_take();
		ret = make_disk(&map);
	}
	if (ret)
		return ret;
	ret = signals_pending() ? RX_KERNEL : make_map(&map);
	if (rx.dry_run)
		return ret;
	if (!ret)
		origin_event(&map.cache);
	if (ret && map.own_disk && !map.goes_on) {
		disk_detach("map", map.disk, WAIT_DEFAULT, &undone);
		if (signals_pending())
			step_die();
	}
	if (!ret) {
		if (!rx.json && !rx.quiet && !rx.step.on)
			puts(map.cache.name);
		list_add_cache(&done, &map.cache);
		out_result(&done);
	}
	list_free(&done);
	list_free(&undone);
	return ret;
}
