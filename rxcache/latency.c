// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long requests take: histograms, one set per CPU, only ever added to.
 *
 * A hit is so short that looking at the clock would show: only every 64th of a
 * CPU is timed, which the counter tells that a hit adds to anyway. Whatever goes
 * to the origin is timed, all of it.
 */
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "rxcache.h"

/* Bucket 0 is below 2^6 ns, the last one from 2^36 ns, 69 s, up. */
static unsigned int bucket_of(u64 ns)
{
	return min_t(unsigned int, fls64(ns >> 6), RXC_LATENCY_BUCKETS - 1);
}

void rxc_latency_add(struct rxc_map *map, enum rxc_latency_kind kind, u64 ns)
{
	this_cpu_inc(map->latency->of[kind].bucket[bucket_of(ns)]);
	this_cpu_add(map->latency->of[kind].sum, ns);
}

/*
 * Of an io that did not fail. A flush has no data; the user's bio still has its
 * size, for parts move on iterators of their own.
 */
void rxc_latency_add_io(const struct rxc_io *io)
{
	u64 ns = ktime_get_ns() - io->began;

	if (bio_op(io->bio) == REQ_OP_READ)
		rxc_latency_add(io->map, RXC_LATENCY_MISS, ns);
	else if (bio_op(io->bio) == REQ_OP_WRITE && io->bio->bi_iter.bi_size)
		rxc_latency_add(io->map, RXC_LATENCY_WRITE, ns);
}

/* A CPU that is adding meanwhile may be seen between the two. */
static void sum_all(const struct rxc_map *map, enum rxc_latency_kind kind,
		    struct rxc_latency *sum)
{
	const struct rxc_latency *one;
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		one = &per_cpu_ptr(map->latency, cpu)->of[kind];
		sum->sum += READ_ONCE(one->sum);
		for (i = 0; i < RXC_LATENCY_BUCKETS; i++)
			sum->bucket[i] += READ_ONCE(one->bucket[i]);
	}
}

void rxc_latency_sum(const struct rxc_map *map, enum rxc_latency_kind kind,
		     struct rxc_latency *sum)
{
	const struct rxc_latency *base = &map->latency_base.of[kind];
	unsigned int i;

	lockdep_assert_held(&rxc_mutex);
	sum_all(map, kind, sum);
	sum->sum -= base->sum;
	for (i = 0; i < RXC_LATENCY_BUCKETS; i++)
		sum->bucket[i] -= base->bucket[i];
}

void rxc_latency_reset(struct rxc_map *map)
{
	unsigned int kind;

	lockdep_assert_held(&rxc_mutex);
	for (kind = 0; kind < RXC_NR_LATENCIES; kind++)
		sum_all(map, kind, &map->latency_base.of[kind]);
}
