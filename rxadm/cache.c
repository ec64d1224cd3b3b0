// SPDX-License-Identifier: GPL-2.0-only
/* The whole of an unmap, which map undoes with too. */
#define _GNU_SOURCE
#include <string.h>

#include <linux/rxcache.h>

#include "await.h"
#include "cache.h"
#include "disk.h"
#include "origin.h"
#include "run.h"
#include "wait.h"

/*
 * The kernel unmaps only what has started. GONE: the cache came to nothing by
 * itself.
 */
static int wait_until_started(struct rx_cache *cache, long wait_ms, bool *gone)
{
	enum rx_end end;

	if (cache->state != RX_STATE_STARTING)
		return RX_OK;
	end = await_cache(AWAIT_ACTIVE, cache, "unmap", cache->name, wait_ms);
	*gone = end == END_FAILED;
	return await_report(end, "unmap", cache->name, cache->name,
			    "not done in time: it is still starting; see: rxadm list, or wait: rxadm unmap %s",
			    "interrupted; it is still starting; see: rxadm list");
}

static int wait_until_gone(struct rx_cache *cache, long wait_ms)
{
	char interrupted[128] =
		"interrupted; the kernel goes on by itself; see: rxadm list";

	if (cache->own_disk == 1)
		snprintf(interrupted + strlen(interrupted),
			 sizeof(interrupted) - strlen(interrupted),
			 ", and when it is gone: rxadm detach %s", cache->disk);
	return await_report(await_cache(AWAIT_UNMAPPED, cache, "unmap",
					cache->name, wait_ms),
			    "unmap", cache->name, cache->name,
			    "not done in time: I/O is still in flight, the kernel goes on by itself; see: rxadm list, or wait: rxadm unmap %s",
			    interrupted);
}

/* The request alone; somebody else's is as good. */
static int request_unmap(const char *name, long wait_ms)
{
	struct rx_run run = { .verb = "unmap", .object = name, .device = name,
			      .wait_ms = wait_ms, .ending = true };
	struct rx_req req;

	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_DEL, name);
	return request_run(&req, NULL, &run);
}

/* But for the disk. RX_OK when the cache is gone. */
static int end_cache(struct rx_cache *cache, long wait_ms)
{
	int64_t start = now_ms();
	bool gone = false;
	int ret;

	ret = wait_until_started(cache, wait_ms, &gone);
	if (ret || gone)
		return ret;
	ret = request_unmap(cache->name, wait_left(start, wait_ms));
	return ret ? ret : wait_until_gone(cache, wait_left(start, wait_ms));
}

/* The disk that was made for it goes too. DONE takes their last states. */
int cache_unmap(const char *name, long wait_ms, struct rx_list *done)
{
	char disk[RX_NAME_LEN];
	struct rx_origin *origin;
	struct rx_cache cache;
	bool own_disk;
	int ret;

	if (rx.dry_run)
		return request_unmap(name, wait_ms);
	ret = run_watch("unmap", RX_CACHE, name, &cache);
	if (ret)
		return ret;
	own_disk = cache.own_disk == 1;
	memcpy(disk, cache.disk, sizeof(disk));
	origin = origin_before(&cache);
	ret = end_cache(&cache, wait_ms);
	origin_after(origin, !ret);
	if (ret)
		return ret;
	list_add(done, RX_CACHE, &cache);
	return own_disk ? disk_detach("unmap", disk, WAIT_DEFAULT, done) :
		RX_OK;
}
