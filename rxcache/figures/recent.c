// SPDX-License-Identifier: GPL-2.0-only
/*
 * The recent activity of a cache: its windows (window.h).
 *
 * A work (watch.c) brings the windows up to date every 2 seconds, for as long as counters
 * move. When none has moved, the work rests. The next request starts it again and notes
 * the time, until which no counter moved. A reader brings the windows up to date as well,
 * so the values do not depend on when the work ran.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "cache.h"
#include "figures/recent.h"
#include "figures/stats.h"
#include "figures/window.h"

static u64 now_ticks(void)
{
	return div_u64(ktime_get_ns(), NSEC_PER_SEC / RXC_WINDOW_TICKS_PER_S);
}

static void recent_flows(const struct rxc_stats *sum, u64 *flow)
{
	const u64 *count = sum->count;

	flow[RXC_FLOW_READS] = count[RXC_READS] - count[RXC_READ_AGAIN];
	flow[RXC_FLOW_READ_FULL] = count[RXC_READ_FULL];
	flow[RXC_FLOW_READ_HIT] = count[RXC_READ_HIT];
	flow[RXC_FLOW_READ_MISS] = count[RXC_READ_MISS] + count[RXC_READ_JOIN];
	flow[RXC_FLOW_READ_BYPASS] = rxc_stats_bypassed(sum);
	flow[RXC_FLOW_FILL] = count[RXC_FILL];
	flow[RXC_FLOW_EVICT] = count[RXC_EVICT];
	flow[RXC_FLOW_READ_BYTES] = count[RXC_READ_BYTES];
	flow[RXC_FLOW_READ_HIT_BYTES] = count[RXC_READ_HIT_BYTES];
	flow[RXC_FLOW_WRITE_BYTES] = count[RXC_WRITE_BYTES];
}

/* Brings the windows up to date with @sum. Returns whether a counter has moved. */
bool rxc_recent_fold(struct rxc_cache *cache, const struct rxc_stats *sum)
{
	struct rxc_window *window = &cache->recent.window;
	u64 woken = READ_ONCE(cache->recent.woken);
	u64 flow[RXC_NR_FLOWS];
	bool moved;

	lockdep_assert_held(&rxc_mutex);
	recent_flows(sum, flow);
	moved = memcmp(flow, window->last, sizeof(flow));
	if (woken > window->at)
		rxc_window_idle(window, woken);
	rxc_window_fold(window, flow, now_ticks());
	return moved;
}

/* Returns the windows, brought up to date with the counters @sum. */
const struct rxc_window *rxc_recent_read(struct rxc_cache *cache,
					 const struct rxc_stats *sum)
{
	rxc_recent_fold(cache, sum);
	return &cache->recent.window;
}

/* Empties the windows, which begin anew with the counters @sum. */
void rxc_recent_reset(struct rxc_cache *cache, const struct rxc_stats *sum)
{
	u64 flow[RXC_NR_FLOWS];

	lockdep_assert_held(&rxc_mutex);
	recent_flows(sum, flow);
	rxc_window_reset(&cache->recent.window, flow, now_ticks());
}

/*
 * Makes the work run at the next look of watch.c: called for requests that find @ticking
 * clear, and for background events. Only the winner of the exchange notes the time. A loser
 * does not wait for that, because at worst a reader that comes before the time is noted
 * counts idle time as busy time. Context: any.
 */
void rxc_recent_wake(struct rxc_cache *cache)
{
	if (READ_ONCE(cache->ticking) || cmpxchg(&cache->ticking, false, true))
		return;
	WRITE_ONCE(cache->recent.woken, now_ticks());
}

/* Counts an error, and starts the work, which sends the event. Context: any. */
void rxc_recent_error(struct rxc_cache *cache, enum rxc_stat stat)
{
	rxc_count(cache, stat, 1);
	/*
	 * Pairs with the barrier of watch.c. Either the watch, which has just cleared
	 * @ticking, sees this error, or @ticking is clear here. Otherwise the event would
	 * wait for the next request, and there may be none.
	 */
	smp_mb();
	rxc_recent_wake(cache);
}

void rxc_recent_init(struct rxc_cache *cache)
{
	cache->recent.window.at = now_ticks();
}
