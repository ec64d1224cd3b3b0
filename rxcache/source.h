/* SPDX-License-Identifier: GPL-2.0-only */
/* Where reads come from. */
#ifndef _RXC_SOURCE_H
#define _RXC_SOURCE_H

#include <linux/ktime.h>
#include "latency.h"
#include "map.h"
#include "stats.h"

/* One hit in this many on a CPU is timed and looked at; a power of two. */
enum { RXC_HITS_TIMED = 64 };

void rxc_source_look(struct rxc_map *map, const struct bio *bio);

/*
 * Samples the source of a read that was counted as @kind and has not ended. Of the
 * reads that memory served whole it samples those that are timed, whose @began is set,
 * and of the others one in as many. Context: any.
 */
static inline void rxc_source_note(struct rxc_map *map, const struct bio *bio,
				   enum rxc_stat kind, u64 began)
{
	if (kind != RXC_READ_FULL) {
		if (this_cpu_read(map->stats->count[kind]) % RXC_HITS_TIMED == 1)
			rxc_source_look(map, bio);
	} else if (unlikely(began)) {
		rxc_latency_add(map, RXC_LATENCY_HIT, ktime_get_ns() - began);
		rxc_source_look(map, bio);
	}
}

#endif
