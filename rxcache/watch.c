// SPDX-License-Identifier: GPL-2.0-only
/*
 * The watch over a cache that is not idle: a work that recent.c starts and that runs every
 * 2 seconds. It brings the windows up to date (recent.c), sends events that each stand for
 * many errors or many blocks, and looks at the size of the origin (follow.c).
 */
#include <uapi/linux/rxcache.h>
#include "follow.h"
#include "map.h"
#include "message.h"
#include "recent.h"
#include "stats.h"
#include "watch.h"

/*
 * Sends at most one event of each kind per period: for failed requests, for memory that
 * was given back, and for changed pins, because a file may have thousands of ranges. A
 * dead cache sends none: its loss was an event already, and all its requests fail.
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

/* Sends events and updates the windows. Returns whether a counter has moved. */
static bool watch_sum(struct rxc_map *map)
{
	struct rxc_stats sum;

	lockdep_assert_held(&rxc_mutex);
	rxc_stats_sum(map, &sum);
	watch_tell(map, &sum);
	return rxc_recent_fold(map, &sum);
}

/*
 * If no counter has moved, clears @ticking and then sums once more, to catch requests
 * that still saw it set. A request that counts even later is noticed when the next
 * request starts the work.
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
