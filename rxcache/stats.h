/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of a mapping. rxc_count() of map.h adds to them. */
#ifndef _RXC_STATS_H
#define _RXC_STATS_H

#include <linux/cache.h>
#include <linux/types.h>

struct bio;
struct rxc_map;

/*
 * Each counter has an attribute of its name in rxcache.yaml, but for part of a
 * sum, RXC_READ_OTHER_BYTES. They only grow; what a request adds is there at its end.
 */
enum rxc_stat {
	/* All that a hit adds to, in one cache line. */
	RXC_READ_FULL, RXC_READ_HIT, RXC_READ_HIT_BYTES,
	RXC_READ_PARTIAL, RXC_READ_NONE, RXC_READ_AGAIN, RXC_READ_OTHER_BYTES,
	RXC_WRITES, RXC_WRITE_BYTES, RXC_FLUSHES, RXC_DISCARDS,
	RXC_READ_MISS, RXC_READ_JOIN,
	RXC_READ_BYPASS_MEMORY, RXC_READ_BYPASS_WRITE, RXC_READ_BYPASS_FILL,
	RXC_READ_BYPASS_MODE,
	RXC_FILL, RXC_FILL_REPLACE, RXC_FILL_DROP, RXC_FILL_DROP_ERROR, RXC_FILL_ERROR,
	RXC_WRITE_UPDATE, RXC_WRITE_ALLOCATE, RXC_WRITE_BYPASS,
	RXC_INVALIDATE, RXC_EVICT, RXC_RECLAIM,
	RXC_ORIGIN_READS, RXC_ORIGIN_READ_BYTES, RXC_ORIGIN_READ_ERRORS,
	RXC_ORIGIN_WRITES, RXC_ORIGIN_WRITE_BYTES, RXC_ORIGIN_WRITE_ERRORS,
	RXC_READ_ERRORS, RXC_WRITE_ERRORS, RXC_GHOST_HIT,
	RXC_SOURCE_SAMPLED, RXC_SOURCE_BUFFERED, RXC_NR_STATS
};

struct rxc_stats {
	u64 count[RXC_NR_STATS];
} ____cacheline_aligned;

/* Context: any, but for those under rxc_mutex. */
void rxc_stats_sum(const struct rxc_map *map, struct rxc_stats *sum);
void rxc_stats_since_reset(const struct rxc_map *map,
			   struct rxc_stats *sum);	/* rxc_mutex */
void rxc_stats_reset(struct rxc_map *map, struct rxc_stats *sum); /* rxc_mutex */
u64 rxc_stats_reads(const struct rxc_stats *sum);
u64 rxc_stats_read_bytes(const struct rxc_stats *sum);
void rxc_count_write(struct rxc_map *map, const struct bio *bio);

#endif
