/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read-ahead: blocks that a reader will want soon are read before it asks for them. The
 * forecast says which blocks (forecast.h), and the throttle how many at a time (throttle.h).
 *
 * A read that was no hit tells the forecast of itself once its own reads of the origin are
 * queued, before those that are ahead. What is read ahead is a fill without a reader
 * (fill.c), so all that busy.h says of fills holds for it. Readers may join it. It waits for
 * nothing: without memory, without a tag of the origin, or while another task has the lock
 * of the forecast, it does not happen.
 *
 * A block that was read ahead is unread (index.h) until a reader comes to it.
 */
#ifndef _RXC_AHEAD_H
#define _RXC_AHEAD_H

#include <linux/atomic.h>
#include <linux/bio.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <uapi/linux/rxcache.h>
#include "forecast/forecast.h"
#include "forecast/throttle.h"

struct rxc_cache;

/* Values of the attribute read-ahead besides a number of bytes, and the least of these. */
enum { RXC_AHEAD_OFF, RXC_AHEAD_AUTO, RXC_AHEAD_BYTES_MIN = RXCACHE_AHEAD_MIN };

/**
 * struct rxc_ahead - read-ahead of a cache
 * @lock: of @forecast; process context, and readers only try it
 * @forecast: NULL: off
 * @size: the setting: off, auto, or the most bytes ahead of a stream; rxc_mutex
 * @throttle: how much may be in flight, near and far, for all readers of the cache
 * @in_flight: bytes that are in flight, near and far, of all readers: those of a cgroup that
 *	is held back count until they end, and leave others less
 * @issued: blocks that were asked of the origin, without those that it did not bring
 * @used: of these, blocks to which a reader has come. Unlike counters, both are never reset
 * @vain: blocks that had left the index unread when the cache joined; once it has left,
 *	those that did in the meantime. rxc_mutex
 * @wq: sends to an origin that may wait, one after the other. Every cache has one, because
 *	a device-mapper origin may begin to wait when it gets another table
 * @parts: bios of read-ahead, apart from others, so that it takes none of their reserve
 */
struct rxc_ahead {
	spinlock_t lock;
	struct rxc_forecast *forecast;
	u64 size;
	struct rxc_throttle throttle[RXC_DISTANCES];
	atomic_t in_flight[RXC_DISTANCES];
	atomic64_t issued;
	atomic64_t used;
	u64 vain;
	struct workqueue_struct *wq;
	struct bio_set parts;
};

/* Prepares a zeroed cache, and frees what it has. Context: process, may sleep. */
void rxc_ahead_init(struct rxc_cache *cache);
void rxc_ahead_exit(struct rxc_cache *cache);

/* Whether a setting is one. Context: any. */
bool rxc_ahead_fits(u64 size);

/*
 * Makes a forecast for a setting, in *@forecast: NULL for off. Returns 0 or -ENOMEM. Context:
 * process, may sleep, rxc_mutex.
 */
int rxc_ahead_prepare(const struct rxc_cache *cache, u64 size, struct rxc_forecast **forecast);

/*
 * Switches read-ahead on or off, or limits it, and takes over the forecast for it. What is in
 * flight goes on. Context: process, may sleep, rxc_mutex.
 */
void rxc_ahead_set(struct rxc_cache *cache, u64 size, struct rxc_forecast *forecast);

/*
 * Blocks were dropped by request. Those that nobody had read yet would otherwise count as read
 * ahead in vain, so the budget begins anew. Context: process, does not sleep.
 */
void rxc_ahead_dropped(struct rxc_cache *cache);

/*
 * A read would have waited for the origin, had its blocks not been read ahead. Counts the
 * time that this takes now. Context: any.
 */
void rxc_ahead_saved(struct rxc_cache *cache);

/*
 * Tells of a read, whose first block that was not a hit is @missed, and reads ahead. @asked:
 * the origin was asked for its last block. The bio has not ended. Context: process, does not
 * sleep.
 */
void rxc_ahead_read(struct rxc_cache *cache, struct bio *bio, u64 missed, bool asked);

#endif
