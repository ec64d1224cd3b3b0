// SPDX-License-Identifier: GPL-2.0-only
/*
 * The watch over a cache: every 2 seconds a timer looks whether the origin is still there
 * and has the same size (follow.c), and whether counters move. If so, it queues a work,
 * which brings the windows up to date (recent.c), sends events that each stand for many
 * errors or many blocks, and applies the size.
 *
 * The timer also runs while the cache is idle, because the origin may shrink and grow
 * again then, and is not deferrable, because a deferrable timer waits for as long as its
 * processor idles, even if others are busy. The timers of all caches expire at once. So an
 * idle machine is woken once in 2 seconds, whatever the number of caches, and no work runs.
 */
#include <linux/jiffies.h>
#include <linux/timer.h>
#include <uapi/linux/rxcache.h>
#include "cache.h"
#include "compat.h"
#include "figures/recent.h"
#include "figures/stats.h"
#include "io/origin.h"
#include "life/follow.h"
#include "life/message.h"
#include "life/watch.h"

/*
 * Sends at most one event of each kind per period: for failed requests, for memory that
 * was given back, and for changed pins, because a file may have thousands of ranges. A
 * dead cache sends none: its loss was an event already, and all its requests fail.
 */
static void watch_tell(struct rxc_cache *cache, const struct rxc_stats *sum)
{
	u64 errors = sum->count[RXC_READ_ERRORS] +
		     sum->count[RXC_WRITE_ERRORS] +
		     sum->count[RXC_ORIGIN_READ_ERRORS] +
		     sum->count[RXC_ORIGIN_WRITE_ERRORS];
	u64 reclaimed = sum->count[RXC_RECLAIM];

	if (cache->state == RXCACHE_STATE_ACTIVE) {
		if (errors != cache->recent.errors)
			rxc_notify_change(cache, RXCACHE_CAUSE_ERRORS);
		if (reclaimed != cache->recent.reclaimed)
			rxc_notify_change(cache, RXCACHE_CAUSE_RECLAIM);
		if (cache->recent.pins_changed)
			rxc_notify_change(cache, RXCACHE_CAUSE_PIN);
	}
	cache->recent.errors = errors;
	cache->recent.reclaimed = reclaimed;
	cache->recent.pins_changed = false;
}

/* Sends events and updates the windows. Returns whether a counter has moved. */
static bool watch_sum(struct rxc_cache *cache)
{
	struct rxc_stats sum;

	lockdep_assert_held(&rxc_mutex);
	rxc_stats_sum(cache, &sum);
	watch_tell(cache, &sum);
	return rxc_recent_fold(cache, &sum);
}

/*
 * If no counter has moved, clears @ticking and then sums once more, to catch requests
 * that still saw it set. A request that counts even later is noticed when the next
 * request sets it.
 */
static void rxc_watch(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, recent.work);

	mutex_lock(&rxc_mutex);
	rxc_follow(cache);
	if (!watch_sum(cache)) {
		smp_store_mb(cache->ticking, false);
		if (watch_sum(cache))
			rxc_recent_wake(cache);
	}
	mutex_unlock(&rxc_mutex);
}

/* Returns the next multiple of 2 seconds, the same for all caches. */
static unsigned long watch_next(void)
{
	return (jiffies / (2 * HZ) + 1) * (2 * HZ);
}

/* Context: soft interrupt. */
static void watch_look(struct timer_list *timer)
{
	struct rxc_cache *cache = container_of(timer, struct rxc_cache, recent.timer);

	/* Without the callback of rx_claim, an idle cache finds out here. */
	if (rx_claim_gone(&cache->origin))
		rxc_origin_note_dead(cache);
	else if (!READ_ONCE(cache->dead) && rxc_origin_resized(cache))
		rxc_origin_note_size(cache);
	if (READ_ONCE(cache->ticking))
		queue_work(rxc_life_wq, &cache->recent.work);
	mod_timer(timer, watch_next());
}

/* Context: any. */
void rxc_watch_init(struct rxc_cache *cache)
{
	INIT_WORK(&cache->recent.work, rxc_watch);
	timer_setup(&cache->recent.timer, watch_look, 0);
	rxc_recent_init(cache);
}

/* Begins to watch a cache, whose origin is open. Context: under rxc_mutex. */
void rxc_watch_begin(struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	rxc_follow(cache);
	mod_timer(&cache->recent.timer, watch_next());
}

/*
 * Ends the timer, which uses the open origin. Only its own function queues the timer
 * again, so it stays off. Context: process, may sleep, no lock.
 */
void rxc_watch_stop(struct rxc_cache *cache)
{
	rx_timer_delete_sync(&cache->recent.timer);
}

/*
 * Ends the work, which is not queued again: the timer has ended, no submit call runs and
 * none will begin, the backlog has ended, and the origin, whose callbacks queue it, is
 * closed. Context: process, may sleep, no lock.
 */
void rxc_watch_end(struct rxc_cache *cache)
{
	cancel_work_sync(&cache->recent.work);
}
