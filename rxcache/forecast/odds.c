// SPDX-License-Identifier: GPL-2.0-only
/* The odds that a block will be read soon. See odds.h. */
#include <linux/minmax.h>
#include <linux/string.h>
#include "forecast/odds.h"

enum {
	WEIGHT_MAX	= 64,
	WEIGHT_START	= -4,
	AGE_MAX		= 255,
};

void rxc_odds_init(struct rxc_odds *odds)
{
	memset(odds, 0, sizeof(*odds));
	memset(odds->weight, WEIGHT_START, sizeof(odds->weight));
}

static int odds_sum(const struct rxc_odds *odds, const struct rxc_guess *guess)
{
	int i, sum = 0;

	for (i = 0; i < RXC_SIGNS; i++)
		sum += odds->weight[guess->guesser][i][guess->sign[i]];
	return sum;
}

bool rxc_odds_good(const struct rxc_odds *odds, const struct rxc_guess *guess, int bar)
{
	return odds_sum(odds, guess) >= bar;
}

/* Learns from the outcome of a guess. */
static void odds_learn(struct rxc_odds *odds, const struct rxc_guess *guess, bool right)
{
	int i, sum = odds_sum(odds, guess);
	s8 *weight;

	if (right ? sum >= RXC_ODDS_SURE : sum < -RXC_ODDS_SURE)
		return;
	for (i = 0; i < RXC_SIGNS; i++) {
		weight = &odds->weight[guess->guesser][i][guess->sign[i]];
		if (right)
			*weight = min(*weight + RXC_ODDS_RIGHT, WEIGHT_MAX);
		else
			*weight = max(*weight - RXC_ODDS_WRONG, -WEIGHT_MAX);
	}
}

static struct rxc_sample *odds_set(struct rxc_odds *odds, u64 block)
{
	/*
	 * The upper bits of a product are best, but blocks at even distances, as a reader of
	 * large records guesses them, would share few sets after one multiplication.
	 */
	block *= 0xd6e8feb86659fd93ULL;
	block ^= block >> 32;
	block *= 0xd6e8feb86659fd93ULL;
	return odds->sample[block >> (64 - RXC_ODDS_SET_BITS)];
}

static struct rxc_sample *odds_find(struct rxc_odds *odds, u64 block)
{
	struct rxc_sample *set = odds_set(odds, block);
	unsigned int way;

	for (way = 0; way < RXC_ODDS_WAYS; way++)
		if (set[way].used && set[way].guess.block == block)
			return &set[way];
	return NULL;
}

void rxc_odds_watch(struct rxc_odds *odds, const struct rxc_guess *guess)
{
	struct rxc_sample *set = odds_set(odds, guess->block), *oldest = set;
	unsigned int way;

	if (odds_find(odds, guess->block))
		return;
	for (way = 0; way < RXC_ODDS_WAYS; way++) {
		if (set[way].age < AGE_MAX)
			set[way].age++;
		if (oldest->used && (!set[way].used || set[way].age > oldest->age))
			oldest = &set[way];
	}
	if (oldest->used)
		odds_learn(odds, &oldest->guess, false);
	oldest->guess = *guess;
	oldest->age = 0;
	oldest->used = true;
}

void rxc_odds_read(struct rxc_odds *odds, u64 block)
{
	struct rxc_sample *sample = odds_find(odds, block);

	if (!sample)
		return;
	odds_learn(odds, &sample->guess, true);
	sample->used = false;
}
