// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a mapping did lately: keeps its windows (window.h) up to date, and tells
 * who listens that requests have failed or that memory was given back.
 *
 * A deferrable work does it every other second, for as long as counters move.
 * When none has, it stops, and a mapping that is idle wakes nobody. The next
 * request begins it again and notes when; the time between is then one in which
 * nothing moved. Who reads in between brings them up to date, too: two readings
 * tell of the time between them whenever the work ran.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/timer.h>
#include "rxcache.h"

static u64 now_ticks(void)
{
	return div_u64(ktime_get_ns(), NSEC_PER_SEC / RXC_WINDOW_TICKS_PER_S);
}

static unsigned long period(void)
{
	return round_jiffies_relative(2 * HZ);
}

static void flows(const struct rxc_stats *sum, u64 *flow)
{
	const u64 *count = sum->count;

	flow[RXC_FLOW_READS] = rxc_stats_reads(sum) - count[RXC_READ_AGAIN];
	flow[RXC_FLOW_READ_FULL] = count[RXC_READ_FULL];
	flow[RXC_FLOW_READ_HIT] = count[RXC_READ_HIT];
	flow[RXC_FLOW_READ_MISS] = count[RXC_READ_MISS] + count[RXC_READ_JOIN];
	flow[RXC_FLOW_READ_BYPASS] = count[RXC_READ_BYPASS_MEMORY] +
				     count[RXC_READ_BYPASS_WRITE] +
				     count[RXC_READ_BYPASS_FILL] +
				     count[RXC_READ_BYPASS_MODE];
	flow[RXC_FLOW_FILL] = count[RXC_FILL];
	flow[RXC_FLOW_EVICT] = count[RXC_EVICT];
	flow[RXC_FLOW_READ_BYTES] = rxc_stats_read_bytes(sum);
	flow[RXC_FLOW_READ_HIT_BYTES] = count[RXC_READ_HIT_BYTES];
	flow[RXC_FLOW_WRITE_BYTES] = count[RXC_WRITE_BYTES];
}

/* Brings the windows up to now; returns whether a counter has moved. */
static bool fold(struct rxc_map *map, const struct rxc_stats *sum)
{
	struct rxc_window *window = &map->recent.window;
	u64 woken = READ_ONCE(map->recent.woken);
	u64 flow[RXC_NR_FLOWS];
	bool moved;

	flows(sum, flow);
	moved = memcmp(flow, window->last, sizeof(flow));
	if (woken > window->at)
		rxc_window_idle(window, woken);
	rxc_window_fold(window, flow, now_ticks());
	return moved;
}

/* The windows as of now, for whom @sum is the counters. */
const struct rxc_window *rxc_recent_read(struct rxc_map *map,
					 const struct rxc_stats *sum)
{
	lockdep_assert_held(&rxc_mutex);
	fold(map, sum);
	return &map->recent.window;
}

/* @sum is the counters now: what came before is forgotten. */
void rxc_recent_reset(struct rxc_map *map, const struct rxc_stats *sum)
{
	u64 flow[RXC_NR_FLOWS];

	lockdep_assert_held(&rxc_mutex);
	flows(sum, flow);
	rxc_window_reset(&map->recent.window, flow, now_ticks());
}

/*
 * For the first request after a time of rest, an end that was long in coming, and
 * the shrinker: queues a work, and that is all. Who loses the exchange need not
 * wait for the winner's note: a reader in between takes the rest for work.
 */
void rxc_recent_wake(struct rxc_map *map)
{
	if (cmpxchg(&map->ticking, false, true))
		return;
	WRITE_ONCE(map->recent.woken, now_ticks());
	queue_delayed_work(rxc_life_wq, &map->recent.work, period());
}

/*
 * Of what can come a thousand times a second, at most one event in a period. Of
 * a dead mapping every request fails, and it has had its event.
 */
static void tell(struct rxc_map *map, const struct rxc_stats *sum)
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
	}
	map->recent.errors = errors;
	map->recent.reclaimed = reclaimed;
}

/* Takes in what the counters have gained; returns whether they have at all. */
static bool take_in(struct rxc_map *map)
{
	struct rxc_stats sum;

	lockdep_assert_held(&rxc_mutex);
	rxc_stats_sum(map, &sum);
	tell(map, &sum);
	return fold(map, &sum);
}

/*
 * At rest it looks once more when that is known: a request that still saw it
 * ticking has been counted by then, or is so late that the next one will do.
 */
static void recent_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(to_delayed_work(work),
					   struct rxc_map, recent.work);

	mutex_lock(&rxc_mutex);
	if (take_in(map)) {
		queue_delayed_work(rxc_life_wq, &map->recent.work, period());
	} else {
		smp_store_mb(map->ticking, false);
		if (take_in(map))
			rxc_recent_wake(map);
	}
	mutex_unlock(&rxc_mutex);
}

void rxc_recent_init(struct rxc_map *map)
{
	INIT_DEFERRABLE_WORK(&map->recent.work, recent_work);
	map->recent.window.at = now_ticks();
}

/*
 * Nobody begins it again: no submit call runs and none will begin, the last io
 * and part have dropped their references, the shrinker is gone; and the work,
 * which queues itself, does so only while it runs, which this sees to. A mapping
 * that never had a device has not been begun: its index was empty. Context:
 * process, may sleep, no lock.
 */
void rxc_recent_end(struct rxc_map *map)
{
	cancel_delayed_work_sync(&map->recent.work);
}
