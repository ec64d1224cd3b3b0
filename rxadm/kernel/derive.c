// SPDX-License-Identifier: GPL-2.0-only
/* Derives sums, ratios and times of a cache from the numbers that the kernel sends. */
#include "base/units.h"
#include "kernel/derive.h"
#include "kernel/object.h"

/* Returns the sum of the numbers that are known, or RX_NONE if none is. */
static uint64_t sum(const uint64_t *v, size_t n)
{
	uint64_t total = 0;
	bool any = false;

	for (; n; n--, v++) {
		if (*v != RX_NONE) {
			total += *v;
			any = true;
		}
	}
	return any ? total : RX_NONE;
}

#define SUM(...) \
	sum((uint64_t[]){ __VA_ARGS__ }, \
	    sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/*
 * Returns the time that PART of the timed requests stayed below. Requests are taken to be
 * spread evenly within a bucket; the last bucket has no upper end.
 */
static double quantile(const struct rx_latency *l, double part)
{
	double want = l->count * part, low, high;
	uint64_t below = 0;
	int i;

	for (i = 0; i < RX_BUCKETS - 1; i++) {
		if (below + l->bucket[i] >= want)
			break;
		below += l->bucket[i];
	}
	low = i ? (double)(1ULL << (i + 5)) : 0;
	high = (double)(1ULL << (i + 6));
	if (i == RX_BUCKETS - 1 || !l->bucket[i])
		return low;
	return low + (high - low) * (want - below) / l->bucket[i];
}

static void derive_latency(struct rx_latency *l)
{
	l->count = sum(l->bucket, RX_BUCKETS);
	if (l->count == RX_NONE || !l->count || l->sum_ns == RX_NONE) {
		l->mean_ns = l->p50_ns = l->p99_ns = -1;
		return;
	}
	l->mean_ns = (double)l->sum_ns / l->count;
	l->p50_ns = quantile(l, 0.5);
	l->p99_ns = quantile(l, 0.99);
}

/* Returns the most bytes of blocks that the cache can hold; RX_NONE: not known. */
uint64_t model_most(const struct rx_cache *cache)
{
	/* An older module sends no max share, and RX_NONE is the highest number. */
	return cache->max_share < cache->size ? cache->max_share : cache->size;
}

/*
 * Returns the time that hits saved, or -1 if it is not known. Without the cache, each
 * read that memory served whole would have been a miss.
 */
static double saved_ns(const struct rx_cache *cache)
{
	const struct rx_latency *hit = &cache->latency[RX_TIME_HIT];
	const struct rx_latency *miss = &cache->latency[RX_TIME_MISS];

	if (cache->stats.read_full == RX_NONE || hit->mean_ns < 0 ||
	    miss->mean_ns < 0)
		return -1;
	if (miss->mean_ns <= hit->mean_ns)
		return 0;
	return cache->stats.read_full * (miss->mean_ns - hit->mean_ns);
}

static void say_ahead(struct rx_cache *cache)
{
	if (cache->read_ahead == RX_NONE)
		*cache->ahead = '\0';
	else if (cache->read_ahead <= AHEAD_AUTO)
		snprintf(cache->ahead, sizeof(cache->ahead), "%s",
			 cache->read_ahead == AHEAD_AUTO ? "auto" : "off");
	else
		size_print(cache->read_ahead, cache->ahead, sizeof(cache->ahead));
}

void model_derive(struct rx_cache *cache)
{
	const struct rx_stats *s = &cache->stats;
	struct rx_recent *r;
	int i;

	cache->bypass = SUM(s->read_bypass_memory, s->read_bypass_write,
			    s->read_bypass_fill, s->read_bypass_mode,
			    s->read_bypass_frozen);
	cache->errors = SUM(s->read_errors, s->write_errors);
	cache->read_blocks = SUM(s->read_hit, s->read_miss, s->read_join, cache->bypass);
	cache->write_blocks = SUM(s->write_update, s->write_allocate, s->write_bypass);
	cache->hit_ratio = ratio_of(s->read_hit, cache->read_blocks);
	/* A read that was refused is sent again and counted then. */
	cache->hit_ratio_requests = ratio_of(s->read_full,
		SUM(s->read_full, s->read_partial, s->read_none));
	cache->hit_ratio_bytes = ratio_of(s->read_hit_bytes, s->read_bytes);
	for (i = 0; i < RX_WINDOWS; i++) {
		r = &cache->recent[i];
		r->hit_ratio = ratio_of(r->read_hit,
			SUM(r->read_hit, r->read_miss, r->read_bypass));
	}
	for (i = 0; i < RX_TIMES; i++)
		derive_latency(&cache->latency[i]);
	say_ahead(cache);
	cache->resize.ratio = ratio_of(cache->resize.done, 1000);
	cache->saved_ns = saved_ns(cache);
	cache->status = cache->state;
	if (cache->state == RX_STATE_ACTIVE && cache->mode == RX_MODE_BYPASS)
		cache->status = cache->verify.mismatches != RX_NONE &&
				cache->verify.mismatches ?
				RX_STATUS_MISMATCH : RX_STATUS_BYPASS;
	else if (cache->state == RX_STATE_ACTIVE && cache->frozen == 1)
		cache->status = RX_STATUS_FROZEN;
}
