// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detaches disks, unmaps caches and changes disks, from the request to its end. Attach
 * and map also use these functions, to undo what they have made.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/say.h"
#include "base/wait.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/hooks.h"
#include "kernel/list.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/endings.h"
#include "run/preflight.h"
#include "run/run.h"
#include "system/origin.h"
#include "system/users.h"

/*
 * Ends our process that has the cache open, such as one that loads it: it gives way to an
 * unmap. But a cache that others hold is not unmapped, so the process goes on.
 */
static int end_opener(const struct rx_run *run, const struct rx_err *err)
{
	if (err->err != EBUSY || users_firm(run->device, NULL))
		return RX_OK;
	if (rx.dry_run)
		return hooks.opener_runs(run->device) ? RUN_FITS : RX_OK;
	switch (hooks.opener_stop(run->device, run->wait_ms)) {
	case WAIT_EVENT:
		return RUN_AGAIN;
	case WAIT_SIGNAL:
		return err_report(run->verb, run->object,
				  &(struct rx_err){ .err = EINTR });
	default:
		return RX_OK;
	}
}

/* Makes the request alone. If another process has made the same request, that is as good. */
static int request_end(const char *verb, enum rx_family family, const char *name,
		       long wait_ms,
		       int (*refused)(const struct rx_run *run, const struct rx_err *err))
{
	static const uint8_t cmds[RX_FAMILIES] = {
		[RX_DISK] = RXDSK_CMD_DISK_DEL, [RX_CACHE] = RXCACHE_CMD_CACHE_DEL,
	};
	struct rx_run run = { .verb = verb, .object = name, .device = name,
			      .wait_ms = wait_ms, .ending = true, .refused = refused };
	struct rx_req req;

	req_named(&req, family, cmds[family], name);
	return request_run(&req, NULL, &run);
}

static int wait_until_detached(const char *verb, struct rx_disk *disk, long wait_ms)
{
	const char *name = disk->name;
	struct rx_disk last = *disk;

	return await_report(await_disk(AWAIT_DETACHED, &last, RX_NONE, verb, wait_ms),
			    verb, name, name,
			    "not done in time: its memory is still being freed, the kernel goes on by itself; see: rxadm list, or wait: rxadm detach %s",
			    "interrupted; the kernel goes on detaching %s; see: rxadm list");
}

int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done)
{
	struct rx_disk disk;
	int64_t start = now_ms();
	int ret;

	if (rx.dry_run)
		return request_end(verb, RX_DISK, name, wait_ms, NULL);
	ret = run_watch(verb, RX_DISK, name, &disk);
	if (!ret)
		ret = request_end(verb, RX_DISK, name, wait_ms, NULL);
	if (!ret)
		ret = wait_until_detached(verb, &disk, wait_left(start, wait_ms));
	if (!ret)
		hooks.disk_gone(name);
	if (!ret && done)
		list_add(done, RX_DISK, &disk);
	return ret;
}

#define DISK_STAYS	(-2)

/* Tells whether a disk that could not be detached is held, or is gone by now. */
static int may_stay(const struct rx_run *run, const struct rx_err *err)
{
	struct rx_disk disk;
	struct rx_err get;

	if (err->err == ENODEV)
		return DISK_STAYS;
	if (err->err != EBUSY)
		return RX_OK;
	if (nl_get(RX_DISK, run->device, &disk, &get))
		return get.err == ENODEV ? DISK_STAYS : RX_OK;
	return *disk.holder ? DISK_STAYS : RX_OK;
}

/*
 * Detaches a disk that was made for a cache, now that the cache is gone. The disk stays if
 * it is the memory of another cache, which may have joined it at any time up to now. It
 * may also be gone, because another process unmapped that cache at the same time.
 */
int disk_release(const char *verb, const char *name, struct rx_list *done)
{
	int64_t start = now_ms();
	struct rx_disk disk;
	struct rx_err err;
	int ret;

	if (nl_join(RX_DISK, &err) || nl_get(RX_DISK, name, &disk, &err))
		return err.err == ENODEV ? RX_OK : err_report(verb, name, &err);
	if (*disk.holder)
		return RX_OK;
	ret = request_end(verb, RX_DISK, name, WAIT_DEFAULT, may_stay);
	if (ret)
		return ret == DISK_STAYS ? RX_OK : ret;
	ret = wait_until_detached(verb, &disk, wait_left(start, WAIT_DEFAULT));
	if (!ret && done)
		list_add(done, RX_DISK, &disk);
	return ret;
}

int prepare_failed(const char *verb, const char *object, const struct rx_disk *disk)
{
	struct rx_err err = { .err = (int)disk->error };

	if (disk->error == RX_NONE) {
		say(verb, object, "%s is gone, and no reason has arrived; did somebody detach it?",
		    disk->name);
		return RX_KERNEL;
	}
	if (disk->error == ENOSPC)
		err_set(&err, ENOSPC, "the memory ran out, or min_free was reached, on the way");
	return err_report(verb, object, &err);
}

/*
 * Waits until DISK has SIZE bytes or, if SIZE is 0, until it is zeroed: the kernel takes
 * memory, or zeroes it, by itself. The error that the disk shows is that of the last
 * request, which another process may have made. So only the size tells whether the disk
 * has grown.
 */
