// SPDX-License-Identifier: GPL-2.0-only
/* unmap, set and flush of a cache. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "args.h"
#include "await.h"
#include "busy.h"
#include "events.h"
#include "fetch.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "origin.h"
#include "request.h"
#include "say.h"
#include "verbs.h"

static int wait_until_gone(struct rx_cache *cache, long wait_ms)
{
	switch (await_gone(cache, "unmap", cache->name, wait_ms)) {
	case END_TIMEOUT:
		say("unmap", cache->name,
		    "not done in time: I/O is still in flight, the kernel goes on by itself; see: rxadm list, or wait: rxadm unmap %s",
		    cache->name);
		return RX_KERNEL;
	case END_SIGNAL:
		say("unmap", cache->name,
		    "interrupted; the kernel goes on by itself; see: rxadm list%s%s",
		    cache->own_disk == 1 ? ", and when it is gone: rxadm detach " : "",
		    cache->own_disk == 1 ? cache->disk : "");
		step_die();
		return RX_KERNEL;
	default:
		return RX_OK;
	}
}

/* The kernel unmaps only what has started. 1: it came to nothing by itself. */
static int wait_until_started(struct rx_cache *cache, long wait_ms)
{
	switch (await_active(cache, "unmap", cache->name, wait_ms)) {
	case END_TIMEOUT:
		say("unmap", cache->name,
		    "not done in time: it is still starting; see: rxadm list, or wait: rxadm unmap %s",
		    cache->name);
		return -1;
	case END_SIGNAL:
		say("unmap", cache->name,
		    "interrupted; it is still starting; see: rxadm list");
		step_die();
		return -1;
	case END_FAILED:
		return 1;
	default:
		return 0;
	}
}

/* The whole of one unmap, but for the disk. RX_OK when the cache is gone. */
static int end_cache(struct rx_cache *cache, long wait_ms)
{
	int64_t start = now_ms();
	struct rx_err err;
	struct rx_req req;
	int ret = 0;

	if (cache->state == RX_STATE_STARTING)
		ret = wait_until_started(cache, wait_ms);
	if (ret)
		return ret < 0 ? RX_KERNEL : RX_OK;
	req_init(&req, RX_CACHE, "map-del");
	req_text(&req, "name", cache->name);
	ret = busy_do(&req, NULL, cache->name, wait_left(start, wait_ms), &err);
	req_free(&req);
	/* Whoever began it, its end is what was asked for. */
	if (ret && err.err != EALREADY)
		return busy_report("unmap", cache->name, "", cache->name, &err);
	return wait_until_gone(cache, wait_left(start, wait_ms));
}

/* The disk that was made for it goes too. DONE takes their last states. */
int cache_unmap(const char *name, long wait_ms, struct rx_list *done)
{
	char disk[RX_NAME_LEN];
	struct rx_origin *origin;
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	bool own_disk;
	int ret;

	if (rx.dry_run) {
		req_init(&req, RX_CACHE, "map-del");
		req_text(&req, "name", name);
		ret = req_show(&req);
		req_free(&req);
		return ret;
	}
	if (nl_join(RX_CACHE, &err) || nl_get(RX_CACHE, name, &cache, &err))
		return err_report("unmap", name, &err);
	own_disk = cache.own_disk == 1;
	memcpy(disk, cache.disk, sizeof(disk));
	origin = origin_before(&cache);
	ret = end_cache(&cache, wait_ms);
	origin_after(origin, !ret);
	if (ret)
		return ret;
	list_add_cache(done, &cache);
	return own_disk ? disk_detach("unmap", disk, WAIT_DEFAULT, done) :
		RX_OK;
}

int cmd_unmap(const struct rx_verb *verb, const struct rx_args *args)
{
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb->name, args->objects[i], RX_CACHE, name))
			return RX_USAGE;
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb->name, args->objects[i], RX_CACHE, name);
		tally(&t, cache_unmap(name, args_wait(args), &done));
	}
	out_result(&done);
	list_free(&done);
	return tally_exit(&t);
}

int cmd_set(const struct rx_verb *verb, const struct rx_args *args)
{
	const char *mode = args_text(args, "mode");
	const char *alloc = args_text(args, "write-allocate");
	struct rx_list done = { 0 };
	char name[RX_NAME_LEN];
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret;

	if (!object_is(verb->name, args->objects[0], RX_CACHE, name))
		return RX_USAGE;
	if (!mode && !alloc && !args_has(args, "floor"))
		return usage_error("set %s: nothing to set; say --mode, --write-allocate or --floor",
				   name);
	req_init(&req, RX_CACHE, "map-set");
	req_text(&req, "name", name);
	if (mode)
		req_num(&req, "mode", mode_parse(mode));
	if (alloc)
		req_num(&req, "write-allocate", !strcmp(alloc, "yes"));
	req_num(&req, "floor", args_num(args, "floor", RX_NONE));
	if (rx.dry_run) {
		ret = req_show(&req);
	} else if (nl_do(&req, &cache, &err)) {
		ret = err_report("set", name, &err);
	} else {
		list_add_cache(&done, &cache);
		ret = out_result(&done);
	}
	req_free(&req);
	list_free(&done);
	return ret;
}

static int cache_flush(const char *name)
{
	struct rx_list done = { 0 };
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret = RX_OK;

	req_init(&req, RX_CACHE, "map-flush");
	req_text(&req, "name", name);
	if (rx.dry_run) {
		req_show(&req);
	} else if (nl_do(&req, NULL, &err)) {
		ret = err_report("flush", name, &err);
	} else if (rx.json && !nl_get(RX_CACHE, name, &cache, &err)) {
		list_add_cache(&done, &cache);
		ret = out_result(&done);
	}
	req_free(&req);
	list_free(&done);
	return ret;
}

/* Of a cache it is always safe, of a disk it destroys everything. */
int cmd_flush(const struct rx_verb *verb, const struct rx_args *args)
{
	bool erase = args_has(args, "erase");
	const char *text = args->objects[0];
	char name[RX_NAME_LEN];
	enum rx_family family;

	if (!name_parse(text, &family, name))
		return usage_error("%s: '%s' is no disk or cache; say rxd0 or rxc0",
				   verb->name, text);
	if (family == RX_DISK)
		return disk_flush(name, erase, args_wait(args));
	if (erase)
		return usage_error("flush %s: --erase is for disks; a cache loses nothing: rxadm flush %s",
				   name, name);
	return cache_flush(name);
}
