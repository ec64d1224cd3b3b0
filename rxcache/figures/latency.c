// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms of how long requests take, one set per CPU.
 *
 * Reading the clock would take a noticeable part of a hit, so each CPU times only every
 * 64th hit, selected by a counter that hits add to anyway. Every read and write that
 * goes to the origin is timed.
 */
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "cache.h"
#include "figures/latency.h"

/* Bucket 0 has times below 2^6 ns, the last one times from 2^36 ns (69 s) on. */
static unsigned int bucket_of(u64 ns)
{
	return min_t(unsigned int, fls64(ns >> 6), RXC_LATENCY_BUCKETS - 1);
}

void rxc_latency_add(struct rxc_cache *cache, enum rxc_latency_kind kind, u64 ns)
{
	this_cpu_inc(cache->latency->of[kind].bucket[bucket_of(ns)]);
	this_cpu_add(cache->latency->of[kind].sum, ns);
}

/* Another CPU may be adding, so sum->sum may lack a time that a bucket counts already. */
static void sum_all(const struct rxc_cache *cache, enum rxc_latency_kind kind,
		    struct rxc_latency *sum)
{
	const struct rxc_latency *one;
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		one = &per_cpu_ptr(cache->latency, cpu)->of[kind];
		sum->sum += READ_ONCE(one->sum);
		for (i = 0; i < RXC_LATENCY_BUCKETS; i++)
			sum->bucket[i] += READ_ONCE(one->bucket[i]);
	}
}

void rxc_latency_sum(const struct rxc_cache *cache, enum rxc_latency_kind kind,
		     struct rxc_latency *sum)
{
	const struct rxc_latency *base = &cache->latency_base.of[kind];
	unsigned int i;

	lockdep_assert_held(&rxc_mutex);
	sum_all(cache, kind, sum);
	sum->sum -= base->sum;
	for (i = 0; i < RXC_LATENCY_BUCKETS; i++)
		sum->bucket[i] -= base->bucket[i];
}

void rxc_latency_reset(struct rxc_cache *cache)
{
	unsigned int kind;

	lockdep_assert_held(&rxc_mutex);
	for (kind = 0; kind < RXC_NR_LATENCIES; kind++)
		sum_all(cache, kind, &cache->latency_base.of[kind]);
}
