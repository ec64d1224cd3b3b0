// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records in which order blocks of a cache are read for the first time, and writes that to
 * a file. Nothing holds the cache meanwhile: it can be unmapped, and so ends the record.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/nl.h"
#include "system/identity.h"
#include "system/warmstate.h"
#include "warm/blocklist.h"
#include "warm/file.h"
#include "warm/readtrace.h"
#include "warm/record.h"
#include "warm/set.h"

#define IDLE_MS		5000		/* without a read: the start is over */
#define ASK_MS		1000		/* how often the kernel is asked for the cache */

struct record {
	const char *verb;
	const struct rx_cache *cache;
	uint64_t until;			/* as until_parse(), RX_NONE: a signal */
	int64_t start, asked, read;	/* ms; read: the last one, 0: none so far */
	struct warm_list list;
	struct warm_set seen;
	uint64_t blocks;		/* of the origin */
	size_t most;			/* blocks that the cache holds */
	struct read_trace trace;
	struct warm_new file;
};

enum stop { STOP_ASKED, STOP_FULL, STOP_GONE };

static void take(void *arg, uint64_t first, uint64_t blocks)
{
	struct record *r = arg;

	r->read = now_ms();
	for (; blocks && first < r->blocks && r->list.n < r->most; blocks--, first++)
		if (set_add(&r->seen, first))
			warm_add(&r->list, first << WARM_HEAT_BITS);
}

/* Returns when the record is over, unless somebody reads before, or a signal comes. */
static int64_t deadline(const struct record *r)
{
	if (r->until == RX_NONE)
		return INT64_MAX;
	if (r->until != UNTIL_IDLE)
		return r->start + (int64_t)(r->until / 1000000);
	return r->read ? r->read + IDLE_MS : INT64_MAX;
}

/* Returns how long to wait for reads, at most. */
static long rest(const struct record *r)
{
	int64_t end = r->asked + ASK_MS, now = now_ms();

	if (deadline(r) < end)
		end = deadline(r);
	return end > now ? end - now : 0;
}

/*
 * Asks now and then whether the cache is there. Reads of another one that has taken its
 * place within a second may be in the list, which only makes the list longer. The number
 * of the family is not asked for anew, because that would load a removed module again.
 */
static bool is_gone(struct record *r, int64_t now)
{
	struct rx_cache cache;
	struct rx_err err;

	if (now - r->asked < ASK_MS)
		return false;
	r->asked = now;
	if (nl_get(RX_CACHE, r->cache->name, &cache, &err))
		return err.err == ENODEV || err.err == ENOENT;
	return cache.id != r->cache->id;
}

static enum stop follow(struct record *r)
{
	r->start = r->asked = now_ms();
	for (;;) {
		if (wait_fd(r->trace.pipe, rest(r)) == WAIT_SIGNAL)
			return STOP_ASKED;
		readtrace_take(&r->trace, take, r);
		if (r->list.n == r->most)
			return STOP_FULL;
		if (now_ms() >= deadline(r))
			return STOP_ASKED;
		if (is_gone(r, now_ms()))
			return STOP_GONE;
	}
}

static int write_list(struct record *r, const char *path)
{
	const struct rx_cache *c = r->cache;
	unsigned char *file;
	char text[32];
	size_t len;
	int err;

	r->list.saved = time(NULL);
	file = warm_encode(&r->list, &len);
	err = warm_new_write(&r->file, file, len);
	free(file);
	if (err)
		say(r->verb, c->name, "%s: %s; nothing was recorded", path, strerror(err));
	else if (!rx.quiet && !rx.json)
		printf("%s: reads of %zu blocks of %s recorded in %s, %s\n", c->name,
		       r->list.n, shown(*c->origin_path ? c->origin_path : c->origin), shown(path),
		       size_print(len, text, sizeof(text)));
	return err ? RX_KERNEL : RX_OK;
}

static int finish(struct record *r, const char *path, enum stop stop)
{
	uint64_t lost = readtrace_stop(&r->trace, take, r);
	const char *name = r->cache->name;
	char why[256];

	if (!readtrace_close(&r->trace, why, sizeof(why)))
		say(r->verb, name, "%s", why);
	if (stop == STOP_GONE)
		say(r->verb, name, "was unmapped, which ends the record");
	else if (stop == STOP_FULL)
		say(r->verb, name, "as many blocks were read as the cache can hold, which ends the record");
	if (lost)
		say(r->verb, name, "%" PRIu64 " events were lost, because reads came too fast; the list has gaps",
		    lost);
	if (r->list.n)
		return write_list(r, path);
	warm_new_drop(&r->file);
	say(r->verb, name, "nothing was read; no list was written");
	return RX_OK;
}

static int run(struct record *r, const char *path)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const char *name = r->cache->name;
	char why[256];
	enum stop stop;
	int err;

	/* From here on these signals leave neither a file nor an instance behind. */
	signals_add(signals, ARRAY_SIZE(signals));
	/* What the file is to hold can be recorded only once, so this must not fail later. */
	err = warm_new_open(&r->file, path);
	if (err) {
		say(r->verb, name, "%s: %s", path, strerror(err));
		return RX_USAGE;
	}
	if (!readtrace_open(&r->trace, r->cache, why, sizeof(why))) {
		warm_new_drop(&r->file);
		say(r->verb, name, "%s", why);
		return RX_KERNEL;
	}
	if (!rx.quiet && !rx.json) {
		printf("%s: recording its reads; Ctrl-C ends that\n", name);
		fflush(stdout);
	}
	stop = follow(r);
	return finish(r, path, stop);
}

/*
 * Records the reads of CACHE in the file PATH, until UNTIL, which is as until_parse() says
 * or RX_NONE, or until a signal.
 */
int record_reads(const char *verb, const struct rx_cache *cache, const char *path,
		 uint64_t until)
{
	struct record r = { .verb = verb, .cache = cache, .until = until };
	int lock, ret;

	if (warm_is_special(path)) {
		say(verb, cache->name, "%s: is no regular file", path);
		return RX_USAGE;
	}
	if (rx.dry_run)
		return RX_OK;
	lock = warm_record_lock(cache->name);
	if (lock < 0 && errno == EAGAIN)
		say(verb, cache->name, "is being recorded already, by another rxadm record");
	else if (lock < 0 && errno == EACCES)
		say(verb, cache->name, "only root can trace reads");
	else if (lock < 0)
		say(verb, cache->name, "/run/rxadm/record-%s.lock: %s", cache->name,
		    strerror(errno));
	if (lock < 0)
		return RX_KERNEL;
	r.list = (struct warm_list){ .identity = identity_of(cache->origin), .ordered = true,
				     .origin_size = cache->origin_size,
				     .block_size = cache->block };
	r.blocks = (cache->origin_size + cache->block - 1) / cache->block;
	r.most = model_most(cache) / cache->block;
	ret = run(&r, path);
	set_free(&r.seen);
	warm_free(&r.list);
	close(lock);
	return ret;
}
