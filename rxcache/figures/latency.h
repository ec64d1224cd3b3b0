/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms of how long requests take, one for each kind. */
#ifndef _RXC_LATENCY_H
#define _RXC_LATENCY_H

#include <linux/types.h>

struct rxc_cache;

/* What is timed; each has a nest of the same name in rxcache.yaml. */
enum rxc_latency_kind {
	RXC_LATENCY_HIT,		/* reads that memory served whole */
	RXC_LATENCY_MISS,		/* other reads */
	RXC_LATENCY_WRITE,		/* writes, not flushes and discards */
	RXC_LATENCY_ORIGIN,		/* reads that were sent to the origin */
	RXC_NR_LATENCIES
};

enum { RXC_LATENCY_BUCKETS = 32 };

/* Times of requests that did not fail. Bucket i counts 2^(i+5) to 2^(i+6) ns. */
struct rxc_latency {
	u64 sum;			/* ns */
	u64 bucket[RXC_LATENCY_BUCKETS];
};

struct rxc_latencies {
	struct rxc_latency of[RXC_NR_LATENCIES];
};

/* Under rxc_mutex unless said otherwise. */
void rxc_latency_add(struct rxc_cache *cache, enum rxc_latency_kind kind,
		     u64 ns);				/* any context */
void rxc_latency_sum(const struct rxc_cache *cache, enum rxc_latency_kind kind,
		     struct rxc_latency *sum);
void rxc_latency_reset(struct rxc_cache *cache);

#endif
