// SPDX-License-Identifier: GPL-2.0-only
/* flush: it is always safe for a cache, and destroys what a disk holds. */
#define _GNU_SOURCE
#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "disk.h"
#include "name.h"
#include "nl.h"
#include "run.h"
#include "say.h"
#include "units.h"
#include "verbs.h"
#include "wait.h"

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

static int flush_disk(const char *name, long wait_ms)
{
	struct rx_run run = { .verb = "flush", .object = name, .device = name,
			      .wait_ms = wait_ms, .join = true };
	int64_t start = now_ms();
	struct rx_disk disk;
	struct rx_req req;
	int ret;

	req_named(&req, RX_DISK, RXDSK_CMD_DISK_ERASE, name);
	ret = request_run(&req, &disk, &run);
	if (ret || rx.dry_run)
		return ret;
	ret = disk_clear("flush", &disk, wait_left(start, wait_ms));
	return ret ? ret : run_done(RX_DISK, &disk);
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

int cmd_flush(const struct rx_verb *verb, const struct rx_args *args)
{
	bool erase = args_has(args, "erase");
	char name[RX_NAME_LEN];
	enum rx_family family;

	if (!object_any(verb->name, args->objects[0], &family, name))
		return RX_USAGE;
	if (family == RX_DISK)
		return erase ? flush_disk(name, args_wait(args)) : refuse(name);
	if (erase)
		return usage_error("flush %s: --erase is for disks; a cache loses nothing: rxadm flush %s",
				   name, name);
	return flush_cache(name);
}
