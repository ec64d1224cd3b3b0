// SPDX-License-Identifier: GPL-2.0-only
/* The advice about the size of a cache, from given numbers. */
#include <math.h>
#include <stdarg.h>

#include "advise/advice.h"
#include "advise/compressed.h"
#include "kernel/derive.h"
#include "kernel/model.h"
#include "kernel/protocol.h"
#include "rx_test.h"

#define GIB	(1ULL << 30)
#define READS	100000

static struct rx_cache cache;
static struct rx_memory memory;
static struct rx_advice a;

/* A curve of hit ratios in percent, for caches of 1/2, 1, 2 GiB and so on; a negative one ends it. */
static struct rx_curve curve_of(double first, ...)
{
	struct rx_curve curve = { .n = 0 };
	double percent;
	va_list ap;

	va_start(ap, first);
	for (percent = first; percent >= 0; percent = va_arg(ap, double)) {
		curve.at[curve.n] = (struct rx_curve_point) {
			GIB / 2 << curve.n, percent / 100
		};
		curve.n++;
	}
	va_end(ap);
	return curve;
}

#define curve(...)	({ curve_ = curve_of(__VA_ARGS__, -1.0); &curve_; })
static struct rx_curve curve_;

static void test_knee(void)
{
	check(curve_knee(curve(50.0, 70.0, 80.0, 81.0, 81.5), 0, 4) == 2,
	      "where doublings gain 2 points no more");
	check(curve_knee(curve(50.0, 70.0, 80.0, 82.0, 84.0), 0, 4) == 4,
	      "2 points are enough");
	check(curve_knee(curve(50.0, 50.0, 50.0, 50.0, 50.0), 0, 4) == 0,
	      "the smallest if all do the same");
	check(curve_knee(curve(10.0, 10.0, 10.0, 10.0, 60.0), 0, 4) == 4,
	      "a cliff behind a plain counts");
	check(curve_knee(curve(10.0, 10.0, 10.0, 10.0, 15.0), 0, 4) == 0,
	      "unless it is too far for what it gains");
	check(curve_knee(curve(10.0, 10.0, 10.0, 10.0, 60.0), 0, 3) == 0,
	      "or beyond what may be had");
	check(curve_knee(curve(96.0, 97.0, 97.1, 97.1, 97.1), 0, 4) == 1,
	      "a quarter of the misses is worth a point");
	check(curve_knee(curve(90.0, 91.0, 91.1, 91.1, 91.1), 0, 4) == 0,
	      "a tenth is not");
	check(curve_knee(curve(99.0, 99.5, 99.8, 99.9, 99.9), 0, 4) == 0,
	      "nor is any share of what estimates can't see");
	check(curve_knee(curve(50.0, 70.0, 60.0, 60.0, 60.0), 0, 4) == 1 &&
	      curve_knee(curve(50.0, 70.0, 60.0, 60.0, 60.0), 2, 4) == 2,
	      "larger is not always better, and the smallest is given");
	check(curve_knee(curve(42.0), 0, 0) == 0, "of one there is no choice");
}

/* A full cache of 1 GiB, with its shadow's hit ratios in percent at 1/2x to 8x. */
static void cache_of(double half, double now, double twice, double four,
		     double eight)
{
	double percent[] = { half, now, twice, four, eight };
	struct rx_points *points = &cache.shadow.points;
	int i;

	model_clear(RX_CACHE, &cache);
	cache.state = RX_STATE_ACTIVE;
	cache.mode = RX_MODE_THROUGH;
	cache.write_allocate = 1;
	cache.block = 4096;
	cache.size = cache.cached = GIB;
	cache.metadata = GIB / 256;
	cache.slack = 0;
	cache.stats_age = 7200000000000;
	cache.stats.reads = 50000;
	cache.stats.read_hit = 40000;
	cache.stats.read_miss = 10000;
	cache.stats.fill = 10000;
	cache.recent[RX_LAST_1H].reads = 30000;
	cache.recent[RX_LAST_1H].read_hit = 300 * now;
	cache.recent[RX_LAST_1H].read_miss = 30000 - 300 * now;
	cache.recent[RX_LAST_1H].read_bypass = 0;
	cache.recent[RX_LAST_1H].evict = 900;
	cache.shadow.rate = 16;
	cache.shadow.reads = READS;
	for (i = 0; i < 5; i++)
		points->at[points->n++] = (struct rx_point) {
			GIB / 2 << i, percent[i] / 100 * READS, RX_AS_IS
		};
	memory = (struct rx_memory) { 64 * GIB, 32 * GIB, 0, 0 };
}

