// SPDX-License-Identifier: GPL-2.0-only
/* Whether compression pays: trials, pauses, and what each is judged by. */
#include <linux/rxcache.h>

#include "packed/pays.h"
#include "rx_test.h"

#define V(verdict) RXCACHE_COMPRESS_VERDICT_##verdict

enum { BLOCKS = 1000 };

/*
 * What happens as a tenth of the blocks is replaced: 80 us for a miss, 2 us for a compressed
 * hit, 4 us of the packer for each miss, and half of the memory is saved.
 */
static const struct rxc_pay_sums usual = {
	.taken = 100, .tried = 40, .tried_bytes = 40 * 4096, .packed_bytes = 20 * 4096, .spent_ns = 400000,
	.hits = 100, .hit_ns = 200000, .misses = 100, .miss_ns = 8000000,
};

static struct rxc_pay_sums sums;

static bool lap(struct rxc_pays *pays, const struct rxc_pay_sums *step)
{
	sums.taken += step->taken;
	sums.tried += step->tried;
	sums.tried_bytes += step->tried_bytes;
	sums.packed_bytes += step->packed_bytes;
	sums.spent_ns += step->spent_ns;
	sums.hits += step->hits;
	sums.hit_ns += step->hit_ns;
	sums.misses += step->misses;
	sums.miss_ns += step->miss_ns;
	return rxc_pays_lap(pays, &sums, BLOCKS);
}

/* Returns how many laps told news. */
static unsigned int laps(struct rxc_pays *pays, unsigned int n, const struct rxc_pay_sums *step)
{
	unsigned int news = 0;

	while (n--)
		news += lap(pays, step);
	return news;
}

/* A cache in its first trial. What was before it is not to matter. */
static struct rxc_pays fresh(void)
{
	struct rxc_pays pays;

	sums = (struct rxc_pay_sums){ 1ULL << 60, 1ULL << 40, 1ULL << 50, 1ULL << 30, 1ULL << 61, 7, 1ULL << 59, 9, 1 };
	rxc_pays_begin(&pays);
	lap(&pays, &usual);
	return pays;
}

/* The verdict of a first trial, and of one that follows trials that paid. */
static void expect(const struct rxc_pay_sums *step, int first, int later, const char *what)
{
	struct rxc_pays pays = fresh();

	laps(&pays, 5, step);
	check(pays.verdict == first, "%s: at first", what);
	check(pays.on == (first == V(PAYS) || first == V(UNTRIED)), "%s: a pause follows what does not pay", what);
	pays = fresh();
	laps(&pays, 10, &usual);
	laps(&pays, 5, step);
	check(pays.verdict == later, "%s: later", what);
}

static void test_gain(void)
{
	struct rxc_pay_sums step = usual;

	expect(&step, V(PAYS), V(PAYS), "the usual");
	step.tried_bytes = 110;
	step.packed_bytes = 100;
	expect(&step, V(PAYS), V(PAYS), "a gain of a tenth");
	step.tried_bytes--;
	expect(&step, V(LITTLE_GAIN), V(PAYS), "a smaller gain");
	step.tried_bytes = 104;
	expect(&step, V(LITTLE_GAIN), V(LITTLE_GAIN), "less than a twentieth");
}

static void test_times(void)
{
	struct rxc_pay_sums step = usual;

	step.miss_ns = 8 * step.spent_ns;
	expect(&step, V(PAYS), V(PAYS), "the packer takes an eighth of the time of misses");
	step.miss_ns--;
	expect(&step, V(PROCESSOR), V(PAYS), "the packer takes more");
	step.miss_ns = 6 * step.spent_ns - 1;
	expect(&step, V(PROCESSOR), V(PROCESSOR), "the packer takes more than a sixth");
	step.misses = step.miss_ns = 0;
	expect(&step, V(PROCESSOR), V(PROCESSOR), "writes alone");
	step = usual;
	step.hit_ns = step.miss_ns / 8;
	expect(&step, V(PAYS), V(PAYS), "a hit takes an eighth of a miss");
	step.hit_ns += 100;
	expect(&step, V(FAST_ORIGIN), V(PAYS), "a hit takes more");
	step.hit_ns = step.miss_ns / 6 + 100;
	expect(&step, V(FAST_ORIGIN), V(FAST_ORIGIN), "a hit takes more than a sixth");
	step.hits = 12;
	expect(&step, V(PAYS), V(PAYS), "too few hits to tell their time");
}

/* A trial meets blocks that came in a pause, and one of a set that is overwritten has no misses. */
static void test_odd(void)
{
	struct rxc_pay_sums step = usual;
	struct rxc_pays pays = fresh();

	step.miss_ns = step.spent_ns;
	laps(&pays, 5, &step);
	check(pays.verdict == V(PROCESSOR), "the packer takes as long as misses");
	laps(&pays, 40, &usual);
	step = usual;
	step.tried *= 20;
	step.tried_bytes *= 20;
	step.packed_bytes *= 20;
	step.spent_ns *= 20;
	lap(&pays, &step);
	laps(&pays, 4, &usual);
	check(pays.on && pays.verdict == V(PAYS), "what came in the pause is not charged");
	step = (struct rxc_pay_sums){
		.taken = 100, .tried = 100, .tried_bytes = 400, .packed_bytes = 200, .spent_ns = 1000, .hits = 10, .hit_ns = 1,
	};
	laps(&pays, 5, &step);
	check(!pays.on && pays.verdict == V(PROCESSOR), "no misses, but overwrites");
	sums.taken += 1000;
	rxc_pays_lap(&pays, &sums, 0);
	check(!pays.on, "a drop of all blocks ends no pause");
}

static void test_course(void)
{
	struct rxc_pay_sums few = usual;
	struct rxc_pays pays = fresh();

	check(pays.automatic && pays.on && pays.verdict == V(UNTRIED), "begins with a trial");
	few.tried = 12;
	few.packed_bytes = few.tried_bytes;
	check(!laps(&pays, 5, &few) && pays.on && pays.verdict == V(UNTRIED), "a trial goes on until 64 were tried");
	check(lap(&pays, &few) && !pays.on && pays.verdict == V(LITTLE_GAIN), "then it is judged, and that is news");
	check(!laps(&pays, 39, &usual) && !pays.on, "a pause replaces all blocks four times");
	check(!lap(&pays, &usual) && pays.on && pays.verdict == V(UNTRIED), "another trial is no news");
	check(!laps(&pays, 4, &few) && pays.on, "a trial replaces half of the blocks");
	check(!laps(&pays, 2, &few) && !pays.on && pays.verdict == V(LITTLE_GAIN), "the same again is none either");
	laps(&pays, 40, &usual);
	check(laps(&pays, 5, &usual) == 1 && pays.on && pays.verdict == V(PAYS), "what has begun to pay is");
	check(!laps(&pays, 50, &usual) && pays.on && pays.verdict == V(PAYS), "and goes on");
	few = usual;
	few.packed_bytes = few.tried_bytes;
	check(laps(&pays, 5, &few) == 1 && !pays.on && pays.verdict == V(LITTLE_GAIN), "until it ceases");
}

int main(void)
{
	test_gain();
	test_times();
	test_odd();
	test_course();
	return done();
}
