// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs pin and unpin. The kernel pins ranges and reads nothing, so pin then reads
 * the ranges through the cache.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxcache.h>

#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/run.h"
#include "system/extents.h"
#include "system/users.h"
#include "verb/pin.h"

#define READ_BYTES	(1 << 20)

/*
 * The cache whose parts are pinned or unpinned. Pinned parts are read afterwards, so pin
 * opens the cache first. As long as the cache is open, it can't be unmapped, and no other
 * cache can take its name.
 */
struct target {
	const char *verb;
	uint8_t cmd;
	struct rx_cache cache;
	int fd;			/* -1: it need not be open */
};

/* A FILE or RANGE that is being pinned, and how much of it is pinned so far. */
struct pin_job {
	const char *what;
	const struct rx_extents *extents;
	uint64_t done, limit;
};

/* Explains that no more can be pinned. What was pinned before stays pinned. */
static int pin_refused(const struct rx_run *run, const struct rx_err *err)
{
	const struct pin_job *job = run->arg;
	char done[32], all[32], limit[32];

	if (err->err != ENOSPC)
		return RX_OK;
	say(run->verb, run->object,
	    "%s: %s of %s pinned: no more than half of the disk can be, by all caches on it together, here %s; unpin something: rxadm unpin %s --all, or use a larger cache",
	    job->what, size_print(job->done, done, sizeof(done)),
	    size_print(job->extents->bytes, all, sizeof(all)),
	    size_print(job->limit, limit, sizeof(limit)), run->object);
	return RX_KERNEL;
}

/* Pins or unpins a range, or all if EXTENT is NULL. */
static int change(const struct rx_run *run, uint8_t cmd, const struct rx_extent *extent)
{
	struct rx_cache reply;
	struct rx_req req;

	req_named(&req, RX_CACHE, cmd, run->object);
	if (extent) {
		req_num(&req, RXCACHE_A_CACHE_OFFSET, extent->offset);
		req_num(&req, RXCACHE_A_CACHE_LENGTH, extent->length);
	}
	return request_run(&req, &reply, run);
}

/* Reads the blocks of a range through FD, the cache. Returns 0 or an errno. */
static int load_extent(int fd, char *buf, const struct rx_cache *c,
		       const struct rx_extent *extent)
{
	uint64_t at = extent->offset / c->block * c->block;
	uint64_t end = extent->offset + extent->length;
	size_t len;
	int err = 0;

	end = (end + c->block - 1) / c->block * c->block;
	if (end > c->origin_size)
		end = c->origin_size;
	for (; at < end && !err; at += len) {
		len = end - at < READ_BYTES ? end - at : READ_BYTES;
		err = sys_read_all(fd, buf, len, at);
	}
	return err;
}

/* Reads pinned blocks into the cache. */
static int load(const struct target *t, const struct pin_job *job)
{
	const struct rx_extents *e = job->extents;
	char *buf = aligned_alloc(READ_BYTES, READ_BYTES);
	int err = 0;
	size_t i;

	if (!buf)
		abort();
	io_priority_lower();
	for (i = 0; i < e->n && !err; i++)
		if (!e->at[i].unwritten)
			err = load_extent(t->fd, buf, &t->cache, &e->at[i]);
	free(buf);
	if (!err)
		return RX_OK;
	say(t->verb, t->cache.name, "%s: pinned, but it cannot be read: %s; its blocks stay as soon as somebody reads them",
	    job->what, strerror(err));
	return RX_KERNEL;
}

/* Loads the pinned blocks, unless the cache lets no block in. */
static int load_if_useful(const struct target *t, const struct pin_job *job)
{
	const struct rx_cache *c = &t->cache;
	bool bypass = c->mode == RX_MODE_BYPASS;

	if (t->fd < 0)
		return RX_OK;
	if (!bypass && c->frozen != 1)
		return load(t, job);
	if (!rx.quiet)
		say(t->verb, c->name, "%s: pinned, but not loaded, because the cache is %s; its blocks stay once they are read after: rxadm set %s %s",
		    job->what, bypass ? "bypassed" : "frozen", c->name,
		    bypass ? "--mode through" : "--frozen no");
	return RX_OK;
}

