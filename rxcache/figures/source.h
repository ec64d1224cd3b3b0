/* SPDX-License-Identifier: GPL-2.0-only */
/* The source of reads. */
#ifndef _RXC_SOURCE_H
#define _RXC_SOURCE_H

#include <linux/ktime.h>
#include "cache.h"
#include "figures/latency.h"
#include "figures/stats.h"

/* On each CPU one hit in this many is timed and its source sampled; a power of two. */
enum { RXC_HITS_TIMED = 64 };

void rxc_source_look(struct rxc_cache *cache, const struct bio *bio);

/*
 * Samples the source of a read that was counted as @kind and has not ended. A read that
 * memory served whole is sampled if it is timed (@began is not 0), and its time is then
 * added to the histogram. Of other reads one in RXC_HITS_TIMED is sampled. Context: any.
 */
static inline void rxc_source_note(struct rxc_cache *cache, const struct bio *bio,
				   enum rxc_stat kind, u64 began)
{
	if (kind != RXC_READ_FULL) {
		if (this_cpu_read(cache->stats->count[kind]) % RXC_HITS_TIMED == 1)
			rxc_source_look(cache, bio);
	} else if (unlikely(began)) {
		rxc_latency_add(cache, RXC_LATENCY_HIT, ktime_get_ns() - began);
		rxc_source_look(cache, bio);
	}
}

#endif
