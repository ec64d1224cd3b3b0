// SPDX-License-Identifier: GPL-2.0-only
/*
 * The watch over a cache that is not idle: a work that runs every other second. It
 * brings the windows (recent.c, which starts it) up to date, sends the events that
 * stand for many errors or many blocks, and looks whether the origin has grown.
 */
#include <uapi/linux/rxcache.h>
#include "follow.h"
#include "map.h"
#include "message.h"
#include "recent.h"
#include "stats.h"
#include "watch.h"

/*
 * Sends at most one event of each kind per period: requests have failed, memory was given
 * back, or ranges were pinned, of which a file may have thousands. Every request of a dead
 * cache fails, and it has had its event.
 */
static void watch_tell(struct rxc_map *map, const struct rxc_stats *sum)
{
	u64 errors = sum->count[RXC_READ_ERRORS] +
		     sum->count[RXC_WRITE_ERRORS] +
		     sum->count[RXC_ORIGIN_READ_ERRORS] +
		     sum->count[RXC_ORIGIN_WRITE_ERRORS];
	u64 reclaimed = sum->count[RXC_RECLAIM];

	if (map->state == RXCACHE_STATE_ACTIVE) {
		if (errors != map->recent.errors)
			rxc_notify_change(map, RXCACHE_CAUSE_ERRORS);
		if (reclaimed != map->recent.reclaimed)
			rxc_notify_change(map, RXCACHE_CAUSE_RECLAIM);
		if (map->recent.pins_changed)
			rxc_notify_change(map, RXCACHE_CAUSE_PIN);
	}
	map->recent.errors = errors;
	map->recent.reclaimed = reclaimed;
	map->recent.pins_changed = false;
}

/* Sums the counters and evaluates the sum. Returns whether a counter has moved. */
static bool watch_sum(struct rxc_map *map)
{
	struct rxc_stats sum;

	lockdep_assert_held(&rxc_mutex);
	rxc_stats_sum(map, &sum);
	watch_tell(map, &sum);
	return rxc_recent_fold(map, &sum);
}

/*
 * Clears @ticking first and then sums once more, to catch requests that still saw it
 * set: such a request has been counted by then, or is so late that the next request
 * will do.
 */
void rxc_watch(struct work_struct *work)
{
	struct rxc_map *map = container_of(to_delayed_work(work),
					   struct rxc_map, recent.work);

	mutex_lock(&rxc_mutex);
	rxc_follow(map);
	if (watch_sum(map)) {
		rxc_recent_queue(map);
	} else {
		smp_store_mb(map->ticking, false);
		if (watch_sum(map))
			rxc_recent_wake(map);
	}
	mutex_unlock(&rxc_mutex);
}
