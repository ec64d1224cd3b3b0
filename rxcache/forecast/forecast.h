/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forecast: which blocks of an origin will be read soon. Streams (streams.h) and regions
 * (regions.h) make guesses, and the odds (odds.h) choose among these.
 *
 * Only reads that were not hits are told to the forecast, and reads of blocks that were read
 * ahead, each the first of its block. So hits cost nothing more.
 *
 * The budget (budget.h) bounds how much of it is in vain.
 *
 * Near read-ahead begins where the reader's own request to the origin ends, so that a disk
 * goes on without seeking. All other read-ahead is far. It has a limit of its own, see
 * throttle.h.
 *
 * Pure C, as odds.h.
 */
#ifndef _RXC_FORECAST_H
#define _RXC_FORECAST_H

#include <linux/types.h>
#include "forecast/budget.h"
#include "forecast/odds.h"
#include "forecast/regions.h"
#include "forecast/streams.h"

enum {
	/* The most ranges of blocks that one read can wish for. */
	RXC_WISHES	= 16,
	/* A stream is read ahead by up to this many blocks, as a power of two. */
	RXC_AHEAD_BITS	= 10,
};

enum rxc_distance { RXC_NEAR, RXC_FAR, RXC_DISTANCES };

/**
 * struct rxc_forecast - what is known of the readers of an origin
 * @most: a stream is read ahead by up to this many blocks; at least 1
 * @blocks: of the origin; what lies behind its end is not wished for
 */
struct rxc_forecast {
	struct rxc_streams streams;
	struct rxc_odds odds;
	struct rxc_budget budget;
	u64 most;
	u64 blocks;
	struct rxc_regions regions;
};

/**
 * struct rxc_reading - a read
 * @first: first block
 * @missed: the first of the blocks that were not cached, or were read ahead and are read
 *	for the first time
 * @last: last block
 * @now: time in ns
 * @latency: ns that the origin takes for a read, on average
 * @room: blocks that may be read ahead now, near and far. No more are wished for, so that
 *	all that is wished for is read, and what a stream has fetched is known
 * @issued: blocks that were read ahead so far
 * @used: of these, blocks to which a reader has come
 * @asked: the origin was asked for @last just now
 * @cached: returns whether the cache has a block; gets @arg
 */
struct rxc_reading {
	u64 first;
	u64 missed;
	u64 last;
	u64 now;
	u64 latency;
	u64 room[RXC_DISTANCES];
	u64 issued;
	u64 used;
	bool asked;
	bool (*cached)(void *arg, u64 block);
	void *arg;
};

/* Blocks from @first to @last that should be read ahead. */
struct rxc_wish {
	u64 first;
	u64 last;
	enum rxc_distance distance;
};

/**
 * struct rxc_wishes - what a read wishes for
 * @nr: number of wishes
 * @room: blocks that may still be wished for, near and far
 * @credit: the same for both together, see budget.h
 * @bar: the sum of weights that a good guess needs
 * @wish: the wishes, in the order in which they should be read
 */
struct rxc_wishes {
	unsigned int nr;
	u64 room[RXC_DISTANCES];
	u64 credit;
	int bar;
	struct rxc_wish wish[RXC_WISHES];
};

/* The bytes of a forecast for a cache of @blocks. */
size_t rxc_forecast_bytes(u64 blocks);

/* Begins in memory of rxc_forecast_bytes(@blocks). */
void rxc_forecast_init(struct rxc_forecast *forecast, u64 blocks);

/* Tells of a read. *@wishes are blocks that should be read ahead now; some may be cached. */
void rxc_forecast_read(struct rxc_forecast *forecast, const struct rxc_reading *reading,
		       struct rxc_wishes *wishes);

#endif