static enum rx_verdict judge(void)
{
	model_derive(&cache);
	advise(&a, &cache, RX_NONE, &memory);
	return a.verdict;
}

static bool near(double x, double y)
{
	return x > y - 1e-9 && x < y + 1e-9;
}

static void test_verdicts(void)
{
	cache_of(50, 70, 83, 84, 84.5);
	check(judge() == VERDICT_GROW && a.now == 1 && a.best == 2 &&
	      a.wanted == 2 && a.curve.n == 5, "it should grow");
	cache_of(60, 70, 71, 71.5, 72);
	check(judge() == VERDICT_KEEP && a.best == 1, "it should stay");
	cache_of(69.1, 70, 71, 71.5, 72);
	check(judge() == VERDICT_SHRINK && a.best == 0, "half would do");
	cache_of(68.9, 70, 71, 71.5, 72);
	check(judge() == VERDICT_KEEP, "not if it loses a point");
	cache_of(70, 70, 70, 70, 70);
	cache.cached = GIB / 2;
	check(judge() == VERDICT_KEEP, "nor if it never took the other half");
	cache_of(1, 2, 2, 2, 2);
	cache.shadow.rate = 256;
	check(judge() == VERDICT_USELESS, "no size helps");
	cache.cached = GIB / 2;
	cache.recent[RX_LAST_1H].evict = 0;
	check(judge() == VERDICT_FEW, "which is not sure while it fills");
	cache_of(0, 0, 0, 0, 50);
	check(judge() == VERDICT_GROW && a.best == 4, "unless a large one does");
}

/* What the kernel says of a sample: PART of 1000 blocks' memory is left. */
static void weighed(double part)
{
	struct rx_cache w;

	model_clear(RX_CACHE, &w);
	w.compress_tried = 500;
	w.compressed = 4096000;
	w.compressed_memory = 4096000 * part;
	compressed_judge(&a, &w);
}

static void test_compressed(void)
{
	cache_of(50, 70, 80, 84, 84.5);
	cache.compress = 0;
	judge();
	check(compressed_asks(&a) && a.compressed < 0 && !a.compress, "it is worth asking");
	weighed(15 / 16.0 / 2);
	check(near(a.times, 2) && near(a.compressed, 0.8) && a.compress, "twice the blocks");
	weighed(15 / 16.0 / M_SQRT2);
	check(fabs(a.compressed - 0.75) < 1e-4, "half of a doubling");
	weighed(0.001);
	check(near(a.times, 8) && near(a.compressed, 0.845), "eight times at most, where the curve ends");
	weighed(0.9);
	check(near(a.times, 15 / 16.0 / 0.9) && !a.compress, "hardly any");
	weighed(1.2);
	check(near(a.times, 1) && near(a.compressed, 0.7) && !a.compress, "no less than now");
	cache_of(69, 70, 71.5, 71.5, 71.5);
	cache.compress = 0;
	judge();
	weighed(0.5);
	check(a.times > 1.8 && !a.compress, "more blocks of no use");
	cache.compress = 1;
	judge();
	check(!compressed_asks(&a), "it compresses already");
	cache.compress = RX_NONE;
	judge();
	check(!compressed_asks(&a), "an older module");
	cache.compress = 0;
	cache.sharers = 2;
	judge();
	check(!compressed_asks(&a), "the curve is about a disk of its own");
	cache_of(50, 70, 83, 84, 84.5);
	cache.compress = 0;
	cache.latency[RX_TIME_MISS].mean_ns = 20e3;
	advise(&a, &cache, RX_NONE, &memory);
	check(!compressed_asks(&a), "an origin as fast as that");
}

/* 100000 reads of one block in 16 stand for 6.1 GiB, and the largest size is 8 GiB. */
static void test_first_reads(void)
{
	cache_of(40, 40, 40, 40, 40);
	check(judge() == VERDICT_FEW && near(a.first, 0.6) && a.best == 1,
	      "half would do, but most was read for the first time");
	cache_of(20, 40, 45, 45, 45);
	check(judge() == VERDICT_GROW && near(a.first, 0.55),
	      "a larger one would do better already");
	cache_of(50.5, 51, 51, 51, 51);
	check(judge() == VERDICT_SHRINK && near(a.first, 0.49),
	      "most has been read before");
	cache_of(40, 40, 40, 40, 40);
	cache.shadow.rate = 256;
	check(judge() == VERDICT_SHRINK && near(a.first, 0),
	      "the largest has been full: what it missed it may have had");
	cache_of(100, 100, 100, 100, 110);
	judge();
	check(near(a.first, 0), "more hits than reads");
}

