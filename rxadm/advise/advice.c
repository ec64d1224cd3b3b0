// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judges how large a cache should be. This file takes numbers and returns a verdict;
 * page.c has the words for the verdict.
 */
#include <math.h>

#include "advise/advice.h"
#include "kernel/derive.h"

/*
 * Less than GAIN is enough where a quarter of the misses goes away: from 96 % to 97 % is
 * one point, but a quarter of the origin's work.
 */
#define GAIN_FEW	0.01
#define MISSES_LEFT	0.75
/*
 * Half the size is as good if it loses less than LOSS. LOSS is below GAIN, so that an
 * advice, once followed, does not turn into its opposite.
 */
#define LOSS		0.01
#define SWITCH_GAIN	0.01	/* hit ratio that another setting must add */
#define ROUNDING	1e-9

#define FROZEN_MUCH	0.01	/* share of the reads that passed a frozen cache */
#define READS_USED	100	/* udev and others send fewer reads to a new device */
#define ROOM_LEFT	0.75	/* part of a cache that uneven sets can fill */
#define BUFFERED_MOST	0.5
#define BUFFERED_MIN	64	/* sampled requests that are enough to judge */
#define VAIN_MUCH	0.4	/* share of what was read ahead that is too much in vain */
#define AHEAD_USED	4096	/* blocks read ahead that are enough to judge */
#define HOUR_NS		3600e9

const char *const rx_verdict_names[] = {
	[VERDICT_NOT_ACTIVE] = "not-active",
	[VERDICT_BYPASS] = "bypass",
	[VERDICT_UNUSED] = "unused",
	[VERDICT_IDLE] = "idle",
	[VERDICT_BLIND] = "blind",
	[VERDICT_FEW] = "few",
	[VERDICT_PAGE_CACHE] = "page-cache",
	[VERDICT_USELESS] = "useless",
	[VERDICT_GROW] = "grow",
	[VERDICT_SHRINK] = "shrink",
	[VERDICT_KEEP] = "keep",
	[VERDICTS] = NULL
};

static bool worth(const struct rx_curve_point *from,
		  const struct rx_curve_point *to)
{
	double doublings = log2((double)to->size / from->size);
	double gain = to->ratio - from->ratio + ROUNDING;

	return gain >= GAIN * doublings ||
	       (gain >= GAIN_FEW * doublings &&
		1 - to->ratio <= (1 - from->ratio) *
				 pow(MISSES_LEFT, doublings) + ROUNDING);
}

/*
 * Returns the point of the smallest size that no larger size beats by enough to be worth
 * its memory. All larger sizes are compared, not only the next one: a loop that is read
 * again and again gives no hits until all of it fits.
 */
size_t curve_knee(const struct rx_curve *curve, size_t from, size_t to)
{
	size_t i, j;

	for (i = from; i < to; i++) {
		for (j = i + 1; j <= to; j++)
			if (worth(&curve->at[i], &curve->at[j]))
				break;
		if (j > to)
			break;
	}
	return i;
}

/*
 * Takes the hit ratio of the last hour if it is known, because the shadow's sums decay
 * over the same time. If many reads passed the cache while it was frozen, take_points()
 * takes the shadow's own ratio instead. The shadow rested then, and these reads would not
 * be bypassed at other times. Only the sum of these reads since the counters began is
 * known, which is no less than the sum of the last hour.
 */
static void take_ratio(struct rx_advice *a, const struct rx_cache *c)
{
	const struct rx_recent *last = &c->recent[RX_LAST_1H];
	uint64_t reads = or_zero(last->read_hit) + or_zero(last->read_miss) +
			 or_zero(last->read_bypass);

	a->ratio = last->hit_ratio;
	a->lately = a->ratio >= 0;
	a->bypassed = ratio_of(last->read_bypass, reads);
	if (!a->lately) {
		a->ratio = c->hit_ratio;
		a->bypassed = ratio_of(c->bypass, c->read_blocks);
		reads = c->read_blocks;
	}
	a->frozen = a->bypassed > FROZEN_MUCH &&
		    ratio_of(c->stats.read_bypass_frozen, reads) > FROZEN_MUCH;
	if (a->frozen) {
		a->ratio = -1;
		a->lately = false;
	}
	if (a->frozen || a->bypassed < 0)
		a->bypassed = 0;
}

static bool usable(const struct rx_point *p)
{
	return p->size && p->size != RX_NONE && p->hits != RX_NONE;
}

