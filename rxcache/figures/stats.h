/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of a cache. rxc_count() of cache.h adds to them. */
#ifndef _RXC_STATS_H
#define _RXC_STATS_H

#include <linux/cache.h>
#include <linux/types.h>
#include "figures/stats_gen.h"

struct bio;
struct rxc_cache;

/*
 * A CPU's counters, which only grow. stats_gen.h has their names, and a hit adds to
 * the first ones. A request has added its counts when it ends. rxc_stats_sum()
 * completes RXC_READS, which no request adds to, and RXC_READ_BYTES, which no hit
 * adds to.
 */
struct rxc_stats {
	u64 count[RXC_NR_STATS];
} ____cacheline_aligned;

/* Context: any, except for functions marked rxc_mutex. */
void rxc_stats_sum(const struct rxc_cache *cache, struct rxc_stats *sum);
u64 rxc_stats_bypassed(const struct rxc_stats *sum);	/* blocks that reads fetched past it */
void rxc_stats_since_reset(const struct rxc_cache *cache,
			   struct rxc_stats *sum);	/* rxc_mutex */
void rxc_stats_reset(struct rxc_cache *cache, struct rxc_stats *sum); /* rxc_mutex */
void rxc_count_write(struct rxc_cache *cache, const struct bio *bio);

#endif
