// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out, with --dry-run, whether the kernel would refuse a request for what is there
 * after the steps that the dry run has shown so far: a name that is taken or missing, a
 * disk or cache that is in use, or a state that does not allow it. Lists may be read by
 * anyone and change nothing, so the kernel is asked if the module is loaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "kernel/errtext.h"
#include "kernel/model.h"
#include "kernel/protocol.h"
#include "kernel/request.h"
#include "run/foresee.h"
#include "run/foresee_room.h"
#include "run/preflight.h"
#include "system/holder.h"
#include "system/locked.h"
#include "system/planned.h"
#include "system/users.h"
#include "system/warmstate.h"

#define CACHES_ON_DISK	32	/* the most that share one */

static const int name_attrs[] = { RXDSK_A_DISK_NAME, RXCACHE_A_CACHE_NAME };

static const struct nlattr *find(const struct rx_req *req, int attr)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);

	return nla_find(nlmsg_data(nlh), nlmsg_datalen(nlh), attr);
}

static bool is(const struct rx_req *req, enum rx_family family, uint8_t cmd)
{
	return req->family == family && req->op->cmd == cmd;
}

/* Says who uses a device that has OPENERS, or HOLDER. */
static int in_use(const struct rx_run *run, const char *name, uint64_t openers,
		  const char *holder)
{
	struct rx_err err = { .err = EBUSY };

	if (!or_zero(openers) && !*holder)
		return RX_OK;
	if (users_say(run->verb, run->object, run->subject ? run->subject : "", name,
		      holder))
		return RX_KERNEL;
	return err_report(run->verb, run->object, &err);
}

static int refuse(const struct rx_run *run, const char *what)
{
	say(run->verb, run->object, "%s", what);
	return RX_KERNEL;
}

/* Refuses a disk that is to lose content and is read-only, or a partition of it. */
static int foresee_locked(const struct rx_run *run, const struct rx_disk *disk)
{
	char *text = locked_text(disk);

	if (!text)
		return RX_OK;
	say(run->verb, run->object, "the disk %s", text);
	free(text);
	return RX_KERNEL;
}

int foresee_refused(const struct rx_run *run, int number, const char *words)
{
	struct rx_err err = { 0 };
	int ret;

	err_set(&err, number, "%s", words);
	ret = run->refused ? run->refused(run, &err) : RX_OK;
	return ret && ret != RUN_AGAIN ? ret : err_report(run->verb, run->object, &err);
}

/* Refuses a disk that has no time for a change. A detach does not wait for its work. */
static int foresee_busy(const struct rx_run *run, const struct rx_disk *disk, bool drops)
{
	struct rx_err err = { 0 };

	if (disk->state == RX_DISK_DETACHING)
		err_set(&err, ENODEV, "the disk is being detached");
	else if (disk->state == RX_DISK_FILLING)
		err_set(&err, EBUSY, "the disk is still taking memory, growing or being zeroed");
	else if (disk->state == RX_DISK_CLEARING && drops)
		err_set(&err, EBUSY, "memory of the last erase or shrink is still being freed");
	return err.err ? err_report(run->verb, run->object, &err) : RX_OK;
}

static int foresee_disk(const struct rx_req *req, const struct rx_run *run,
			const struct rx_disk *disk)
{
	uint64_t size = req_number(req, RXDSK_A_DISK_SIZE);
	struct rx_err err = { .err = EINVAL };
	bool smaller = disk->size != RX_NONE && size_whole(size) < disk->size;
	bool shrink = find(req, RXDSK_A_DISK_SHRINK);
	int ret;

	if (is(req, RX_DISK, RXDSK_CMD_DISK_DEL))
		return disk->state == RX_DISK_DETACHING ? RX_OK :
			in_use(run, disk->name, disk->open, disk->holder);
	if (is(req, RX_DISK, RXDSK_CMD_DISK_SET))
		return disk->prealloc == 1 ?
		       refuse(run, "a preallocated disk has all of its memory, so it has no limit") :
		       in_use(run, disk->name, 0, disk->holder);
	if (is(req, RX_DISK, RXDSK_CMD_DISK_RESIZE)) {
		if (*disk->holder)
			err.err = EBUSY;
		else if (!smaller)
			return foresee_busy(run, disk, false);
		if ((*disk->holder || !shrink) && run->refused)
			return run->refused(run, &err);
	}
	ret = in_use(run, disk->name, disk->open, disk->holder);
	if (!ret)
		ret = foresee_busy(run, disk, disk->prealloc != 1);
	return ret ? ret : foresee_locked(run, disk);
}

/* Looks at one of the caches, whose names are in HOLDER, that a new one would share its disk with. */
static int foresee_share(const struct rx_req *req, const struct rx_run *run,
			 const char *holder)
{
	const struct nlattr *block = find(req, RXCACHE_A_CACHE_BLOCK_SIZE);
	const char *rest = holder;
	char name[RX_NAME_LEN];
	struct rx_cache cache;
	struct rx_err err;
	unsigned int n = 0;

	while (holder_next(&rest, name))
		n++;
	if (n >= CACHES_ON_DISK)
		return refuse(run, "32 caches share the disk already, and no more can; attach another disk");
	holder_next(&holder, name);
	if (planned_get(RX_CACHE, name, &cache, &err))
		return RX_OK;
	if (block && nla_get_u32(block) != cache.block)
		return refuse(run, "the caches on the disk have another cache block size; leave --block out, or attach another disk");
	return RX_OK;
}

