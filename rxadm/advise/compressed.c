// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges whether compressed blocks would be worth it. The kernel says how much memory a
 * sample of the cached blocks would take, and the shadow what a cache of so many more blocks
 * would hit.
 */
#include <math.h>

#include "advise/advice.h"
#include "advise/compressed.h"

#define TRIED_MIN	100	/* blocks that are enough to judge */
#define TIMES_MIN	1.1	/* a smaller gain in blocks is not worth the processor's time */
/* The module lays its index out for this part of the blocks that fit, up to so many a page. */
#define LAYOUT_PART	(15 / 16.0)
#define LAYOUT_MAX	8.0	/* see rxcache/life/compress.c */
/*
 * Without a cache to sample: of each set the youngest blocks stay plain, and a sixteenth of the
 * memory of bins is empty. Replays through the module had 1 point of hits more or less than
 * that, and 2 less with a cache of 366 blocks.
 */
#define PLAIN_PART	(6 / 64.0)
#define BINS_PART	(15 / 16.0)
/* A hit of a compressed block takes some microseconds more: a fast origin gains nothing. */
#define MISS_MIN_NS	30e3

double compressed_times(double ratio)
{
	return fmax(1, 1 / (PLAIN_PART + (1 - PLAIN_PART) / (BINS_PART * ratio)));
}

bool compressed_asks(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	const struct rx_latency *miss = &c->latency[RX_TIME_MISS];

	return a->curve.n && !c->compress && !verdict_unmaps(a->verdict) && a->full &&
	       !a->shared && !a->limited && (miss->mean_ns < 0 || miss->mean_ns >= MISS_MIN_NS);
}

/* Between two points the ratio is taken to grow with each doubling alike. */
static double ratio_of_size(const struct rx_curve *curve, double size)
{
	const struct rx_curve_point *at = curve->at, *last = at + curve->n - 1;
	double part;

	if (size <= at->size)
		return at->ratio;
	while (at < last && at[1].size < size)
		at++;
	if (at == last)
		return at->ratio;
	part = log2(size / at->size) / log2((double)at[1].size / at->size);
	return at->ratio + part * (at[1].ratio - at->ratio);
}

void compressed_judge(struct rx_advice *a, const struct rx_cache *weighed)
{
	const struct rx_curve_point *now = &a->curve.at[a->now];

	if (or_zero(weighed->compress_tried) < TRIED_MIN || !or_zero(weighed->compressed) ||
	    !or_zero(weighed->compressed_memory))
		return;
	a->times = LAYOUT_PART * weighed->compressed / weighed->compressed_memory;
	a->times = fmin(fmax(a->times, 1), LAYOUT_MAX);
	a->compressed = ratio_of_size(&a->curve, now->size * a->times);
	/* As much as more memory has to gain, and not while half of it would do. */
	a->compress = a->times >= TIMES_MIN && a->verdict != VERDICT_SHRINK &&
		      a->compressed >= now->ratio + GAIN * fmax(1, log2(a->times));
}