static void test_no_figures(void)
{
	cache_of(50, 70, 83, 84, 84.5);
	cache.shadow.reads = ADVICE_READS_MIN - 1;
	check(judge() == VERDICT_FEW && !a.curve.n && near(a.ratio, 0.7),
	      "too few reads, but what it does is known");
	cache_of(50, 70, 83, 84, 84.5);
	cache.recent[RX_LAST_1H].reads = 0;
	check(judge() == VERDICT_IDLE, "idle");
	cache.stats.reads = cache.shadow.reads = 0;
	check(judge() == VERDICT_UNUSED, "never used");
	cache.mode = RX_MODE_BYPASS;
	check(judge() == VERDICT_BYPASS, "bypassed");
	cache.state = RX_STATE_STARTING;
	check(judge() == VERDICT_NOT_ACTIVE, "not there yet");
	cache_of(50, 70, 83, 84, 84.5);
	cache.shadow.rate = RX_NONE;
	check(judge() == VERDICT_BLIND, "no shadow");
	cache_of(50, 70, 83, 84, 84.5);
	cache.shadow.points.n = 0;
	check(judge() == VERDICT_BLIND, "an empty one");
	cache_of(50, 70, 83, 84, 84.5);
	cache.size = 100 * GIB;
	check(judge() == VERDICT_BLIND, "one of other sizes");
	model_clear(RX_CACHE, &cache);
	cache.state = RX_STATE_ACTIVE;
	check(judge() != VERDICT_GROW, "nothing is known at all");
}

/* The shadow's absolute ratios may be wrong, so the advice scales the measured ratio. */
static void test_estimate(void)
{
	struct rx_points *points = &cache.shadow.points;
	struct rx_recent *last = &cache.recent[RX_LAST_1H];

	cache_of(60, 80, 90, 90, 95);
	last->read_hit = 12000;
	last->read_miss = 18000;
	judge();
	check(near(a.curve.at[1].ratio, 0.4) && near(a.curve.at[2].ratio, 0.7) &&
	      near(a.curve.at[4].ratio, 0.85),
	      "half and a quarter of the misses stay");
	check(near(a.curve.at[0].ratio, 0.3), "three quarters of the hits stay");
	last->read_miss = 12000;
	last->read_bypass = 6000;
	judge();
	check(near(a.curve.at[1].ratio, 0.4) && near(a.curve.at[2].ratio, 0.6),
	      "what goes past the cache always does");
	cache_of(60, 80, 110, 100, 100);
	last->read_hit = 28500;
	last->read_miss = 1500;
	judge();
	check(near(a.curve.at[2].ratio, 1), "no more than all");
	cache_of(0, 90, 90, 90, 90);
	judge();
	check(near(a.curve.at[0].ratio, 0), "no less than none");
	cache_of(0, 0, 50, 50, 50);
	last->read_hit = 3000;
	last->read_miss = 27000;
	judge();
	check(near(a.curve.at[0].ratio, 0.1) && near(a.curve.at[2].ratio, 0.55),
	      "a shadow without hits has no half of them");
	cache_of(100, 100, 100, 100, 100);
	last->read_hit = 27000;
	last->read_miss = 3000;
	judge();
	check(near(a.curve.at[4].ratio, 0.9), "nor one without misses");
	cache_of(50, 70, 83, 84, 84.5);
	cache.recent[RX_LAST_1H].read_hit = RX_NONE;
	judge();
	check(!a.lately && near(a.ratio, 0.8), "else that of all time");
	cache_of(50, 70, 83, 84, 84.5);
	points->at[points->n++] = (struct rx_point) { GIB, 0.75 * READS, RX_FLIPPED };
	points->at[points->n++] = (struct rx_point) { GIB, 0.705 * READS, RX_NO_SEQUENTIAL };
	judge();
	check(near(a.flipped, 0.75) && a.flip && near(a.sequential, 0.705) &&
	      !a.scanned, "settings that gain more than a point");
	cache.mode = RX_MODE_AROUND;
	judge();
	check(!a.flip, "write-allocate has no effect around");
	points->at[0].what = 77;
	judge();
	check(a.curve.n == 4 && !a.now, "what is not known is left out");
}

