// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb map. With --size or --max it attaches the disk first. The kernel opens the
 * origin in the background, so map reports success only after the kernel's event.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "args/args.h"
#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/list.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/endings.h"
#include "run/preflight.h"
#include "run/run.h"
#include "system/dev.h"
#include "system/hazard.h"
#include "system/node.h"
#include "system/origin.h"
#include "system/users.h"
#include "table/load.h"
#include "verb/map.h"
#include "warm/loader.h"

#define UNDO_MS	10000		/* for the kernel to end what was begun */
#define LOOK_UPS	20
#define LOOK_UP_MS	50

struct map {
	const struct rx_args *args;
	char object[PATH_MAX + 64];	/* as error texts name it */
	char disk[RX_NAME_LEN];
	bool own_disk;
	bool goes_on;		/* the cache exists, or may yet come */
	char origin[PATH_MAX];
	int64_t start;
	struct rx_cache cache;
};

/*
 * Returns the size of the disk that is to be made, or RX_NONE if none is. --max makes an
 * elastic cache, for which make_request() sets a floor of 0.
 */
static uint64_t disk_bytes(const struct rx_args *args)
{
	return args_num(args, args_has(args, "max") ? "max" : "size", RX_NONE);
}

/* Says why the origin can't be that of the cache. */
static int check_origin(const struct map *map, bool tag)
{
	char real[PATH_MAX];
	bool known = !dev_real(map->origin, real, sizeof(real));

	if (tag && known && !strncmp(real, "/dev/rxc", 8)) {
		say("map", map->object, "is %s, a cache already; use that, or see: rxadm list",
		    real);
		return RX_USAGE;
	}
	if (!map->own_disk && known && !preflight_off() &&
	    !strncmp(real, "/dev/", 5) && dev_is_of(real + 5, map->disk)) {
		say("map", map->object, "%s is to hold the cache, so it cannot be the origin; name a slow device, see: lsblk",
		    map->disk);
		return RX_USAGE;
	}
	return known && !preflight_origin("map", map->object, real) ? RX_KERNEL : RX_OK;
}

/* Says what is missing beside the only OBJECT. */
static int one_object(const char *object)
{
	enum rx_family family;
	char name[RX_NAME_LEN];

	if (name_parse(object, &family, name) && family == RX_DISK)
		return usage_error("map %s: the origin is missing; say which device is to be cached: rxadm map %s /dev/ORIGIN, see: lsblk",
				   name, name);
	return usage_error("map: which disk is to hold it? say: rxadm map rxd0 %s, or: rxadm map --size 1G %s",
			   quoted(object), quoted(object));
}

static int check_objects(struct map *map)
{
	const struct rx_args *args = map->args;
	const char *origin = args->objects[args->n_objects - 1];
	int err;

	map->own_disk = disk_bytes(args) != RX_NONE;
	if (map->own_disk && args->n_objects == 2)
		return args_name_object(args) ? RX_USAGE : usage_error("map: --%s makes a disk, '%s' names one; leave one of them out",
				   args_has(args, "max") ? "max" : "size",
				   args->objects[0]);
	if (!map->own_disk && args->n_objects == 1)
		return one_object(origin);
	if (!map->own_disk && !strchr(origin, '/') && args_name_object(args))
		return RX_USAGE;
	if (!map->own_disk &&
	    !object_is("map", args->objects[0], RX_DISK, map->disk))
		return RX_USAGE;
	if (!new_name_ok(args, RX_CACHE))
		return RX_USAGE;
	snprintf(map->object, sizeof(map->object), "%s%s%s", map->disk,
		 map->own_disk ? "" : " ", origin);
	err = dev_origin(origin, map->origin, sizeof(map->origin));
	if (!err)
		return check_origin(map, dev_is_tag(origin));
	if (err == ENOENT && dev_is_tag(origin))
		say("map", map->object, access("/dev/disk", F_OK) && !sys_replayed() ?
		    "%s is a name that udev gives, which does not run here; say the device itself, see: lsblk" :
		    "no device has %s; see: lsblk -f, blkid", origin);
	else if (err == ENOTBLK)
		say("map", map->object, "%s is no block device; see: lsblk",
		    map->origin);
	else
		say("map", map->object, "%s: %s; see: lsblk", map->origin,
		    strerror(err));
	return RX_USAGE;
}

#define TRY_NEXT	(-2)

