// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the steps of a dry run, and answers as the kernel would after them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/mem.h"
#include "base/units.h"
#include "kernel/errtext.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "system/planned.h"

enum kind { NEW, DEL, CHANGE, UNEXPORT };

struct step {
	enum kind kind;
	char name[RX_NAME_LEN];
	uint64_t openers;	/* UNEXPORT: that go */
	bool erase;
	/* DEL: as it was. NEW and CHANGE: what was asked for, and the disk of a cache. */
	struct rx_event object;
};

static struct step *steps;
static size_t n_steps;

static struct step *add(enum kind kind, const char *name)
{
	steps = mem_grow(steps, n_steps, sizeof(*steps));
	steps[n_steps] = (struct step){ .kind = kind };
	snprintf(steps[n_steps].name, RX_NAME_LEN, "%s", name);
	return &steps[n_steps++];
}

static enum kind kind_of(const struct rx_req *req)
{
	uint8_t cmd = req->op->cmd;

	if (cmd == (req->family == RX_DISK ? RXDSK_CMD_DISK_NEW : RXCACHE_CMD_CACHE_NEW))
		return NEW;
	return cmd == (req->family == RX_DISK ? RXDSK_CMD_DISK_DEL : RXCACHE_CMD_CACHE_DEL) ?
	       DEL : CHANGE;
}

/* Adds what the kernel chooses if a request for a new object does not. */
static void complete(struct rx_event *new)
{
	struct rx_cache *cache = &new->cache;
	long page = sysconf(_SC_PAGESIZE);

	if (new->family == RX_DISK) {
		new->disk.used = new->disk.prealloc == 1 ? new->disk.size : 0;
		new->disk.state = RX_DISK_ACTIVE;
		if (new->disk.block == RX_NONE)
			new->disk.block = RXDSK_BLOCK_MIN;
		new->disk.open = 0;
		return;
	}
	cache->state = RX_STATE_ACTIVE;
	cache->open = cache->pinned = 0;
	/* One that joins others has theirs, and those come first in the list of holders. */
	if (cache->block == RX_NONE)
		cache->block = page > RXCACHE_BLOCK_MIN ? page : RXCACHE_BLOCK_MIN;
}

void planned_note(const struct rx_req *req, const struct rx_event *there)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);
	enum kind kind = kind_of(req);
	struct rx_event asked = { .family = req->family };
	struct step *step;
	const char *slash;

	model_parse(req->family, nlmsg_data(nlh), nlmsg_datalen(nlh), &asked.disk);
	/* Nobody can name an object whose name is not known yet. */
	if (!*asked.disk.name)
		return;
	if (asked.family == RX_DISK)
		asked.disk.size = size_whole(asked.disk.size);
	else
		asked.cache.size = size_whole(asked.cache.size);
	if (kind == NEW)
		complete(&asked);
	if (kind == NEW && asked.family == RX_CACHE) {
		slash = strrchr(asked.cache.origin, '/');
		if (slash)
			memmove(asked.cache.origin, slash + 1, strlen(slash));
	}
	step = add(kind, asked.disk.name);
	step->erase = req->family == RX_DISK && req->op->cmd == RXDSK_CMD_DISK_ERASE;
	step->object = kind == DEL && there ? *there : asked;
	step->object.family = req->family;
	if (kind == CHANGE && there && req->family == RX_CACHE)
		memcpy(step->object.cache.disk, there->cache.disk, RX_NAME_LEN);
}

void planned_unexport(const char *name, uint64_t n)
{
	add(UNEXPORT, name)->openers = n;
}

/* Returns the last step that makes or removes NAME, or NULL. */
static const struct step *life_of(const char *name)
{
	size_t i;

	for (i = n_steps; i; i--)
		if ((steps[i - 1].kind == NEW || steps[i - 1].kind == DEL) &&
		    !strcmp(steps[i - 1].name, name))
			return &steps[i - 1];
	return NULL;
}

bool planned_is_new(const char *name)
{
	const struct step *step = life_of(name);

	return step && step->kind == NEW;
}

bool planned_is_gone(const char *name)
{
	const struct step *step = life_of(name);

	return step && step->kind == DEL;
}

bool planned_is_unexported(const char *name)
{
	size_t i;

	for (i = 0; i < n_steps; i++)
		if (steps[i].kind == UNEXPORT && !strcmp(steps[i].name, name))
			return true;
	return false;
}