/* A backup has read 24 times as many blocks as all others, past the frozen cache. */
static void test_frozen(void)
{
	struct rx_recent *last = &cache.recent[RX_LAST_1H];

	cache_of(60, 71, 82, 83, 83.5);
	cache.stats.read_bypass_frozen = 1000000;
	last->read_bypass = 24 * 30000;
	check(judge() == VERDICT_GROW && a.best == 2 && !a.lately,
	      "what a frozen cache did not take is not held against it");
	check(near(a.ratio, 0.71) && near(a.curve.at[2].ratio, 0.82) &&
	      near(a.bypassed, 0), "the shadow rested meanwhile, and knows");
	last->read_bypass = 0;
	check(judge() == VERDICT_GROW && a.lately, "it was more than an hour ago");
	cache.stats.read_bypass_frozen = 200;
	last->read_bypass = 6000;
	check(judge() == VERDICT_GROW && a.lately && a.bypassed > 0.16,
	      "others are bypassed, and would be at any size");
	last->read_hit = RX_NONE;
	cache.stats.read_bypass_frozen = 1000000;
	check(judge() == VERDICT_GROW && near(a.ratio, 0.71),
	      "also if only the ratio of all time is known");
	cache.shadow.reads = ADVICE_READS_MIN - 1;
	check(judge() == VERDICT_FEW && a.ratio < 0, "else it is not known");
}

static void test_memory(void)
{
	cache_of(10, 20, 40, 60, 80);
	check(judge() == VERDICT_GROW && a.best == 4, "there is memory");
	memory = (struct rx_memory) { 16 * GIB, 5 * GIB, 0, 0 };
	check(judge() == VERDICT_GROW && a.best == 2 && a.wanted == 4,
	      "5 GiB and its own, less an eighth of 16, are not quite 4");
	memory.available = 6 * GIB;
	judge();
	check(a.best == 3, "with one more they are");
	memory.promised = GIB;
	judge();
	check(a.best == 2, "others will take it");
	memory.available = GIB;
	check(judge() == VERDICT_KEEP && a.best == 1 && !a.room,
	      "what it has it may keep");
	memory.available = RX_NONE;
	judge();
	check(a.best == 4 && a.room == RX_NONE, "it is not known");
	cache_of(10, 20, 40, 60, 80);
	cache.cached = GIB / 2;
	cache.stats.reclaim = GIB / 4096;
	check(judge() == VERDICT_KEEP && a.pressed && a.wanted == 4,
	      "the machine takes it back");
	cache.cached = GIB;
	check(judge() == VERDICT_GROW && !a.pressed, "it did, long ago");
	cache.stats.reclaim = 0;
	cache.cached = GIB / 2;
	cache.stats.read_bypass_memory = 1000;
	check(judge() == VERDICT_KEEP && a.pressed, "it has none to give");
}

/* The cache has a part of its disk, and others have the rest. */
static void test_shared(void)
{
	struct rx_recent *last = &cache.recent[RX_LAST_1H];

	cache_of(69.1, 70, 71, 71.5, 72);
	cache.sharers = 2;
	check(judge() == VERDICT_KEEP && a.best == 1,
	      "memory that this one has no use for may serve the others");
	cache.sharers = 1;
	check(judge() == VERDICT_SHRINK, "if there are others");
	cache_of(60, 80, 90, 90, 95);
	cache.sharers = 2;
	last->read_hit = 12000;
	last->read_miss = 18000;
	judge();
	check(near(a.ratio, 0.4) && near(a.curve.at[1].ratio, 0.8) &&
	      near(a.curve.at[2].ratio, 0.9), "the curve is of all the memory");
	last->read_miss = 12000;
	last->read_bypass = 6000;
	judge();
	check(near(a.curve.at[1].ratio, 0.8 * 0.8) && near(a.curve.at[2].ratio, 0.9 * 0.8) &&
	      near(a.curve.at[0].ratio, 0.6 * 0.8),
	      "and reads past the cache are no hits of it");
}