static const struct rx_point *point_now(const struct rx_cache *c)
{
	const struct rx_shadow *shadow = &c->shadow;
	const struct rx_point *best = NULL, *p;
	double off, least = 0.5;	/* of a doubling */

	for (p = shadow->points.at; p < shadow->points.at + shadow->points.n; p++) {
		if (p->what != RX_AS_IS || !usable(p))
			continue;
		off = fabs(log2((double)p->size / c->size));
		if (off < least) {
			least = off;
			best = p;
		}
	}
	return best;
}

/*
 * Scales the measured ratio. Where POINT has more hits than NOW, the misses are scaled:
 * misses * (misses of POINT / misses of NOW). Otherwise the hits are scaled. The shadow's
 * own ratios are off where its sample has too many or too few of the hottest blocks.
 * Those blocks are hits at any size, so the ratio of the misses stays right. On traces
 * the result is off by 0.2 points on average and mostly by less than 1. The difference of
 * the two ratios, added instead, was off by up to 2.8. Reads that bypass the cache would
 * bypass it at any size. RATIO is that of NOW.
 */
static double estimate(const struct rx_advice *a, const struct rx_shadow *shadow,
		       const struct rx_point *now, const struct rx_point *point, double ratio)
{
	double reads = shadow->reads, hits = point->hits;
	double misses = 1 - a->bypassed - ratio;

	if (point->hits <= now->hits)
		return now->hits ? ratio * hits / now->hits : ratio;
	if (hits > reads)
		hits = reads;
	return ratio + misses * (hits - now->hits) / (reads - now->hits);
}

static void insert(struct rx_curve *curve, uint64_t size, double ratio)
{
	size_t i = curve->n;

	if (i == CURVE_MAX)
		return;
	for (; i && curve->at[i - 1].size > size; i--)
		curve->at[i] = curve->at[i - 1];
	curve->at[i] = (struct rx_curve_point) { size, ratio };
	curve->n++;
}

/*
 * Ends the curve at the size of the origin, because a cache never holds more. A point is
 * somewhat less than the disk of its size, so one that is a little smaller than the origin
 * counts. The present size stays on the curve.
 */
static void cap(struct rx_advice *a, uint64_t origin)
{
	struct rx_curve *curve = &a->curve;
	size_t i = 0;

	if (!or_zero(origin))
		return;
	while (i < curve->n && curve->at[i].size < origin - origin / 16)
		i++;
	if (i == curve->n)
		return;
	a->whole = i;
	if (i > a->now && curve->at[i].size > origin)
		curve->at[i].size = origin;
	curve->n = (i > a->now ? i : a->now) + 1;
}

static void take_points(struct rx_advice *a, const struct rx_cache *c)
{
	const struct rx_shadow *shadow = &c->shadow;
	const struct rx_point *now = point_now(c), *p;
	double alone = (1 - a->bypassed) * now->hits / shadow->reads, ratio;

	if (a->ratio < 0)
		a->ratio = alone;
	/* The shadow has all of the memory to itself, and sees no reads that are bypassed. */
	if (!a->shared && !a->limited)
		alone = a->ratio;
	for (p = shadow->points.at; p < shadow->points.at + shadow->points.n; p++) {
		if (!usable(p))
			continue;
		ratio = estimate(a, shadow, now, p, alone);
		if (p->what == RX_AS_IS)
			insert(&a->curve, p->size, ratio);
		else if (p->what == RX_FLIPPED)
			a->flipped = ratio;
		else if (p->what == RX_NO_SEQUENTIAL)
			a->sequential = ratio;
	}
	while (a->curve.at[a->now].size < now->size)
		a->now++;
	cap(a, c->origin_size);
}

/*
 * Returns the bytes of blocks that there is memory for, besides their index. The sum is
 * what the machine has available plus what the cache has now. It leaves out what other
 * caches have yet to take, and an eighth of the machine for programs. The data of RAM
 * disks is not available any more, so it is left out too. The free space of RAM disks is
 * not left out, because many disks are made larger than they ever fill.
 */
static uint64_t room_of(const struct rx_advice *a)
{
	const struct rx_memory *m = &a->memory;
	const struct rx_cache *c = a->cache;
	double index, room;

	if (m->available == RX_NONE || m->total == RX_NONE)
		return RX_NONE;
	index = c->size ? (double)or_zero(c->metadata) / c->size : 0;
	room = (double)m->available + or_zero(c->cached) + m->beside + or_zero(c->slack) +
	       or_zero(c->metadata) - or_zero(m->promised) - m->total / 8.0;
	return room > 0 ? room / (1 + index) : 0;
}

