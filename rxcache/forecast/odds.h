/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The odds that a block will be read soon, learned from what became of earlier guesses.
 *
 * A guess is a block with its signs, small numbers that say what speaks for it. Each value
 * of each sign has a weight, and a guess is good if its weights sum up to a bar of 0 or
 * more. A sample of the guesses, good or bad, is kept until the block is read, or another
 * guess takes its place. A guess that was right adds RXC_ODDS_RIGHT to its weights, another
 * one takes RXC_ODDS_WRONG off. So the sum is 0 where two guesses in three are right, and
 * guesses that are not good are judged, too, without any read of the origin.
 *
 * Weights stay as they are while the sum is far on the right side of 0, so that one load
 * does not take long to unlearn. This is the perceptron filter of Bhatia et al., "Perceptron-
 * Based Prefetch Filtering", ISCA 2019, with guesses of block ranges for those of cache lines.
 *
 * Pure C: the simulator and the unit tests run the same code. The caller serialises all
 * calls for one structure. No function sleeps or allocates.
 */
#ifndef _RXC_ODDS_H
#define _RXC_ODDS_H

#include <linux/types.h>

enum {
	RXC_SIGNS	= 4,		/* of a guess */
	RXC_SIGN_BITS	= 8,		/* of each */
	RXC_ODDS_RIGHT	= 1,
	RXC_ODDS_WRONG	= 2,
	/* Weights of a guess that was as good or bad as this do not change. */
	RXC_ODDS_SURE	= 20,
	RXC_ODDS_SET_BITS = 7,
	RXC_ODDS_SETS	= 1 << RXC_ODDS_SET_BITS,	/* of samples */
	RXC_ODDS_WAYS	= 4,
};

/* What made the guess. Each has weights of its own. */
enum rxc_guesser { RXC_GUESS_STREAM, RXC_GUESS_REGION, RXC_GUESSERS };

/**
 * struct rxc_guess - a block that may be read soon
 * @block: number of the block
 * @guesser: enum rxc_guesser
 * @sign: what speaks for it
 */
struct rxc_guess {
	u64 block;
	u8 guesser;
	u8 sign[RXC_SIGNS];
};

/**
 * struct rxc_sample - a guess that waits for its outcome
 * @guess: the guess
 * @age: guesses that came into its set since, up to 255
 * @used: there is one
 */
struct rxc_sample {
	struct rxc_guess guess;
	u8 age;
	bool used;
};

/**
 * struct rxc_odds - weights, and guesses whose outcome is not known yet
 * @weight: of each value of each sign
 * @sample: a set of samples for each hash of a block
 */
struct rxc_odds {
	s8 weight[RXC_GUESSERS][RXC_SIGNS][1 << RXC_SIGN_BITS];
	struct rxc_sample sample[RXC_ODDS_SETS][RXC_ODDS_WAYS];
};

/* All guesses are a little bad at first. */
void rxc_odds_init(struct rxc_odds *odds);

/*
 * Returns whether a guess is good: its weights sum up to @bar or more. Guesses that are nearly
 * always right come to RXC_ODDS_SURE, and only these.
 */
bool rxc_odds_good(const struct rxc_odds *odds, const struct rxc_guess *guess, int bar);

/* Keeps a guess until its outcome is known, unless there is one about its block. */
void rxc_odds_watch(struct rxc_odds *odds, const struct rxc_guess *guess);

/* A block is read that was not cached, or was read ahead. */
void rxc_odds_read(struct rxc_odds *odds, u64 block);

#endif
