// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits for the end of work that the kernel goes on with by itself: a map, unmap, verify
 * or resize, the dropping or pinning of blocks, the growth of a disk, and the freeing or
 * taking of its memory. An event tells the end. Events can be lost, so the kernel is also
 * asked for the state every second.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/say.h"
#include "base/wait.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/nl.h"
#include "kernel/protocol.h"

#define ASK_MS		1000
#define NOTICE_MS	3000

enum news { NEWS_NONE, NEWS_REACHED, NEWS_GONE };

struct await {
	enum rx_await what;
	union {			/* in: name, of a cache its id; out: the last state */
		struct rx_device *device;
		struct rx_cache *cache;
		struct rx_disk *disk;
	};
	const char *verb, *object;
	int64_t start;
	long wait_ms;
	bool noticed;
	uint64_t aim;		/* bytes of memory that the disk is going to have */
	uint64_t freeing;	/* the most that was being freed */
	bool made;		/* AWAIT_READY: the event of the new disk has come */
};

static const struct {
	bool gone;		/* the end is that the object is gone */
	const char *doing, *hint;	/* hint: what Ctrl-C does, if not the usual */
} waits[] = {
	[AWAIT_ACTIVE] = { false, "waiting for the origin to be opened and flushed", NULL },
	[AWAIT_VERIFIED] = { false, "comparing with the origin", "Ctrl-C stops it" },
	[AWAIT_RESIZED] = { false, "moving the cached blocks", NULL },
	[AWAIT_WORKED] = { false, "dropping or pinning cached blocks", NULL },
	[AWAIT_UNMAPPED] = { true, "waiting for I/O in flight", NULL },
	[AWAIT_CLEARED] = { false, "waiting for its memory to be freed", NULL },
	[AWAIT_READY] = { false, "waiting for its memory", "Ctrl-C undoes it" },
	[AWAIT_PREPARED] = { false, "waiting for its memory, or I/O in flight", NULL },
	[AWAIT_DETACHED] = { true, "waiting for its memory to be freed", NULL },
};

/* Takes over what NOW says. Tells whether that is what was waited for. */
static enum news news(struct await *w, const struct rx_event *now)
{
	bool reached = false;

	if (w->device->family == RX_DISK)
		*w->disk = now->disk;
	else
		*w->cache = now->cache;
	if (w->what == AWAIT_ACTIVE)
		reached = w->cache->state == RX_STATE_ACTIVE ||
			  w->cache->state == RX_STATE_DEAD;
	else if (w->what == AWAIT_VERIFIED)
		reached = w->cache->verify.running == 0;
	else if (w->what == AWAIT_RESIZED)
		reached = w->cache->resize.running == 0;
	else if (w->what == AWAIT_WORKED)
		reached = w->cache->working == 0;
	else if (w->what == AWAIT_CLEARED)
		/* A disk that grows does not show whether it is clearing. */
		reached = w->disk->state != RX_DISK_CLEARING &&
			  w->disk->state != RX_DISK_PREPARING;
	else if (w->what == AWAIT_READY || w->what == AWAIT_PREPARED)
		reached = w->disk->state != RX_DISK_PREPARING &&
			  w->disk->state != RX_DISK_DETACHING;
	else if (w->what == AWAIT_DETACHED)
		/*
		 * Names are used again: a disk that is not being detached is another one.
		 */
		reached = w->disk->state != RX_DISK_DETACHING;
	return reached ? NEWS_REACHED : NEWS_NONE;
}

static enum news from_kernel(struct await *w)
{
	struct rx_event now;
	struct rx_err err;

	if (nl_get(w->device->family, w->device->name, &now.disk, &err))
		return err.err == ENODEV || err.absent ? NEWS_GONE : NEWS_NONE;
	if (now.device.family == RX_CACHE && now.cache.id != w->cache->id)
		return NEWS_GONE;
	return news(w, &now);
}

static enum news from_event(struct await *w, const struct rx_event *e)
{
	bool disk = e->family == RX_DISK;
	int cmd = e->op->cmd;
	enum news seen;

	if (e->family != w->device->family ||
	    (disk ? strcmp(e->disk.name, w->disk->name) : e->cache.id != w->cache->id))
		return NEWS_NONE;
	w->made |= disk && cmd == RXDSK_CMD_DISK_NEW_NTF;
	/* Before that event the name belonged to another disk. */
	if (w->what == AWAIT_READY && !w->made)
		return NEWS_NONE;
	seen = news(w, e);
	if (cmd == (disk ? RXDSK_CMD_DISK_DEL_NTF : RXCACHE_CMD_CACHE_DEL_NTF))
		return NEWS_GONE;
	/*
	 * An event that was sent before the request says nothing about the request's end,
	 * unless the request has made the cache.
	 */
	if (waits[w->what].gone)
		return NEWS_NONE;
	return seen == NEWS_REACHED && w->what != AWAIT_ACTIVE ? from_kernel(w) : seen;
}