/*
 * Returns the waiting time that the larger size saves in an hour, or -1 if it is not
 * known. The time is the number of additional hits, times what a miss takes longer than a
 * hit. Each block counts as a request, and a shorter measurement is extrapolated to an
 * hour. How many reads of the hour met a frozen cache is not known, and those reads would
 * gain nothing.
 */
static double gain_ns(const struct rx_advice *a, const struct rx_cache *c)
{
	const struct rx_latency *hit = &c->latency[RX_TIME_HIT];
	const struct rx_latency *miss = &c->latency[RX_TIME_MISS];
	double reads = c->recent[RX_LAST_1H].reads;

	if (a->frozen || c->recent[RX_LAST_1H].reads == RX_NONE ||
	    hit->mean_ns < 0 || miss->mean_ns <= hit->mean_ns ||
	    c->stats_age == RX_NONE || !c->stats_age)
		return -1;
	reads /= 1 - exp(-(c->stats_age / HOUR_NS));
	return reads * (a->curve.at[a->best].ratio - a->curve.at[a->now].ratio) *
	       (miss->mean_ns - hit->mean_ns);
}

/*
 * Returns the share of the reads that were the first reads of their blocks, and so misses
 * at any size. The share is known only while the largest of the shadow's caches has room
 * for all that it missed, because then it missed nothing else; otherwise the result is 0.
 * If these blocks are read again later, larger caches do better than they seem to now,
 * and smaller ones do not.
 */
static double first_ratio(const struct rx_cache *c)
{
	const struct rx_shadow *shadow = &c->shadow;
	const struct rx_point *largest = NULL, *p;
	double missed;

	for (p = shadow->points.at; p < shadow->points.at + shadow->points.n; p++)
		if (p->what == RX_AS_IS && usable(p) &&
		    (!largest || p->size > largest->size))
			largest = p;
	if (!largest || largest->hits >= shadow->reads)
		return 0;
	missed = shadow->reads - largest->hits;
	if (missed * shadow->rate * or_zero(c->block) > ROOM_LEFT * largest->size)
		return 0;
	return missed / shadow->reads;
}

/* Tells whether blocks were evicted in the last hour, or ever, if that is not known. */
static bool has_evicted(const struct rx_cache *c)
{
	uint64_t evicted = c->recent[RX_LAST_1H].evict;

	return evicted == RX_NONE ? or_zero(c->stats.evict) : evicted;
}

/*
 * Tells whether the cache is more than 9/10 full, or evicts because its sets are unevenly
 * filled or for its max share. Otherwise it evicted before it grew, or for min_free.
 */
static bool is_full(const struct rx_advice *a, const struct rx_cache *c)
{
	uint64_t taken = or_zero(c->cached) + a->memory.beside + or_zero(c->slack);

	return taken > (a->evicted ? ROOM_LEFT : 0.9) * c->size || (a->evicted && a->at_max);
}

/*
 * Tells whether the machine reclaimed or refused memory, and the cache has not filled
 * again since. A larger cache would not get more memory then.
 */
static bool is_pressed(const struct rx_advice *a, const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;
	bool taken = or_zero(s->reclaim) * or_zero(c->block) > c->size / 16;
	bool refused = ratio_of(s->read_bypass_memory, c->read_blocks) > 0.01;

	return (taken || refused) &&
	       or_zero(c->cached) + a->memory.beside < c->size / 8 * 7;
}

/*
 * Tells whether the blocks that are read again and again would fit into the page cache,
 * where readers find them sooner. The page cache can have the memory that is available,
 * which includes what it holds now, and the memory of this cache.
 */
static bool page_cache_does(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	uint64_t available = a->memory.available;

	return a->buffered >= BUFFERED_MOST && available != RX_NONE &&
	       c->stats.source_sampled >= BUFFERED_MIN &&
	       a->curve.at[a->wanted].size <= available + or_zero(c->cached);
}

/*
 * Tells whether half the size is enough. Only memory that the cache has taken can come
 * back, and memory that one cache has no use for may serve the others that share it.
 */
static bool half_does(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	const struct rx_curve_point *now = &a->curve.at[a->now];

	return a->now && a->full && !a->shared && or_zero(c->cached) > c->size / 2 &&
	       now[-1].ratio > now->ratio - LOSS;
}

static enum rx_verdict judge(struct rx_advice *a)
{
	const struct rx_curve *curve = &a->curve;
	size_t last = curve->n - 1, i;
	bool helps = false;

