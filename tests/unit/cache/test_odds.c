// SPDX-License-Identifier: GPL-2.0-only
/* The odds of guesses: what they learn from guesses that were right and wrong. */
#include "forecast/odds.h"
#include "kernel.h"
#include "rx_test.h"

enum { WEIGHT_MAX = 64 };

static struct rxc_odds odds;
static u64 seed = 1, next_block;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

/* A guess of a block that has not been guessed before. */
static struct rxc_guess guess_of(unsigned int guesser, u8 sign)
{
	return (struct rxc_guess){
		.block = next_block++, .guesser = guesser, .sign = { sign, sign, sign, sign },
	};
}

static bool passes(unsigned int guesser, u8 sign, int bar)
{
	struct rxc_guess guess = guess_of(guesser, sign);

	return rxc_odds_good(&odds, &guess, bar);
}

static bool good(unsigned int guesser, u8 sign)
{
	return passes(guesser, sign, 0);
}

/* Watches a guess that turns out right: its block is read. */
static void right(unsigned int guesser, u8 sign)
{
	struct rxc_guess guess = guess_of(guesser, sign);

	rxc_odds_watch(&odds, &guess);
	rxc_odds_read(&odds, guess.block);
}

/* Finds another block that has the samples of @block. */
static u64 neighbour_of(u64 block)
{
	struct rxc_odds *probe = calloc(1, sizeof(*probe));
	struct rxc_guess guess = { .block = block };
	unsigned int way, n, set = 0;
	u64 other = block;

	rxc_odds_watch(probe, &guess);
	while (!probe->sample[set][0].used)
		set++;
	for (n = 1; n < 2;) {
		guess.block = ++other;
		rxc_odds_watch(probe, &guess);
		for (way = n = 0; way < RXC_ODDS_WAYS; way++)
			n += probe->sample[set][way].used;
	}
	free(probe);
	return other;
}

/*
 * Watches a guess that turns out wrong: other guesses push it out of its set. These have
 * signs of their own, and are right.
 */
static void wrong(unsigned int guesser, u8 sign)
{
	struct rxc_guess guess = guess_of(guesser, sign), other = guess;
	unsigned int way;

	rxc_odds_watch(&odds, &guess);
	memset(other.sign, 255, sizeof(other.sign));
	for (way = 0; way < RXC_ODDS_WAYS; way++) {
		other.block = neighbour_of(other.block);
		rxc_odds_watch(&odds, &other);
	}
	for (other.block = guess.block; way--;) {
		other.block = neighbour_of(other.block);
		rxc_odds_read(&odds, other.block);
	}
	next_block = other.block + 1;
}

static void test_start(void)
{
	unsigned int sign, guesser, bad = 0;

	rxc_odds_init(&odds);
	for (guesser = 0; guesser < RXC_GUESSERS; guesser++)
		for (sign = 0; sign < 256; sign++)
			bad += !good(guesser, sign);
	check(bad == RXC_GUESSERS * 256, "all guesses are bad at first");
}

static void test_learn(void)
{
	unsigned int n, m;

	rxc_odds_init(&odds);
	for (n = 0; n < 100 && !good(RXC_GUESS_STREAM, 7); n++)
		right(RXC_GUESS_STREAM, 7);
	check(n >= 2 && n <= 8, "a guess is good after it was right %u times", n);
	check(!good(RXC_GUESS_STREAM, 8), "one with other signs is not");
	check(!good(RXC_GUESS_REGION, 7), "nor is that of another guesser");
	for (; n < 1000; n++)
		right(RXC_GUESS_STREAM, 7);
	for (n = 0; n < 100 && good(RXC_GUESS_STREAM, 7); n++)
		wrong(RXC_GUESS_STREAM, 7);
	check(n >= 2 && n <= 4, "and bad after it was wrong %u times, however long it was good", n);
	for (m = 0; m < 1000; m++)
		wrong(RXC_GUESS_STREAM, 7);
	for (n = 0; n < 100 && !good(RXC_GUESS_STREAM, 7); n++)
		right(RXC_GUESS_STREAM, 7);
	check(n >= 5 && n <= 12, "and good after %u times, however long it was bad", n);
}