/* What the caches on the disk have together is what it has taken. */
static void test_beside(void)
{
	cache_of(10, 20, 40, 60, 80);
	cache.sharers = 2;
	cache.cached = GIB / 4;
	cache.recent[RX_LAST_1H].evict = 0;
	judge();
	check(!a.full, "a quarter of the disk is not all of it");
	memory.beside = 3 * (GIB / 4);
	judge();
	check(a.full, "with three quarters of another one it is");
	cache.stats.reclaim = GIB / 4096;
	judge();
	check(!a.pressed, "it has filled again");
	memory.beside = 0;
	judge();
	check(a.pressed, "or not");
	cache_of(10, 20, 40, 60, 80);
	cache.sharers = 2;
	cache.cached = GIB / 4;
	memory = (struct rx_memory) { 16 * GIB, 5 * GIB, 0, 3 * (GIB / 4) };
	judge();
	check(a.room > 3 * GIB + GIB / 2 && a.best == 2, "room is with what the others have");
	memory.beside = 4 * GIB;
	judge();
	check(a.room > 7 * GIB && a.best == 3, "which is memory of the disk");
}

static void test_max_share(void)
{
	cache_of(50, 70, 83, 84, 84.5);
	cache.max_share = GIB;
	judge();
	check(!a.limited && !a.at_max, "all of the disk is no bound");
	cache.max_share = GIB / 2;
	cache.cached = GIB / 2 - 4096;
	cache.recent[RX_LAST_1H].read_hit = 15000;
	cache.recent[RX_LAST_1H].read_miss = 15000;
	judge();
	check(a.limited && a.at_max && near(a.curve.at[1].ratio, 0.7),
	      "the curve is of a cache without a bound");
	cache.cached = GIB / 4;
	judge();
	check(a.limited && !a.at_max, "it has not reached it");
}

static void test_page_cache(void)
{
	cache_of(50, 70, 83, 84, 84.5);
	cache.stats.source_sampled = 1000;
	cache.stats.source_buffered = 900;
	check(judge() == VERDICT_PAGE_CACHE && a.best == a.now && a.wanted == 2,
	      "the page cache would do");
	memory.available = GIB;
	check(judge() == VERDICT_PAGE_CACHE, "with what this one has");
	memory.available = GIB - 1;
	check(judge() != VERDICT_PAGE_CACHE, "it does not fit there");
	memory.available = RX_NONE;
	check(judge() != VERDICT_PAGE_CACHE, "nobody knows");
	memory.available = 32 * GIB;
	cache.stats.source_buffered = 499;
	check(judge() == VERDICT_GROW, "direct reads");
	cache.stats.source_sampled = 63;
	cache.stats.source_buffered = 63;
	check(judge() == VERDICT_GROW, "too few were looked at");
}

static void test_gain(void)
{
	cache_of(50, 70, 80, 80, 80);
	cache.stats.read_full = 40000;
	memset(cache.latency, 0, sizeof(cache.latency));
	cache.latency[RX_TIME_HIT].bucket[4] = 1;
	cache.latency[RX_TIME_HIT].sum_ns = 1000;
	cache.latency[RX_TIME_MISS].bucket[16] = 1;
	cache.latency[RX_TIME_MISS].sum_ns = 3001000;
	cache.stats_age = 100 * 3600000000000;
	judge();
	check(near(a.gain_ns / 1e9, 30000 * 0.1 * 0.003), "time in an hour");
	cache.stats.read_bypass_frozen = cache.recent[RX_LAST_1H].read_bypass = 30000;
	check(judge() == VERDICT_GROW && a.gain_ns < 0,
	      "not of reads past a frozen cache");
	cache.stats.read_bypass_frozen = cache.recent[RX_LAST_1H].read_bypass = 0;
	cache.stats_age = 3600000000000;
	judge();
	check(a.gain_ns / 9e9 > 1.5 && a.gain_ns / 9e9 < 1.6,
	      "also if it was counted for one hour only");
	cache.latency[RX_TIME_MISS].sum_ns = 500;
	judge();
	check(a.gain_ns < 0, "an origin that is faster saves none");
}

int main(void)
{
	test_knee();
	test_verdicts();
	test_compressed();
	test_first_reads();
	test_no_figures();
	test_estimate();
	test_frozen();
	test_memory();
	test_shared();
	test_beside();
	test_max_share();
	test_page_cache();
	test_gain();
	return done();
}