	for (i = 0; i < curve->n; i++)
		helps |= curve->at[i].ratio >= ADVICE_USELESS;
	a->best = a->wanted = curve_knee(curve, a->now, last);
	if (a->first > ADVICE_FIRST_MOST && a->wanted == a->now)
		return VERDICT_FEW;
	if (page_cache_does(a)) {
		a->best = a->now;
		return VERDICT_PAGE_CACHE;
	}
	/* While a cache fills, most reads are the first ones of their blocks. */
	if (!helps) {
		a->best = a->now;
		return a->full ? VERDICT_USELESS : VERDICT_FEW;
	}
	while (last > a->now && (curve->at[last].size > a->room || a->pressed))
		last--;
	a->best = curve_knee(curve, a->now, last);
	if (a->best > a->now)
		return VERDICT_GROW;
	if (a->wanted == a->now && half_does(a)) {
		a->best = a->now - 1;
		return VERDICT_SHRINK;
	}
	return VERDICT_KEEP;
}

/*
 * Returns the share of the samples that were lost in an hour, as if the losses were
 * spread evenly. Lost samples are counted since the counters began, and the other samples
 * decay over an hour.
 */
static double lost_ratio(const struct rx_cache *c)
{
	double lost = or_zero(c->shadow.lost), reads = or_zero(c->shadow.reads);

	if (c->stats_age != RX_NONE && c->stats_age > HOUR_NS)
		lost *= HOUR_NS / c->stats_age;
	return lost + reads > 0 ? lost / (lost + reads) : 0;
}

/* Tells whether there are figures to judge by. If there are none, the verdict says why. */
static bool has_figures(struct rx_advice *a, const struct rx_cache *c)
{
	const struct rx_shadow *shadow = &c->shadow;
	bool sampled = or_zero(shadow->reads) > READS_USED;

	if (c->state != RX_STATE_ACTIVE)
		a->verdict = VERDICT_NOT_ACTIVE;
	else if (c->mode == RX_MODE_BYPASS)
		a->verdict = VERDICT_BYPASS;
	else if (or_zero(c->stats.reads) < READS_USED && !sampled)
		a->verdict = VERDICT_UNUSED;
	else if (!c->recent[RX_LAST_1H].reads)
		a->verdict = VERDICT_IDLE;
	else if (shadow->rate == RX_NONE || !c->size || !point_now(c))
		a->verdict = VERDICT_BLIND;
	else if (or_zero(shadow->reads) < ADVICE_READS_MIN)
		a->verdict = VERDICT_FEW;
	else
		return true;
	return false;
}

void advise(struct rx_advice *a, const struct rx_cache *c, uint64_t disk_size,
	    const struct rx_memory *memory)
{
	const struct rx_stats *s = &c->stats;
	double now;

	*a = (struct rx_advice){
		.cache = c, .disk_size = disk_size, .memory = *memory,
		.flipped = -1, .sequential = -1, .first = -1, .gain_ns = -1, .compressed = -1,
		.whole = CURVE_MAX,
	};
	take_ratio(a, c);
	a->shared = c->sharers != RX_NONE && c->sharers > 1;
	a->limited = model_most(c) < c->size;
	a->at_max = a->limited && or_zero(c->cached) > model_most(c) / 10 * 9;
	a->saved_ns = c->saved_ns;
	a->buffered = ratio_of(s->source_buffered, s->source_sampled);
	a->vain = ratio_of(s->ahead_vain, s->ahead_issued);
	a->no_ahead = or_zero(c->read_ahead) && a->vain > VAIN_MUCH &&
		      or_zero(s->ahead_issued) > AHEAD_USED;
	a->ghost = ratio_of(s->ghost_hit, or_zero(s->fill) + or_zero(s->write_allocate));
	a->room = room_of(a);
	a->lost = lost_ratio(c);
	a->evicted = has_evicted(c);
	a->full = is_full(a, c);
	a->pressed = is_pressed(a, c);
	if (!has_figures(a, c))
		return;
	take_points(a, c);
	a->first = first_ratio(c);
	now = a->curve.at[a->now].ratio;
	a->flip = c->mode == RX_MODE_THROUGH && a->flipped > now + SWITCH_GAIN;
	a->scanned = a->sequential > now + SWITCH_GAIN;
	a->verdict = judge(a);
	if (a->verdict == VERDICT_GROW)
		a->gain_ns = gain_ns(a, c);
}
