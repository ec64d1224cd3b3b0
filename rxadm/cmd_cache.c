// SPDX-License-Identifier: GPL-2.0-only
/* The verbs unmap, set and flush. Flush also erases disks. */
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "await.h"
#include "dev.h"
#include "name.h"
#include "nl.h"
#include "remove.h"
#include "run.h"
#include "say.h"
#include "units.h"
#include "verbs.h"
#include "wait.h"
#include "warmsave.h"

/*
 * Saves the list of a cache. If that fails, unmap leaves the cache mapped. But a step of
 * down unmaps the cache all the same, unless a signal came: at shutdown the cache goes
 * with the machine.
 */
static int save(const char *name)
{
	struct rx_cache cache;
	struct rx_err err;

	if (nl_get(RX_CACHE, name, &cache, &err))
		return err_report("unmap", name, &err);
	dev_origin_path(&cache);
	if (cache.state != RX_STATE_ACTIVE || !warm_save("unmap", &cache))
		return RX_OK;
	if (rx.step.on && !signals_pending())
		return RX_OK;
	say("unmap", name, "its list was not saved, so it stays; to unmap it all the same: rxadm unmap %s",
	    name);
	return RX_KERNEL;
}

static int unmap(const struct rx_args *args, const char *name,
		 struct rx_list *done)
{
	int ret = args_has(args, "save") ? save(name) : RX_OK;

	return ret ? ret : cache_unmap(name, args_wait(args), done);
}

int cmd_unmap(const struct rx_args *args)
{
	return run_each(args, RX_CACHE, unmap);
}

/* Waits for the end of a resize that the kernel has begun. An event tells the end. */
static int wait_for_size(struct rx_cache *cache, const struct rx_args *args)
{
	enum rx_end end = await_cache(AWAIT_RESIZED, cache, "set", cache->name,
				      args_wait(args));
	struct rx_err err = { 0 };

	if (end == END_FAILED) {
		say("set", cache->name,
		    "the cache was unmapped before the end; see: rxadm list");
		return RX_KERNEL;
	}
	if (end != END_DONE)
		return await_report(end, "set", cache->name, cache->name,
				    "not done in time; the kernel goes on, see: rxadm stat %s",
				    "interrupted; the kernel goes on, see: rxadm stat %s");
	if (!or_zero(cache->resize.error))
		return RX_OK;
	err_set(&err, (int)cache->resize.error, "%s", cache->resize.message);
	return err_report("set", cache->name, &err);
}

int cmd_set(const struct rx_args *args)
{
	const char *allocate = args_text(args, "write-allocate");
	bool resize = args_has(args, "size");
	const char *freeze = args_text(args, "freeze");
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = args->verb->name, .object = name, .join = resize };
	struct rx_cache cache;
	struct rx_req req;
	int ret;

	if (!object_is(args->verb->name, args->objects[0], RX_CACHE, name))
		return RX_USAGE;
	if (!resize && !args_has(args, "mode") && !allocate &&
	    !args_has(args, "floor") && !args_has(args, "grow") && !freeze &&
	    !args_has(args, "min-share") && !args_has(args, "max-share") &&
	    !args_has(args, "read-ahead"))
		return usage_error("set %s: nothing to set; say --size, --mode, --write-allocate, --floor, --min-share, --max-share, --read-ahead, --grow or --freeze",
				   name);
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_SET, name);
	req_num(&req, RXCACHE_A_CACHE_SIZE, args_num(args, "size", RX_NONE));
	req_num(&req, RXCACHE_A_CACHE_MODE, args_num(args, "mode", RX_NONE));
	if (allocate)
		req_num(&req, RXCACHE_A_CACHE_WRITE_ALLOCATE,
			!strcmp(allocate, "yes"));
	req_num(&req, RXCACHE_A_CACHE_FLOOR, args_num(args, "floor", RX_NONE));
	req_part(&req, RXCACHE_A_CACHE_MIN_SHARE, RXCACHE_A_CACHE_MIN_SHARE_PERCENT,
		 args_text(args, "min-share"), args_num(args, "min-share", RX_NONE));
	req_part(&req, RXCACHE_A_CACHE_MAX_SHARE, RXCACHE_A_CACHE_MAX_SHARE_PERCENT,
		 args_text(args, "max-share"), args_num(args, "max-share", RX_NONE));
	req_num(&req, RXCACHE_A_CACHE_READ_AHEAD, args_num(args, "read-ahead", RX_NONE));
	if (freeze)
		req_num(&req, RXCACHE_A_CACHE_FROZEN, !strcmp(freeze, "yes"));
	ret = request_run(&req, &cache, &run);
	if (!ret && !rx.dry_run && resize)
		ret = wait_for_size(&cache, args);
	return ret || rx.dry_run ? ret : run_done(RX_CACHE, &cache);
}

static int refuse(const char *name)
{
	struct rx_disk disk;
	struct rx_err err;
	char used[32];

	if (nl_get(RX_DISK, name, &disk, &err))
		return err_report("flush", name, &err);
	say("flush", name,
	    "would destroy %s of data; if that is meant: rxadm flush %s --erase",
	    size_print(or_zero(disk.used), used, sizeof(used)), name);
	return RX_USAGE;
}

static int erase_disk(const char *name, long wait_ms)
{
	struct rx_run run = { .verb = "flush", .object = name, .device = name,
			      .wait_ms = wait_ms, .join = true };
	struct rx_req req;

	req_named(&req, RX_DISK, RXDSK_CMD_DISK_ERASE, name);
	return disk_change(&req, &run, 0);
}

static int flush_cache(const char *name)
{
	struct rx_run run = { .verb = "flush", .object = name };
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret;

	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_FLUSH, name);
	ret = request_run(&req, NULL, &run);
	if (ret || rx.dry_run || !rx.json || nl_get(RX_CACHE, name, &cache, &err))
		return ret;
	return run_done(RX_CACHE, &cache);
}

/* Flush is always safe for a cache, and destroys what a disk holds. */
int cmd_flush(const struct rx_args *args)
{
	bool erase = args_has(args, "erase");
	char name[RX_NAME_LEN];
	enum rx_family family;

	if (!object_any(args->verb->name, args->objects[0], &family, name))
		return RX_USAGE;
	if (family == RX_DISK)
		return erase ? erase_disk(name, args_wait(args)) : refuse(name);
	if (erase)
		return usage_error("flush %s: --erase is for disks; a cache loses nothing: rxadm flush %s",
				   name, name);
	return flush_cache(name);
}