/* Returns the part of the work that is done, or a value below 0 if the kernel does not tell. */
static double part_done(struct await *w)
{
	const struct rx_cache *c = w->cache;
	const struct rx_disk *d = w->disk;

	if (w->what == AWAIT_VERIFIED)
		/* One block in SAMPLE is compared, of those that the cache holds now. */
		return c->cached == RX_NONE || c->verify.sample == RX_NONE ? -1 :
			ratio_of((or_zero(c->verify.compared) + or_zero(c->verify.skipped)) *
				 c->verify.sample, c->cached / c->block);
	if (w->what == AWAIT_RESIZED)
		return c->resize.ratio;
	if (w->what == AWAIT_READY || w->what == AWAIT_PREPARED)
		return d->state == RX_DISK_PREPARING ? ratio_of(d->used, w->aim) : -1;
	if (w->what != AWAIT_CLEARED && w->what != AWAIT_DETACHED)
		return -1;
	if (or_zero(d->freeing) > w->freeing)
		w->freeing = d->freeing;
	return w->freeing ? 1 - (double)or_zero(d->freeing) / w->freeing : -1;
}

/* After a while a user at a terminal wants to know why nothing happens, or how far it is. */
static void notice(struct await *w)
{
	const char *hint = waits[w->what].hint;
	double part = part_done(w);

	if (!hint)
		hint = "Ctrl-C leaves it to the background";
	if (part >= 0) {
		progress_show(w->verb, w->object, part, hint);
		return;
	}
	if (w->noticed || rx.quiet || now_ms() - w->start < NOTICE_MS ||
	    !isatty(STDERR_FILENO))
		return;
	say_hint(w->verb, w->object, "%s; %s", waits[w->what].doing, hint);
	w->noticed = true;
}

static enum rx_end await_end(struct await *w)
{
	enum news seen = NEWS_NONE;
	struct rx_event event;
	long left;

	signals_take();
	w->start = now_ms();
	notice(w);
	for (;;) {
		left = wait_left(w->start, w->wait_ms);
		if (left == WAIT_DEFAULT || left > ASK_MS)
			left = ASK_MS;
		switch (nl_wait(&event, left)) {
		case WAIT_EVENT:
			seen = from_event(w, &event);
			break;
		case WAIT_SIGNAL:
			return END_SIGNAL;
		default:
			seen = from_kernel(w);
			/* The event says why, and the event may still be on its way. */
			if (seen == NEWS_GONE &&
			    nl_wait(&event, 50) == WAIT_EVENT)
				from_event(w, &event);
			break;
		}
		if (seen == NEWS_GONE)
			return waits[w->what].gone ? END_DONE : END_FAILED;
		if (seen == NEWS_REACHED)
			return END_DONE;
		if (!wait_left(w->start, w->wait_ms))
			return END_TIMEOUT;
		notice(w);
	}
}

static enum rx_end await(struct await *w)
{
	enum rx_end end = await_end(w);

	progress_end();
	return end;
}

/* After END_FAILED, CACHE has the error and the message, if the kernel sent them. */
enum rx_end await_cache(enum rx_await what, struct rx_cache *cache,
			const char *verb, const char *object, long wait_ms)
{
	return await(&(struct await){ .what = what, .cache = cache,
				      .verb = verb, .object = object,
				      .wait_ms = wait_ms });
}

enum rx_end await_disk(enum rx_await what, struct rx_disk *disk, uint64_t aim,
		       const char *verb, long wait_ms)
{
	return await(&(struct await){ .what = what, .disk = disk, .aim = aim, .verb = verb,
				      .object = disk->name, .wait_ms = wait_ms });
}

int await_worked(struct rx_cache *cache, const char *verb, long wait_ms)
{
	struct rx_cache now;
	struct rx_err err;

	if (cache->working != 1)
		return RX_OK;
	if (nl_join(RX_CACHE, &err) || nl_get(RX_CACHE, cache->name, &now, &err))
		return err_report(verb, cache->name, &err);
	/* The work may have ended before there was a listener. */
	if (now.id == cache->id && now.working != 1) {
		*cache = now;
		return RX_OK;
	}
	return await_report_cache(await_cache(AWAIT_WORKED, cache, verb, cache->name, wait_ms),
				  verb, cache->name,
				  "not done in time; the kernel goes on, see: rxadm list %s",
				  "interrupted; the kernel goes on, see: rxadm list %s");
}

/*
 * Says that a wait came to no end, in the words LATE or INTERRUPTED, in which each %s is
 * NAME. Returns RX_OK if there is nothing to say. A signal ends the process here.
 */
int await_report(enum rx_end end, const char *verb, const char *object,
		 const char *name, const char *late, const char *interrupted)
{
	if (end != END_TIMEOUT && end != END_SIGNAL)
		return RX_OK;
	say(verb, object, end == END_TIMEOUT ? late : interrupted, name, name);
	if (end == END_SIGNAL)
		signals_die();
	return RX_KERNEL;
}

int await_report_cache(enum rx_end end, const char *verb, const char *name,
		       const char *late, const char *interrupted)
{
	if (end != END_FAILED)
		return await_report(end, verb, name, name, late, interrupted);
	say(verb, name, "the cache was unmapped before the end; see: rxadm list");
	return RX_KERNEL;
}