/* Returns in how many of 1000 a guess passes the bar that is right @percent of 100 times. */
static unsigned int passes_at(unsigned int percent, int bar)
{
	unsigned int n, so = 0, rounds = 20000;

	rxc_odds_init(&odds);
	for (n = 0; n < rounds; n++) {
		if (rnd(100) < percent)
			right(RXC_GUESS_REGION, 3);
		else
			wrong(RXC_GUESS_REGION, 3);
		so += passes(RXC_GUESS_REGION, 3, bar);
	}
	return so * 1000ULL / rounds;
}

static void test_balance(void)
{
	unsigned int at50 = passes_at(50, 0), at60 = passes_at(60, 0), at67 = passes_at(67, 0);
	unsigned int at75 = passes_at(75, 0), at95 = passes_at(95, 0);

	check(at50 < 50, "right in half of the cases: good in %u of 1000", at50);
	check(at60 < 350, "in 60 %%: in %u", at60);
	check(at67 > at60 && at67 < at75 && at67 > 300 && at67 < 700, "in 67 %%: in %u", at67);
	check(at75 > 650, "in 75 %%: in %u", at75);
	check(at95 > 980, "in 95 %%: in %u", at95);
}

static void test_bar(void)
{
	unsigned int at67 = passes_at(67, RXC_ODDS_SURE), at80 = passes_at(80, RXC_ODDS_SURE), at100 = passes_at(100, RXC_ODDS_SURE);

	check(at67 < 200 && at80 < 600 && at80 > at67,
	      "a high bar: right in 67 %%: good in %u of 1000, in 80 %%: in %u", at67, at80);
	check(at100 > 990, "always right: in %u", at100);
}

static int weight(unsigned int guesser, u8 sign)
{
	return odds.weight[guesser][0][sign];
}

static void test_once(void)
{
	struct rxc_guess guess, other;
	int before;

	rxc_odds_init(&odds);
	guess = guess_of(RXC_GUESS_STREAM, 1);
	before = weight(RXC_GUESS_STREAM, 1);
	rxc_odds_watch(&odds, &guess);
	rxc_odds_watch(&odds, &guess);
	other = guess;
	memset(other.sign, 2, sizeof(other.sign));
	rxc_odds_watch(&odds, &other);
	rxc_odds_read(&odds, guess.block);
	check(weight(RXC_GUESS_STREAM, 1) == before + RXC_ODDS_RIGHT,
	      "a block that is guessed several times is one sample");
	check(weight(RXC_GUESS_STREAM, 2) == before, "that of the first guess");
	rxc_odds_read(&odds, guess.block);
	rxc_odds_read(&odds, guess.block + 1);
	check(weight(RXC_GUESS_STREAM, 1) == before + RXC_ODDS_RIGHT,
	      "only the first read of it counts");
}

/* One block more than the set of the first one has room for, and then another read of a block. */
static void test_oldest(void)
{
	struct rxc_guess guess = { .guesser = RXC_GUESS_STREAM };
	u64 block[RXC_ODDS_WAYS + 1];
	unsigned int i, kept = 0;
	int before;

	rxc_odds_init(&odds);
	before = weight(RXC_GUESS_STREAM, 0);
	for (i = 0; i <= RXC_ODDS_WAYS; i++) {
		block[i] = i ? neighbour_of(block[i - 1]) : 1234;
		guess.block = block[i];
		memset(guess.sign, 10 + i, sizeof(guess.sign));
		rxc_odds_watch(&odds, &guess);
		if (i == RXC_ODDS_WAYS - 1)
			check(weight(RXC_GUESS_STREAM, 10) == before,
			      "a guess waits while there is room");
	}
	check(weight(RXC_GUESS_STREAM, 10) == before - RXC_ODDS_WRONG,
	      "the oldest one makes room, and was wrong");
	for (i = 0; i <= RXC_ODDS_WAYS; i++) {
		rxc_odds_read(&odds, block[i]);
		kept += weight(RXC_GUESS_STREAM, 10 + i) == before + RXC_ODDS_RIGHT;
	}
	check(kept == RXC_ODDS_WAYS, "all younger ones wait: %u", kept);
	check(weight(RXC_GUESS_STREAM, 10) == before - RXC_ODDS_WRONG,
	      "a read that comes too late changes nothing");
}

