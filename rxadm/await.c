// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a map, unmap or verify, or of what frees a disk's memory, which the
 * kernel does by itself once it has begun. The event tells it; as events can be lost, the state is asked for
 * every second too, so that nothing waits forever for news that went by.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "events.h"
#include "nl.h"
#include "protocol.h"
#include "say.h"

#define ASK_MS		1000
#define NOTICE_MS	3000

enum news { NEWS_NONE, NEWS_ACTIVE, NEWS_VERIFIED, NEWS_CLEARED, NEWS_GONE };

struct await {
	struct rx_cache *cache;	/* in: name and id; out: its last state */
	struct rx_disk *disk;	/* or this: in: name; out: its last state */
	const char *verb, *object, *doing;
	const char *hint;	/* what Ctrl-C does, if not the usual */
	int64_t start;
	long wait_ms;
	bool noticed;
	enum news until;
};

static enum news news_of(const struct await *w, const struct rx_cache *now)
{
	if (w->until == NEWS_VERIFIED)
		return now->verify.running == 0 ? NEWS_VERIFIED : NEWS_NONE;
	return now->state == RX_STATE_ACTIVE || now->state == RX_STATE_DEAD ?
	       NEWS_ACTIVE : NEWS_NONE;
}

/*
 * Names of disks are used again. A disk of this name that is not on its way out
 * is another one.
 */
static enum news disk_news(const struct await *w, const struct rx_disk *now)
{
	if (w->until == NEWS_GONE)
		return now->state == RX_DISK_DETACHING ? NEWS_NONE : NEWS_GONE;
	return now->state == RX_DISK_CLEARING ? NEWS_NONE : NEWS_CLEARED;
}

static enum news disk_from_kernel(struct await *w)
{
	struct rx_disk now;
	struct rx_err err;

	if (nl_get(RX_DISK, w->disk->name, &now, &err))
		return err.err == ENODEV || err.absent ? NEWS_GONE : NEWS_NONE;
	*w->disk = now;
	return disk_news(w, w->disk);
}

static enum news from_disk_event(struct await *w, const struct rx_event *e)
{
	if (e->family != RX_DISK || strcmp(e->disk.name, w->disk->name))
		return NEWS_NONE;
	*w->disk = e->disk;
	if (!strcmp(model_event(e->op), "disk-del"))
		return NEWS_GONE;
	/* What was sent before the request says nothing of its end. */
	if (w->until == NEWS_GONE || disk_news(w, w->disk) == NEWS_NONE)
		return NEWS_NONE;
	return disk_from_kernel(w);
}

static enum news from_event(struct await *w, const struct rx_event *e)
{
	const char *event = model_event(e->op);

	if (w->disk)
		return from_disk_event(w, e);
	if (e->family != RX_CACHE || e->cache.id != w->cache->id)
		return NEWS_NONE;
	*w->cache = e->cache;
	if (!strcmp(event, "cache-del"))
		return NEWS_GONE;
	return news_of(w, w->cache);
}

static enum news from_kernel(struct await *w)
{
	struct rx_cache now;
	struct rx_err err;

	if (w->disk)
		return disk_from_kernel(w);
	if (nl_get(RX_CACHE, w->cache->name, &now, &err))
		return err.err == ENODEV || err.absent ? NEWS_GONE : NEWS_NONE;
	if (now.id != w->cache->id)
		return NEWS_GONE;
	*w->cache = now;
	return news_of(w, w->cache);
}

/* After a while somebody at a terminal wants to know why nothing happens. */
static void notice(struct await *w)
{
	if (w->noticed || rx.quiet || now_ms() - w->start < NOTICE_MS ||
	    !isatty(STDERR_FILENO))
		return;
	say(w->verb, w->object, "%s; %s", w->doing,
	    w->hint ? w->hint : "Ctrl-C leaves it to the background");
	w->noticed = true;
}

/* Until there is news that ends the wait, which is w->until or that it is gone. */
static enum rx_end await(struct await *w)
{
	enum news news = NEWS_NONE;
	struct rx_event event;
	long left;

	signals_take();
	w->start = now_ms();
	for (;;) {
		left = ASK_MS;
		if (w->wait_ms != WAIT_DEFAULT) {
			left = w->start + w->wait_ms - now_ms();
			left = left < 0 ? 0 : left < ASK_MS ? left : ASK_MS;
		}
		switch (nl_wait(&event, left)) {
		case WAIT_EVENT:
			news = from_event(w, &event);
			break;
		case WAIT_SIGNAL:
			return END_SIGNAL;
		default:
			news = from_kernel(w);
			/* The event says why; it may be on its way. */
			if (news == NEWS_GONE &&
			    nl_wait(&event, 50) == WAIT_EVENT)
				from_event(w, &event);
			break;
		}
		if (news == NEWS_GONE)
			return w->until == NEWS_GONE ? END_DONE : END_FAILED;
		if (news == w->until)
			return END_DONE;
		if (w->wait_ms != WAIT_DEFAULT &&
		    now_ms() - w->start >= w->wait_ms)
			return END_TIMEOUT;
		notice(w);
	}
}

/* END_FAILED: CACHE has the error and the message, if the kernel said one. */
enum rx_end await_active(struct rx_cache *cache, const char *verb,
			 const char *object, long wait_ms)
{
	struct await w = {
		.cache = cache, .verb = verb, .object = object,
		.doing = "waiting for the origin to be opened and flushed",
		.hint = rx.step.on ? "Ctrl-C undoes it" : NULL,
		.wait_ms = wait_ms, .until = NEWS_ACTIVE,
	};

	return await(&w);
}

enum rx_end await_verified(struct rx_cache *cache, const char *verb,
			   const char *object, long wait_ms)
{
	struct await w = {
		.cache = cache, .verb = verb, .object = object,
		.doing = "comparing with the origin",
		.hint = "Ctrl-C stops it",
		.wait_ms = wait_ms, .until = NEWS_VERIFIED,
	};

	return await(&w);
}

enum rx_end await_gone(struct rx_cache *cache, const char *verb,
		       const char *object, long wait_ms)
{
	struct await w = {
		.cache = cache, .verb = verb, .object = object,
		.doing = "waiting for I/O in flight",
		.wait_ms = wait_ms, .until = NEWS_GONE,
	};

	return await(&w);
}

/* DISK was told to go; the last of it is that its memory is free. */
enum rx_end await_detached(const struct rx_disk *disk, const char *verb,
			   long wait_ms)
{
	struct rx_disk last = *disk;
	struct await w = {
		.disk = &last, .verb = verb, .object = disk->name,
		.doing = "waiting for its memory to be freed",
		.wait_ms = wait_ms, .until = NEWS_GONE,
	};

	return await(&w);
}

/* END_FAILED: it was detached meanwhile. */
enum rx_end await_cleared(struct rx_disk *disk, const char *verb, long wait_ms)
{
	char object[RX_NAME_LEN];
	struct await w = {
		.disk = disk, .verb = verb, .object = object,
		.doing = "waiting for its memory to be freed",
		.wait_ms = wait_ms, .until = NEWS_CLEARED,
	};

	memcpy(object, disk->name, sizeof(object));
	return await(&w);
}