/* Adds NAME to the HOLDERS of a disk, "rxc0,rxc1", or removes it. */
static void hold(char *holders, const char *name, bool add_it)
{
	char old[RX_HOLDERS_LEN], *rest = old, *one;
	size_t len = 0;

	memcpy(old, holders, sizeof(old));
	*holders = '\0';
	while ((one = strsep(&rest, ",")))
		if (*one && strcmp(one, name))
			len += snprintf(holders + len, RX_HOLDERS_LEN - len, "%s%s",
					len ? "," : "", one);
	if (add_it && len < RX_HOLDERS_LEN)
		snprintf(holders + len, RX_HOLDERS_LEN - len, "%s%s", len ? "," : "", name);
}

/* Tells whether ORIGIN, a name of the kernel, is the disk or cache NAME, or a partition of it. */
static bool is_on(const char *origin, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(origin, name, len) && (!origin[len] || origin[len] == 'p');
}

static void close_by(uint64_t *openers, uint64_t n)
{
	*openers = or_zero(*openers) > n ? *openers - n : 0;
}

/* A cache has its origin, which may be NAME, open. */
static void after_on_origin(const struct step *step, const char *name, uint64_t *openers)
{
	if (step->object.family != RX_CACHE || !is_on(step->object.cache.origin, name))
		return;
	if (step->kind == NEW)
		*openers = or_zero(*openers) + 1;
	if (step->kind == DEL)
		close_by(openers, 1);
}

/* What becomes of a disk by a step for a cache. Returns false if the disk goes, too. */
static bool after_cache(const struct step *step, struct rx_disk *disk)
{
	const struct rx_cache *cache = &step->object.cache;

	after_on_origin(step, disk->name, &disk->open);
	if (strcmp(cache->disk, disk->name))
		return true;
	if (step->kind == CHANGE && cache->size != RX_NONE)
		disk->size = cache->size;
	if (step->kind == NEW)
		hold(disk->holder, step->name, true);
	if (step->kind != DEL)
		return true;
	hold(disk->holder, step->name, false);
	if (*disk->holder)
		return true;
	disk->used = 0;
	return cache->own_disk != 1;
}

static bool after_on_disk(const struct step *step, struct rx_disk *disk)
{
	if (step->kind == UNEXPORT && !strcmp(step->name, disk->name))
		close_by(&disk->open, step->openers);
	if (step->kind == UNEXPORT)
		return true;
	if (step->object.family == RX_CACHE)
		return after_cache(step, disk);
	if (strcmp(step->name, disk->name))
		return true;
	if (step->object.disk.size != RX_NONE)
		disk->size = step->object.disk.size;
	if (disk->prealloc == 1)
		disk->used = disk->size;
	else if (step->erase)
		disk->used = 0;
	return true;
}

static void after_on_cache(const struct step *step, struct rx_cache *cache)
{
	const struct rx_cache *asked = &step->object.cache;

	after_on_origin(step, cache->name, &cache->open);
	if (strcmp(step->name, cache->name))
		return;
	if (step->kind == UNEXPORT)
		close_by(&cache->open, step->openers);
	if (step->kind != CHANGE)
		return;
	if (asked->size != RX_NONE)
		cache->size = asked->size;
	if (asked->min_share != RX_NONE || asked->min_share_percent != RX_NONE) {
		cache->min_share = or_zero(asked->min_share);
		cache->min_share_percent = asked->min_share_percent;
	}
	if (asked->max_share != RX_NONE || asked->max_share_percent != RX_NONE) {
		cache->max_share = asked->max_share;
		cache->max_share_percent = asked->max_share_percent;
	}
}

static int absent(enum rx_family family, struct rx_err *err)
{
	memset(err, 0, sizeof(*err));
	return err_set(err, ENODEV, "%s", family == RX_DISK ?
		       "there is no disk of that name" : "no such cache");
}

int planned_get(enum rx_family family, const char *name, void *object,
		struct rx_err *err)
{
	const struct step *step = life_of(name), *end = steps + n_steps;

	if (step && step->kind == DEL)
		return absent(family, err);
	if (!step && nl_get(family, name, object, err))
		return -1;
	if (step && family == RX_DISK)
		*(struct rx_disk *)object = step->object.disk;
	else if (step)
		*(struct rx_cache *)object = step->object.cache;
	for (step = step ? step + 1 : steps; step < end; step++)
		if (family == RX_CACHE)
			after_on_cache(step, object);
		else if (!after_on_disk(step, object))
			return absent(family, err);
	return 0;
}