static int name_taken(const struct rx_run *run, const struct rx_err *err)
{
	(void)run;
	return err->err == EEXIST ? TRY_NEXT : RX_OK;
}

/*
 * The kernel chooses the name of the disk, unless the table has disks: then we do, because
 * their names must stay free.
 */
static int make_disk(struct map *map)
{
	struct rx_strv reserved = tab_reserved();
	bool choose = !rx.dry_run && reserved.n;
	struct rx_run run = { .verb = "map", .object = map->object,
			      .refused = choose ? name_taken : NULL };
	struct rx_disk disk = { .name = "NEW-DISK" };
	char name[RX_NAME_LEN];
	unsigned int number = 0;
	struct rx_req req;
	int ret;

	do {
		do
			snprintf(name, sizeof(name), "rxd%u", number++);
		while (choose && strv_has(&reserved, name));
		req_init(&req, RX_DISK, RXDSK_CMD_DISK_NEW);
		req_text(&req, RXDSK_A_DISK_NAME, choose ? name : NULL);
		req_num(&req, RXDSK_A_DISK_SIZE, disk_bytes(map->args));
		ret = request_run(&req, &disk, &run);
	} while (ret == TRY_NEXT);
	strv_free(&reserved);
	if (ret)
		return ret;
	memcpy(map->disk, disk.name, sizeof(map->disk));
	/*
	 * Once the cache has claimed the disk, udev would log that it can't open the
	 * disk.
	 */
	if (!rx.dry_run && udev_runs())
		dev_wait(disk.name, disk.major, disk.minor);
	return RX_OK;
}

/* What the kernel is to CHECK has the size of a disk that is not there yet. */
static void make_request(struct rx_req *req, const struct map *map, bool check)
{
	const struct rx_args *args = map->args;

	req_named(req, RX_CACHE, RXCACHE_CMD_CACHE_NEW, args_text(args, "name"));
	if (check)
		req_num(req, RXCACHE_A_CACHE_SIZE, disk_bytes(args));
	else
		req_text(req, RXCACHE_A_CACHE_DISK, map->disk);
	req_text(req, RXCACHE_A_CACHE_ORIGIN, map->origin);
	args_put(args, req);
	if (map->own_disk)
		req_num(req, RXCACHE_A_CACHE_OWN_DISK, 1);
	if (args_has(args, "max"))
		req_num(req, RXCACHE_A_CACHE_FLOOR, 0);
}

/* Reports the failure of a cache that the kernel had accepted, and was starting. */
static int report_failure(struct map *map)
{
	char subject[PATH_MAX + 8];
	const char *slash = strrchr(map->origin, '/');
	bool says = map->cache.error != RX_NONE || *map->cache.message;
	struct rx_err err = { 0 };

	err_set(&err, or_zero(map->cache.error) ? (int)map->cache.error : EIO,
		"%s", says ? map->cache.message :
		"the cache went away while it was made");
	if (says && !strcmp(map->cache.message, "cannot open origin"))
		err_set(&err, err.err, "cannot open origin: %s", strerror(err.err));
	snprintf(subject, sizeof(subject), "%s is ", map->origin);
	if (err.err == EBUSY &&
	    users_say("map", map->object, subject, slash + 1, NULL))
		return RX_KERNEL;
	return err_report("map", map->object, &err);
}

/* A cache is of no use without its node. If it is gone, cmd_map() detaches the disk. */
static int undo(struct map *map)
{
	struct rx_cache cache;
	struct rx_err err;

	if (nl_get(RX_CACHE, map->cache.name, &cache, &err))
		map->goes_on = false;
	else
		cache_unmap(map->cache.name, UNDO_MS, NULL);
	return RX_KERNEL;
}

static int wait_for_end(struct map *map)
{
	struct rx_cache *cache = &map->cache;
	enum rx_end end;
	int ret;

	map->goes_on = true;
	end = await_cache(AWAIT_ACTIVE, cache, "map", map->object,
			  wait_left(map->start, args_wait(map->args)));
	if (end == END_FAILED) {
		map->goes_on = false;
		return report_failure(map);
	}
	ret = await_report(end, "map", map->object, cache->name,
			   "not done in time, and still being made as %s; see: rxadm list, or undo it: rxadm unmap %s",
			   "interrupted; the kernel goes on making %s; see: rxadm list, or undo it: rxadm unmap %s");
	if (ret || dev_wait(cache->name, cache->major, cache->minor))
		return ret;
	if (signals_pending()) {
		say("map", map->object, "interrupted; %s is active; to undo it, run: rxadm unmap %s",
		    cache->name, cache->name);
		signals_die();
	}
	node_say("map", map->object, cache->name, "the new cache, which is unmapped again");
	return undo(map);
}