/* Looks at the disk that is to be the memory of a new cache. */
static int foresee_memory(const struct rx_req *req, const struct rx_run *run)
{
	const char *name = nla_data(find(req, RXCACHE_A_CACHE_DISK));
	struct rx_disk disk;
	struct rx_err err;
	int ret;

	if (planned_get(RX_DISK, name, &disk, &err))
		return err.err == ENODEV ? err_report(run->verb, run->object, &err) : RX_OK;
	/* It is the memory of other caches, which the new one shares. */
	if (*disk.holder) {
		ret = foresee_share(req, run, disk.holder);
		return ret ? ret : room_for_new(req, run, &disk);
	}
	ret = foresee_locked(run, &disk);
	if (ret)
		return ret;
	if (disk.prealloc == 1)
		return refuse(run, "the disk is preallocated; attach one without --prealloc");
	if (disk.zero_detect == 1)
		return refuse(run, "the disk drops pages of zeroes; attach one without --zero-detect");
	if (or_zero(disk.limit))
		return refuse(run, "the disk has a memory limit; run: rxadm set DISK --limit 0B, or attach one without --limit");
	if (disk.node != RX_NONE || disk.interleave == 1)
		return refuse(run, "the disk is bound to NUMA nodes; attach one without --numa");
	if (or_zero(disk.used) && !find(req, RXCACHE_A_CACHE_ERASE))
		return refuse(run, "the disk holds data that the cache would overwrite; if it may be lost, add --erase");
	ret = in_use(run, name, disk.open, "");
	if (!ret)
		ret = foresee_busy(run, &disk, true);
	return ret ? ret : room_for_new(req, run, &disk);
}

/* The process that loads a cache has it open, and gives way to an unmap. */
static int foresee_unmap(const struct rx_run *run, const struct rx_cache *cache)
{
	uint64_t open = or_zero(cache->open);

	/* The verb waits until a cache has started, and another process may unmap it too. */
	if (cache->state != RX_STATE_ACTIVE && cache->state != RX_STATE_DEAD)
		return RX_OK;
	if (open == 1 && warm_loader_runs(cache->name))
		open = 0;
	return in_use(run, cache->name, open, "");
}

static int foresee_verify(const struct rx_req *req, const struct rx_run *run,
			  const struct rx_cache *cache)
{
	bool running = cache->verify.running == 1, stop = find(req, RXCACHE_A_CACHE_STOP);

	if (running == stop)
		return RX_OK;
	return foresee_refused(run, EALREADY, stop ? "is not being verified" :
						     "is being verified already");
}

static int foresee_cache(const struct rx_req *req, const struct rx_run *run,
			 const struct rx_cache *cache)
{
	struct rx_disk disk;
	struct rx_err err;
	bool there;

	if (is(req, RX_CACHE, RXCACHE_CMD_CACHE_DEL))
		return foresee_unmap(run, cache);
	if (cache->state != RX_STATE_ACTIVE && cache->state != RX_STATE_DEAD)
		return foresee_refused(run, EBUSY, cache->state == RX_STATE_STARTING ?
				       "is still starting" : "is being unmapped");
	if (is(req, RX_CACHE, RXCACHE_CMD_CACHE_VERIFY))
		return foresee_verify(req, run, cache);
	if (find(req, RXCACHE_A_CACHE_OFFSET)) {
		there = or_zero(cache->sharers) > 1 &&
			!planned_get(RX_DISK, cache->disk, &disk, &err);
		return room_for_pin(req, run, cache, there ? &disk : NULL);
	}
	if (!room_is_asked(req) || planned_get(RX_DISK, cache->disk, &disk, &err))
		return RX_OK;
	return room_for_set(req, run, cache, &disk);
}

/* A name that the verb chose itself may be taken. */
static int foresee_taken(const struct rx_run *run, const char *name)
{
	struct rx_err err = { .err = EEXIST };
	int ret = run->refused ? run->refused(run, &err) : RX_OK;

	if (ret)
		return ret;
	say(run->verb, run->object,
	    "%s is there already; choose another --name, or none for the next that is free",
	    name);
	return RX_KERNEL;
}

/* Looks at the request. Sets *KNOWN if THERE is what the request is about. */
static int look(const struct rx_req *req, const struct rx_run *run, struct rx_event *there,
		bool *known)
{
	const struct nlattr *attr = find(req, name_attrs[req->family]);
	bool is_new = is(req, RX_DISK, RXDSK_CMD_DISK_NEW) ||
		      is(req, RX_CACHE, RXCACHE_CMD_CACHE_NEW);
	const char *name = attr ? nla_data(attr) : NULL;
	struct rx_err err;
	int absent = name ? planned_get(req->family, name, &there->disk, &err) : 0;

	if (is_new && name && !absent)
		return foresee_taken(run, name);
	if (is_new)
		return is(req, RX_CACHE, RXCACHE_CMD_CACHE_NEW) && !run->own_disk ?
			foresee_memory(req, run) : RX_OK;
	if (!name)
		return RX_OK;
	if (absent)
		return err.absent ? RX_OK : err_report(run->verb, run->object, &err);
	*known = true;
	return req->family == RX_DISK ? foresee_disk(req, run, &there->disk) :
	       foresee_cache(req, run, &there->cache);
}

/* Returns RX_OK, or an exit code if it has said why the request would be refused. */
int request_foresee(const struct rx_req *req, const struct rx_run *run)
{
	struct rx_event there;
	bool known = false;
	int ret = RX_OK;

	if (!preflight_off() && sys_has_module(model_family(req->family)))
		ret = look(req, run, &there, &known);
	if (!ret)
		planned_note(req, known ? &there : NULL);
	return ret;
}
