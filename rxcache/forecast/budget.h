/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The budget of read-ahead: a bound on what is read in vain. The odds (odds.h) are right on
 * average over all loads; the budget bounds each cache by itself, at any time.
 *
 * A block that is read ahead costs one block of credit, which comes back when a reader comes
 * to the block. So the bound needs no judgement of when a block is in vain. New credit is
 * earned in two accounts, and a block must be paid from both:
 * - @bytes earns a part of the blocks of reads, from the first one on that was no hit. It
 *   bounds the additional bytes that the origin reads.
 * - @share earns a part of the used blocks. It bounds the share that is in vain. It earns a
 *   trifle from all reads too, without which an empty account would stay empty.
 *
 * Neither account holds more than a part of the cache, so a good past pays for little. Both are
 * full at first. The lower the credit, the better a guess has to be: the worst guesses are
 * dropped first.
 *
 * Pure C, as odds.h.
 */
#ifndef _RXC_BUDGET_H
#define _RXC_BUDGET_H

#include <linux/types.h>

/* Credit is counted in 1/RXC_CREDIT blocks. These are the earnings from a block. */
enum {
	RXC_CREDIT		= 960,
	RXC_CREDIT_BYTES	= RXC_CREDIT / 12,
	RXC_CREDIT_SHARE	= RXC_CREDIT * 2 / 5,
	RXC_CREDIT_TRIFLE	= RXC_CREDIT / 240,
};

/**
 * struct rxc_budget - the credit of a cache
 * @most: the bound of each account
 * @bytes: account for the bytes of the origin
 * @share: account for the share in vain
 * @issued: number of blocks read ahead until the last call
 * @used: number of these to which a reader had come
 */
struct rxc_budget {
	s64 most;
	s64 bytes;
	s64 share;
	u64 issued;
	u64 used;
};

/* Begins for a cache of @blocks. */
void rxc_budget_init(struct rxc_budget *budget, u64 blocks);

/* The cache has as many blocks for itself from now on. */
void rxc_budget_bound(struct rxc_budget *budget, u64 blocks);

/*
 * Books a read of @blocks, from its first one on that was no hit. @issued and @used are the
 * present totals. Fewer may be issued than before, if the origin refused some.
 */
void rxc_budget_read(struct rxc_budget *budget, u64 blocks, u64 issued, u64 used);

/* Returns how many blocks may be read ahead now. */
u64 rxc_budget_room(const struct rxc_budget *budget);

/* Returns the sum of weights that a guess needs now, see rxc_odds_good(). */
int rxc_budget_bar(const struct rxc_budget *budget);

#endif