/* Finds the parts that a word names. Returns false after it has said what is wrong. */
static bool extents_find(const struct target *t, const char *word, struct rx_extents *e)
{
	char why[256];

	if (extents_of_range(word, e) ||
	    extents_of_file(word, &t->cache, e, why, sizeof(why)))
		return true;
	say(t->verb, t->cache.name, "%s: %s", word, why);
	return false;
}

/* Pins or unpins what a word names. */
static int change_word(const struct target *t, const char *word)
{
	struct rx_extents e = { 0 };
	struct pin_job job = { .what = word, .extents = &e,
			       .limit = or_zero(t->cache.pin_limit) };
	struct rx_run run = { .verb = t->verb, .object = t->cache.name,
			      .refused = pin_refused, .arg = &job };
	int ret = extents_find(t, word, &e) ? RX_OK : RX_USAGE;
	size_t i;

	for (i = 0; i < e.n && !ret; i++) {
		ret = change(&run, t->cmd, &e.at[i]);
		job.done += e.at[i].length;
	}
	if (!ret)
		ret = load_if_useful(t, &job);
	extents_free(&e);
	return ret;
}

/* Reports what is pinned now, as text or as JSON. */
static int report(const char *verb, const char *name)
{
	char pinned[32], cached[32], limit[32];
	struct rx_cache c;
	struct rx_err err;

	if (nl_get(RX_CACHE, name, &c, &err))
		return err_report(verb, name, &err);
	if (await_worked(&c, verb, WAIT_DEFAULT))
		return RX_KERNEL;
	if (!rx.json && !rx.quiet)
		printf("%s: %s pinned, %s of that cached; at most %s can be pinned\n", name,
		       size_print(or_zero(c.pinned), pinned, sizeof(pinned)),
		       size_print(or_zero(c.pinned_cached), cached, sizeof(cached)),
		       size_print(or_zero(c.pin_limit), limit, sizeof(limit)));
	return run_done(RX_CACHE, &c);
}

static int change_words(const struct rx_args *args, const char *name, uint8_t cmd)
{
	struct target t = { .verb = args->verb->name, .cmd = cmd, .fd = -1 };
	struct rx_tally all = { 0 };
	bool load = cmd == RXCACHE_CMD_CACHE_PIN;
	struct rx_err err;
	size_t i;

	/* The place of a file is looked up in the cache that has the name now. */
	if (nl_get(RX_CACHE, name, &t.cache, &err))
		return err_report(t.verb, name, &err);
	/* The kernel refuses it, and an open would wait for the origin, whatever ends us. */
	if (load && t.cache.state == RX_STATE_STARTING) {
		err_set(&err, EBUSY, "is still starting");
		return err_report(t.verb, name, &err);
	}
	/* A recording has no device. */
	if (load && !rx.dry_run && !sys_replayed() &&
	    users_open(t.verb, &t.cache.device, O_RDONLY, &t.fd))
		return RX_KERNEL;
	for (i = 1; i < args->n_objects; i++)
		tally(&all, change_word(&t, args->objects[i]));
	if (t.fd >= 0)
		close(t.fd);
	return tally_exit(&all);
}

static int run_verb(const struct rx_args *args, uint8_t cmd)
{
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = args->verb->name, .object = name };
	bool unpin = cmd == RXCACHE_CMD_CACHE_UNPIN;
	int ret, told;

	if (!object_is(run.verb, args->objects[0], RX_CACHE, name))
		return RX_USAGE;
	if (unpin && args_has(args, "all") == (args->n_objects > 1))
		return usage_error("unpin %s: say what: a FILE, a RANGE such as 1G+64M, or --all for everything",
				   name);
	ret = args->n_objects > 1 ? change_words(args, name, cmd) : change(&run, cmd, NULL);
	told = rx.dry_run || (ret && ret != RX_PARTIAL) ? RX_OK : report(run.verb, name);
	return ret ? ret : told;
}

int cmd_pin(const struct rx_args *args)
{
	return run_verb(args, RXCACHE_CMD_CACHE_PIN);
}

int cmd_unpin(const struct rx_args *args)
{
	return run_verb(args, RXCACHE_CMD_CACHE_UNPIN);
}