/*
 * The kernel finds the origin only if its path is cached, because a request must not wait
 * for a file system, and memory pressure may have dropped it since it was resolved.
 */
static int look_up(const char *origin)
{
	static unsigned int tries;
	struct stat st;

	return tries++ < LOOK_UPS && !stat(origin, &st) &&
	       wait_fd(-1, LOOK_UP_MS) != WAIT_SIGNAL ? RUN_AGAIN : RX_OK;
}

/*
 * Names the cache that has the origin already. If there is none, the request is made
 * again, because udev may have closed the disk while the list was read.
 */
static int origin_taken(const struct rx_run *run, const struct rx_err *err)
{
	const struct map *map = run->arg;
	const char *kname = strrchr(map->origin, '/') + 1;
	struct rx_list list = { 0 };
	struct rx_err ignored;
	int ret = RUN_AGAIN;
	size_t i;

	if (err->err == EAGAIN)
		return look_up(map->origin);
	if (err->err != EBUSY)
		return RX_OK;
	if (nl_list(RX_CACHE, &list, &ignored))
		return RUN_AGAIN;
	for (i = 0; i < list.n_caches && ret == RUN_AGAIN; i++) {
		if (strcmp(list.caches[i].origin, kname))
			continue;
		say("map", map->object,
		    "%s is mapped already; use /dev/%s, or run: rxadm unmap %s",
		    map->origin, list.caches[i].name, list.caches[i].name);
		ret = RX_KERNEL;
	}
	list_free(&list);
	return ret;
}

static int make_map(struct map *map)
{
	char subject[RX_NAME_LEN + 8];
	struct rx_run run = {
		.verb = "map", .object = map->object, .device = map->disk,
		.subject = subject, .wait_ms = args_wait(map->args),
		.refused = origin_taken, .arg = map,
	};
	struct rx_req req, shown;
	int ret;

	snprintf(subject, sizeof(subject), "%s is ", map->disk);
	make_request(&req, map, rx.dry_run && map->own_disk);
	if (rx.dry_run && map->own_disk) {
		make_request(&shown, map, false);
		run.shown = &shown;
	}
	ret = request_run(&req, &map->cache, &run);
	if (run.shown)
		req_free(run.shown);
	return ret || rx.dry_run ? ret : wait_for_end(map);
}

/* check-tab says the same of lines of the table. */
static void hint_boot(const struct map *map)
{
	char *boot = rx.quiet ? NULL : preflight_boot(map->origin);

	if (boot)
		say_hint("map", map->object, "%s %s", map->origin, boot);
	free(boot);
}

int cmd_map(const struct rx_args *args)
{
	struct map map = { .args = args, .start = now_ms() };
	struct rx_err err;
	int ret;

	ret = check_objects(&map);
	if (ret)
		return ret;
	hint_boot(&map);
	/* Listening begins before the request, or the event of its end could be missed. */
	if (!rx.dry_run && nl_join(RX_CACHE, &err))
		return err_report("map", map.object, &err);
	/* Ctrl-C must leave no disk without its cache, and no cache without its name. */
	if (!rx.dry_run)
		signals_take();
	if (map.own_disk)
		ret = make_disk(&map);
	if (ret)
		return ret;
	ret = signals_pending() ? RX_KERNEL : make_map(&map);
	if (!ret)
		preflight_warn("map", map.object, RX_CACHE, disk_bytes(args),
			       args_num(args, "floor", RX_NONE));
	if (rx.dry_run)
		return ret;
	if (ret && map.own_disk && !map.goes_on) {
		disk_release("map", map.disk, NULL);
		if (signals_pending())
			signals_die();
	}
	if (ret)
		return ret;
	if (!map.own_disk)
		disk_event(map.disk);
	origin_event(&map.cache);
	/* So that udev sees whose memory it is. */
	disk_event(map.cache.disk);
	warm_start("map", &map.cache, args_has(args, "warm"));
	if (!rx.json && !rx.quiet)
		puts(map.cache.name);
	run_done(RX_CACHE, &map.cache);
	return RX_OK;
}