/* The place of a guess that was right is taken first, and then those of others by their age. */
static void test_order(void)
{
	struct rxc_guess guess = { .guesser = RXC_GUESS_STREAM, .block = 1234 };
	u64 block[RXC_ODDS_WAYS + 3];
	unsigned int i;
	int before;

	rxc_odds_init(&odds);
	before = weight(RXC_GUESS_STREAM, 0);
	for (i = 0; i < RXC_ODDS_WAYS + 3; i++, guess.block = neighbour_of(guess.block)) {
		block[i] = guess.block;
		memset(guess.sign, 10 + i, sizeof(guess.sign));
		rxc_odds_watch(&odds, &guess);
		if (i == RXC_ODDS_WAYS + 1)
			rxc_odds_read(&odds, block[i]);
	}
	check(weight(RXC_GUESS_STREAM, 11) == before - RXC_ODDS_WRONG &&
	      weight(RXC_GUESS_STREAM, 10 + RXC_ODDS_WAYS) == before, "the next oldest is next");
	check(weight(RXC_GUESS_STREAM, 12) == before,
	      "a guess takes the place of one that was right, before any other");
}

/* Weights that many guesses share, with other signs in each. */
static void test_bounds(bool right_ones)
{
	struct rxc_guess guess;
	int most = 0, least = 0, w;
	unsigned int n, sign;

	rxc_odds_init(&odds);
	for (n = 0; n < 300000; n++) {
		guess = guess_of(RXC_GUESS_REGION, 0);
		for (sign = 1; sign < RXC_SIGNS; sign++)
			guess.sign[sign] = rnd(256);
		rxc_odds_watch(&odds, &guess);
		/* The first sign is good, if the others are not good enough by themselves. */
		if (right_ones == (guess.sign[1] < 192))
			rxc_odds_read(&odds, guess.block);
		w = weight(RXC_GUESS_REGION, 0);
		most = max(most, w);
		least = min(least, w);
	}
	check(most <= WEIGHT_MAX && least >= -WEIGHT_MAX && (most > 10 || least < -10),
	      "a weight stays in its bounds: %d to %d", least, most);
}

/* A weight would grow forever if the others made the sum low by themselves. */
static void test_limit(int others, bool is_right)
{
	struct rxc_guess guess;
	unsigned int n, i;
	int w;

	rxc_odds_init(&odds);
	for (n = 0; n < 1000; n++) {
		for (i = 1; i < RXC_SIGNS; i++)
			odds.weight[RXC_GUESS_STREAM][i][0] = others;
		if (is_right) {
			right(RXC_GUESS_STREAM, 0);
		} else {
			guess = guess_of(RXC_GUESS_STREAM, 0);
			rxc_odds_watch(&odds, &guess);
		}
	}
	w = weight(RXC_GUESS_STREAM, 0);
	check(w == (is_right ? WEIGHT_MAX : -WEIGHT_MAX), "a weight comes up to its bound: %d", w);
}

/* Blocks at even distances use about as many sets as random ones, which are 5/8 of all. */
static void test_spread(unsigned int shift)
{
	struct rxc_guess guess = { .guesser = RXC_GUESS_STREAM };
	unsigned int set, used = 0;
	u64 n;

	rxc_odds_init(&odds);
	for (n = 0; n < RXC_ODDS_SETS; n++) {
		guess.block = n << shift;
		rxc_odds_watch(&odds, &guess);
	}
	for (set = 0; set < RXC_ODDS_SETS; set++)
		used += odds.sample[set][0].used;
	check(used > RXC_ODDS_SETS * 2 / 5, "blocks that are 2^%u apart use %u sets", shift, used);
}

int main(void)
{
	unsigned int shift;

	test_start();
	test_learn();
	test_balance();
	test_bar();
	test_once();
	test_oldest();
	test_order();
	test_bounds(true);
	test_bounds(false);
	test_limit(-WEIGHT_MAX, true);
	test_limit(WEIGHT_MAX, false);
	for (shift = 0; shift <= 41; shift++)
		test_spread(shift);
	return done();
}