static int disk_prepare(const struct rx_run *run, struct rx_disk *disk, uint64_t size,
			long wait_ms)
{
	enum rx_end end = END_DONE;
	struct rx_err err;
	int ret;

	/* The end may have come before this process listened. */
	if (disk->state == RX_DISK_PREPARING &&
	    (nl_join(RX_DISK, &err) ||
	     nl_get(RX_DISK, disk->name, disk, &err)))
		return err_report(run->verb, run->object, &err);
	if (disk->state == RX_DISK_PREPARING)
		/* A disk that is zeroed has its memory already. */
		end = await_disk(AWAIT_PREPARED, disk, size ? size : RX_NONE, run->verb, wait_ms);
	ret = await_report(end, run->verb, run->object, disk->name,
			   "not done in time, the kernel goes on by itself; see: rxadm list -o NAME,SIZE,USED,STATE",
			   "interrupted; the kernel goes on by itself; see: rxadm list -o NAME,SIZE,USED,STATE");
	if (ret)
		return ret;
	if (end == END_FAILED || disk->state == RX_DISK_DETACHING ||
	    (disk->error != RX_NONE && disk->size < size))
		return prepare_failed(run->verb, run->object, disk);
	if (disk->size >= size)
		return RX_OK;
	say(run->verb, run->object, "somebody else has changed its size meanwhile; see: rxadm list %s",
	    disk->name);
	return RX_KERNEL;
}

/*
 * Makes a request that changes a disk, and lists the disk. With run->join this waits
 * until the memory of the disk's old data is free. In any case this waits until the disk
 * has SIZE bytes or, if SIZE is 0, until a preallocated disk is zeroed.
 */
int disk_change(struct rx_req *req, const struct rx_run *run, uint64_t size)
{
	int64_t start = now_ms();
	struct rx_disk disk;
	int ret = request_run(req, &disk, run);

	if (!ret && size)
		preflight_warn(run->verb, run->object, RX_DISK, size, RX_NONE);
	if (ret || rx.dry_run)
		return ret;
	if (size || disk.prealloc == 1)
		ret = disk_prepare(run, &disk, size, wait_left(start, run->wait_ms));
	/* A disk that grows does not show whether it is clearing. */
	if (!ret && run->join && (disk.state == RX_DISK_CLEARING ||
				  disk.state == RX_DISK_PREPARING))
		ret = await_report(await_disk(AWAIT_CLEARED, &disk, RX_NONE, run->verb,
					      wait_left(start, run->wait_ms)),
				   run->verb, disk.name, disk.name,
				   "done, but its memory is still being freed; see: rxadm list -o NAME,STATE,FREEING",
				   "interrupted; it is done, the kernel goes on freeing memory; see: rxadm list -o NAME,STATE,FREEING");
	/* Whatever did not end in time, the size is the new one. */
	if (size)
		hooks.resized(disk.name);
	return ret ? ret : run_done(RX_DISK, &disk);
}

/*
 * Waits until the cache has started, because the kernel unmaps no other. Sets *GONE if
 * the start failed and the cache is gone.
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

/* Tells whether the disk of a cache is the memory of other caches now. */
static bool is_shared(const struct rx_cache *cache)
{
	struct rx_disk disk;
	struct rx_err err;

	return !nl_get(RX_DISK, cache->disk, &disk, &err) && *disk.holder &&
	       strcmp(disk.holder, cache->name);
}

static int wait_until_gone(struct rx_cache *cache, long wait_ms)
{
	enum rx_end end = await_cache(AWAIT_UNMAPPED, cache, "unmap", cache->name, wait_ms);
	char interrupted[128] =
		"interrupted; the kernel goes on by itself; see: rxadm list";

	if (end == END_SIGNAL && cache->own_disk == 1 && !is_shared(cache))
		snprintf(interrupted + strlen(interrupted),
			 sizeof(interrupted) - strlen(interrupted),
			 ", and when it is gone: rxadm detach %s", cache->disk);
	return await_report(end, "unmap", cache->name, cache->name,
			    "not done in time: I/O is still in flight, the kernel goes on by itself; see: rxadm list, or wait: rxadm unmap %s",
			    interrupted);
}

/* Unmaps the cache and leaves its disk. Returns RX_OK when the cache is gone. */
static int end_cache(struct rx_cache *cache, long wait_ms)
{
	int64_t start = now_ms();
	bool gone = false;
	int ret;

	ret = wait_until_started(cache, wait_ms, &gone);
	if (ret || gone)
		return ret;
	ret = request_end("unmap", RX_CACHE, cache->name,
			  wait_left(start, wait_ms), end_opener);
	return ret ? ret : wait_until_gone(cache, wait_left(start, wait_ms));
}

/*
 * Unmaps a cache. A disk that was made for its first cache is detached with the last one.
 */
int cache_unmap(const char *name, long wait_ms, struct rx_list *done)
{
	struct rx_cache cache, before;
	char *parts;
	int ret;

	if (rx.dry_run)
		return request_end("unmap", RX_CACHE, name, wait_ms, end_opener);
	ret = run_watch("unmap", RX_CACHE, name, &cache);
	if (ret)
		return ret;
	before = cache;
	parts = origin_parts(&before);
	ret = end_cache(&cache, wait_ms);
	if (!ret) {
		origin_released(&before, parts);
		hooks.cache_gone(name);
	}
	free(parts);
	if (!ret && done)
		list_add(done, RX_CACHE, &cache);
	return ret || before.own_disk != 1 ? ret : disk_release("unmap", before.disk, done);
}
