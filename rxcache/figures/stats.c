// SPDX-License-Identifier: GPL-2.0-only
/* Counters, one set per CPU, and their sum. */
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "blocks/index.h"
#include "cache.h"
#include "figures/stats.h"
#include "figures/unread.h"

/*
 * Sums the counters of all CPUs. The sum is exact when no I/O runs; else some CPUs are
 * read a moment after others. Two counters are completed here, which saves each hit two
 * additions: a read only counts its outcome, and a hit only counts its bytes as bytes of
 * hits. The index counts blocks that leave it unread. Context: process, under rxc_mutex, as
 * the cache leaves its index under it.
 */
void rxc_stats_sum(const struct rxc_cache *cache, struct rxc_stats *sum)
{
	const struct rxc_stats *stats;
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		stats = per_cpu_ptr(cache->stats, cpu);
		for (i = 0; i < RXC_NR_STATS; i++)
			sum->count[i] += READ_ONCE(stats->count[i]);
	}
	sum->count[RXC_READS] = sum->count[RXC_READ_FULL] +
				sum->count[RXC_READ_PARTIAL] +
				sum->count[RXC_READ_NONE] +
				sum->count[RXC_READ_AGAIN];
	sum->count[RXC_READ_BYTES] += sum->count[RXC_READ_HIT_BYTES];
	sum->count[RXC_AHEAD_VAIN] += rxc_unread_vain(cache);
}

u64 rxc_stats_bypassed(const struct rxc_stats *sum)
{
	return sum->count[RXC_READ_BYPASS_MEMORY] + sum->count[RXC_READ_BYPASS_WRITE] +
	       sum->count[RXC_READ_BYPASS_FILL] + sum->count[RXC_READ_BYPASS_MODE] +
	       sum->count[RXC_READ_BYPASS_FROZEN];
}

/*
 * Reduces @sum to the counts since the last reset. Each CPU's counter only grows and
 * was read after that reset, so no difference is below zero.
 */
void rxc_stats_since_reset(const struct rxc_cache *cache, struct rxc_stats *sum)
{
	unsigned int i;

	lockdep_assert_held(&rxc_mutex);
	for (i = 0; i < RXC_NR_STATS; i++)
		sum->count[i] -= cache->stats_base[i];
}

/*
 * Makes readers see counts from zero on; @sum gets the counters. The counters keep their
 * values, because CPUs add to them without a lock, and windows and events compare them
 * with former values.
 */
void rxc_stats_reset(struct rxc_cache *cache, struct rxc_stats *sum)
{
	lockdep_assert_held(&rxc_mutex);
	rxc_stats_sum(cache, sum);
	memcpy(cache->stats_base, sum->count, sizeof(cache->stats_base));
	cache->stats_since = ktime_get_ns();
}

/* Counts a request that is no read, when it arrives. */
void rxc_count_write(struct rxc_cache *cache, const struct bio *bio)
{
	if (bio_op(bio) == REQ_OP_DISCARD || bio_op(bio) == REQ_OP_WRITE_ZEROES) {
		rxc_count(cache, RXC_DISCARDS, 1);
	} else if (bio->bi_iter.bi_size) {
		rxc_count(cache, RXC_WRITES, 1);
		rxc_count(cache, RXC_WRITE_BYTES, bio->bi_iter.bi_size);
	}
	if (op_is_flush(bio->bi_opf) || bio_op(bio) == REQ_OP_FLUSH)
		rxc_count(cache, RXC_FLUSHES, 1);
}
