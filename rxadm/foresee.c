// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out, with --dry-run, whether the kernel would refuse a request for what is there
 * now: a name that is taken or missing, or a disk that is in use. Lists may be read by
 * anyone and change nothing, so the kernel is asked if the module is loaded.
 */
#include <errno.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "events.h"
#include "holder.h"
#include "nl.h"
#include "preflight.h"
#include "protocol.h"
#include "run.h"
#include "say.h"
#include "sys.h"
#include "users.h"

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

static int foresee_disk(const struct rx_req *req, const struct rx_run *run,
			const struct rx_disk *disk)
{
	const struct nlattr *size = find(req, RXDSK_A_DISK_SIZE);
	struct rx_err err = { .err = EINVAL };
	bool smaller = size && disk->size != RX_NONE && nla_get_u64(size) < disk->size;
	bool shrink = find(req, RXDSK_A_DISK_SHRINK);

	if (is(req, RX_DISK, RXDSK_CMD_DISK_RESIZE)) {
		if (*disk->holder)
			err.err = EBUSY;
		else if (!smaller)
			return RX_OK;
		if ((*disk->holder || !shrink) && run->refused)
			return run->refused(run, &err);
	} else if (is(req, RX_DISK, RXDSK_CMD_DISK_ERASE) && disk->read_only == 1) {
		return refuse(run, "the disk is read-only; attach it again without --read-only");
	}
	return in_use(run, disk->name, disk->open, disk->holder);
}

/* Looks at one of the caches, whose names are in HOLDER, that a new one would share its disk with. */
static int foresee_share(const struct rx_req *req, const struct rx_run *run,
			 const char *holder)
{
	const struct nlattr *block = find(req, RXCACHE_A_CACHE_BLOCK_SIZE);
	const struct nlattr *policy = find(req, RXCACHE_A_CACHE_POLICY);
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
	if (nl_get(RX_CACHE, name, &cache, &err))
		return RX_OK;
	if (block && nla_get_u32(block) != cache.block)
		return refuse(run, "the caches on the disk have another cache block size; leave --block out, or attach another disk");
	if (policy && strcmp(nla_data(policy), cache.policy))
		return refuse(run, "the caches on the disk have another policy; leave --policy out, or attach another disk");
	return RX_OK;
}

/* Looks at the disk that is to be the memory of a new cache. */
static int foresee_memory(const struct rx_req *req, const struct rx_run *run)
{
	const char *name = nla_data(find(req, RXCACHE_A_CACHE_DISK));
	struct rx_disk disk;
	struct rx_err err;

	if (nl_get(RX_DISK, name, &disk, &err))
		return err.err == ENODEV ? err_report(run->verb, run->object, &err) : RX_OK;
	/* It is the memory of other caches, which the new one shares. */
	if (*disk.holder)
		return foresee_share(req, run, disk.holder);
	if (disk.read_only == 1)
		return refuse(run, "the disk is read-only; attach one without --read-only");
	if (disk.prealloc == 1)
		return refuse(run, "the disk is preallocated; attach one without --prealloc");
	if (disk.zero_detect == 1)
		return refuse(run, "the disk drops pages of zeroes; attach one without --zero-detect");
	if (disk.node != RX_NONE || disk.interleave == 1)
		return refuse(run, "the disk is bound to NUMA nodes; attach one without --numa");
	if (or_zero(disk.used) && !find(req, RXCACHE_A_CACHE_ERASE))
		return refuse(run, "the disk holds data that the cache would overwrite; if it may be lost, add --erase");
	return in_use(run, name, disk.open, "");
}

/* Returns RX_OK, or an exit code if it has said why the request would be refused. */
int request_foresee(const struct rx_req *req, const struct rx_run *run)
{
	const struct nlattr *attr = find(req, name_attrs[req->family]);
	bool is_new = is(req, RX_DISK, RXDSK_CMD_DISK_NEW) ||
		      is(req, RX_CACHE, RXCACHE_CMD_CACHE_NEW);
	const char *name = attr ? nla_data(attr) : NULL;
	struct rx_event there;
	struct rx_err err;
	int absent = 0;

	/* The steps before a step of up were not taken. */
	if (rx.step.on || preflight_off() || !sys_has_module(model_family(req->family)))
		return RX_OK;
	if (name)
		absent = req->family == RX_DISK ? nl_get(RX_DISK, name, &there.disk, &err) :
			nl_get(RX_CACHE, name, &there.cache, &err);
	if (name && is_new && !absent) {
		say(run->verb, run->object,
		    "%s is there already; choose another --name, or none for the next that is free",
		    name);
		return RX_KERNEL;
	}
	if (is_new)
		return is(req, RX_CACHE, RXCACHE_CMD_CACHE_NEW) && !run->own_disk ?
			foresee_memory(req, run) : RX_OK;
	if (absent)
		return err.absent ? RX_OK : err_report(run->verb, run->object, &err);
	if (name && req->family == RX_DISK)
		return foresee_disk(req, run, &there.disk);
	if (name && is(req, RX_CACHE, RXCACHE_CMD_CACHE_DEL))
		return in_use(run, name, there.cache.open, "");
	return RX_OK;
}
