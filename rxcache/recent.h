/* SPDX-License-Identifier: GPL-2.0-only */
/* What a cache did lately. */
#ifndef _RXC_RECENT_H
#define _RXC_RECENT_H

#include <linux/types.h>
#include <linux/workqueue.h>
#include "stats.h"
#include "window.h"

struct rxc_map;

/**
 * struct rxc_recent - what happened lately
 * @work: brings the windows up to date (watch.c); the setter of rxc_map.ticking
 *	queues it, and then the work itself
 * @woken: when it last began to tick; READ_ONCE/WRITE_ONCE
 * @window: rxc_mutex
 * @errors: how many had been counted when the last event was sent; rxc_mutex
 * @reclaimed: likewise
 * @pins_changed: since then; rxc_mutex
 */
struct rxc_recent {
	struct delayed_work work;
	u64 woken;
	struct rxc_window window;
	u64 errors;
	u64 reclaimed;
	bool pins_changed;
};

/* Under rxc_mutex unless said otherwise. */
void rxc_recent_init(struct rxc_map *map, work_func_t func);	/* any context */
void rxc_recent_wake(struct rxc_map *map);			/* any context */
void rxc_recent_queue(struct rxc_map *map);			/* any context */
void rxc_recent_error(struct rxc_map *map, enum rxc_stat stat);	/* any context */
bool rxc_recent_fold(struct rxc_map *map, const struct rxc_stats *sum);
const struct rxc_window *rxc_recent_read(struct rxc_map *map,
					 const struct rxc_stats *sum);
void rxc_recent_reset(struct rxc_map *map, const struct rxc_stats *sum);
void rxc_recent_end(struct rxc_map *map);		/* may sleep, no lock */

#endif
