/* SPDX-License-Identifier: GPL-2.0-only */
/* The recent activity of a cache. */
#ifndef _RXC_RECENT_H
#define _RXC_RECENT_H

#include <linux/timer.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "figures/stats.h"
#include "figures/window.h"

struct rxc_cache;

/**
 * struct rxc_recent - the recent activity of a cache
 * @timer: runs every 2 seconds (watch.c)
 * @work: brings the windows up to date (watch.c); queued by the timer, and by a request
 *	that finds that the origin has another size
 * @woken: when rxc_recent_wake() last started the work, in ticks; READ_ONCE/WRITE_ONCE
 * @window: rxc_mutex
 * @errors: number of errors at the last run of the work; rxc_mutex
 * @reclaimed: number of blocks given back at the last run; rxc_mutex
 * @pins_changed: pins have changed since the last run; rxc_mutex
 */
struct rxc_recent {
	struct timer_list timer;
	struct work_struct work;
	u64 woken;
	struct rxc_window window;
	u64 errors;
	u64 reclaimed;
	bool pins_changed;
};

/* Under rxc_mutex unless said otherwise. */
void rxc_recent_init(struct rxc_cache *cache);			/* any context */
void rxc_recent_wake(struct rxc_cache *cache);			/* any context */
void rxc_recent_error(struct rxc_cache *cache, enum rxc_stat stat);	/* any context */
bool rxc_recent_fold(struct rxc_cache *cache, const struct rxc_stats *sum);
const struct rxc_window *rxc_recent_read(struct rxc_cache *cache,
					 const struct rxc_stats *sum);
void rxc_recent_reset(struct rxc_cache *cache, const struct rxc_stats *sum);

#endif
