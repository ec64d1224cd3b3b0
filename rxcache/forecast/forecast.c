// SPDX-License-Identifier: GPL-2.0-only
/* The forecast: which blocks of an origin will be read soon. See forecast.h. */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "forecast/forecast.h"

enum {
	/* Blocks for which a stream is read ahead however slow it is. */
	AHEAD_MIN	= 32,
	/* The same, in reads of the present size. */
	READS		= 8,
	/* Otherwise as many as it reads in this many times the origin's latency. */
	LATENCIES	= 4,
	/* Blocks of the origin that have one weight, as a power of two: 4 MiB of 4 KiB. */
	ZONE_BITS	= 10,
	/* Bounds of signs. */
	LENGTH_MAX	= 11,
	SIZE_MAX_	= 6,
};

size_t rxc_forecast_bytes(u64 blocks)
{
	return sizeof(struct rxc_forecast) +
	       (sizeof(struct rxc_region) << rxc_regions_bits(blocks));
}

void rxc_forecast_init(struct rxc_forecast *forecast, u64 blocks)
{
	memset(forecast, 0, rxc_forecast_bytes(blocks));
	rxc_odds_init(&forecast->odds);
	rxc_budget_init(&forecast->budget, blocks);
	forecast->regions.bits = rxc_regions_bits(blocks);
	forecast->most = 1 << RXC_AHEAD_BITS;
	forecast->blocks = U64_MAX;
}

/* The number of the highest bit of @n, at least 1, but no more than @most. */
static unsigned int bits_of(u64 n, unsigned int most)
{
	return min_t(unsigned int, fls64(n) - 1, most);
}

static u8 zone_of(u64 block)
{
	return (u32)(block >> ZONE_BITS) * 0x9e3779b1U >> (32 - RXC_SIGN_BITS);
}

/* How often a stream was read, in classes up to 5. */
static unsigned int reads_of(const struct rxc_stream *stream)
{
	return stream->reads <= 3 ? stream->reads - 1 : stream->reads < 8 ? 3 :
	       stream->reads < 16 ? 4 : 5;
}

/* Wishes for blocks, if there is room for all of them. Returns whether there is. */
static bool wish_for(struct rxc_wishes *wishes, u64 first, u64 last,
		     enum rxc_distance distance)
{
	struct rxc_wish *before = wishes->nr ? &wishes->wish[wishes->nr - 1] : NULL;
	bool beside = before && before->distance == distance;

	if (last - first + 1 > min(wishes->room[distance], wishes->credit))
		return false;
	if (beside && before->last + 1 == first)
		before->last = last;
	else if (beside && last + 1 == before->first)
		before->first = first;
	else if (wishes->nr < RXC_WISHES)
		wishes->wish[wishes->nr++] = (struct rxc_wish){ first, last, distance };
	else
		return false;
	wishes->room[distance] -= last - first + 1;
	wishes->credit -= last - first + 1;
	return true;
}

/* Returns whether a guess is good, and keeps it to learn from, unless the block is cached. */
static bool judge(struct rxc_forecast *forecast, const struct rxc_reading *reading,
		  const struct rxc_guess *guess, int bar)
{
	bool good = rxc_odds_good(&forecast->odds, guess, bar);

	if (!reading->cached(reading->arg, guess->block))
		rxc_odds_watch(&forecast->odds, guess);
	return good;
}

/* Wishes for blocks that were read when the region was last visited. */
static void region_guess(struct rxc_forecast *forecast, const struct rxc_reading *reading,
			 struct rxc_wishes *wishes)
{
	u64 block = reading->missed, begin = block & ~(u64)(RXC_REGION_BLOCKS - 1), left;
	const struct rxc_region *region = rxc_regions_find(&forecast->regions, block);
	unsigned int nr, again, matched, size, count, far, here, i;
	struct rxc_guess guess = { .guesser = RXC_GUESS_REGION };

	if (!region || !region->last)
		return;
	nr = hweight64(region->now);
	again = hweight64(region->now & region->last);
	matched = again * 4 / nr;
	count = min(nr, 4U) - 1;
	size = bits_of(hweight64(region->last), RXC_REGION_SHIFT);
	here = block - begin;
	for (left = (region->last | region->former) & ~region->now; left; left &= left - 1) {
		i = __ffs64(left);
		guess.block = begin + i;
		/* The origin may have become smaller since. */
		if (guess.block >= forecast->blocks)
			return;
		if (reading->cached(reading->arg, guess.block))
			continue;
		far = bits_of(i > here ? i - here : here - i, 5);
		guess.sign[0] = (rxc_region_seen(region, guess.block) * 5 + matched) * 4 + count;
		guess.sign[1] = zone_of(guess.block);
		guess.sign[2] = (rxc_region_seen(region, guess.block) * 8 + size) * 4 + count;
		guess.sign[3] = (rxc_region_seen(region, guess.block) * 8 + far) * 2 + (i < here);
		if (judge(forecast, reading, &guess, wishes->bar) &&
		    !wish_for(wishes, guess.block, guess.block, RXC_FAR))
			return;
	}
}

/* The number of blocks that a stream has before it, up to an end of the origin. */
static u64 stream_left(const struct rxc_forecast *forecast, const struct rxc_stream *stream)
{
	if (stream->down)
		return 1 - stream->next;
	return forecast->blocks > stream->next ? forecast->blocks - stream->next : 0;
}

/* How far a stream should be read ahead at most. */
static u64 stream_reach(const struct rxc_forecast *forecast, const struct rxc_stream *stream,
			const struct rxc_reading *reading)
{
	u64 reach = max_t(u64, AHEAD_MIN, READS * (reading->last - reading->first + 1));

	if (stream->pace)
		reach = max(reach, div64_u64(reading->latency * LATENCIES, stream->pace));
	return min3(reach, forecast->most, stream_left(forecast, stream));
}

/* A block of a stream, by its number as the origin counts it. */
static u64 stream_block(const struct rxc_stream *stream, s64 at)
{
	return stream->down ? -at : at;
}

static enum rxc_distance stream_distance(const struct rxc_stream *stream,
					 const struct rxc_reading *reading)
{
	if (stream->down || !reading->asked || stream->fetched != stream->next)
		return RXC_FAR;
	return RXC_NEAR;
}

static bool stream_wish(const struct rxc_stream *stream, s64 begin, s64 end,
			enum rxc_distance distance, struct rxc_wishes *wishes)
{
	if (stream->down)
		return wish_for(wishes, 1 - end, -begin, distance);
	return wish_for(wishes, begin, end - 1, distance);
}

/*
 * Wishes for what a stream comes to next, in pieces that double: a block, the next one, two,
 * four, and so on, as long as the guess of the middle of the piece is good. Nothing is wished
 * for until half of what was ahead last time has been read, so that the origin gets a few
 * large requests instead of many small ones.
 */
static void stream_guess(struct rxc_forecast *forecast, const struct rxc_reading *reading,
			 struct rxc_stream *stream, struct rxc_wishes *wishes)
{
	u64 reach = stream_reach(forecast, stream, reading), from, to;
	unsigned int length = bits_of(stream->next - stream->first, LENGTH_MAX);
	unsigned int size = bits_of(stream->size, SIZE_MAX_), far;
	struct rxc_guess guess = { .guesser = RXC_GUESS_STREAM };
	enum rxc_distance distance;
	s64 begin, end, middle, fetched;
	enum rxc_seen seen;

	/* Not all that was wished for has come. */
	if (reading->asked)
		stream->fetched = stream->next;
	fetched = stream->fetched;
	distance = stream_distance(stream, reading);
	if (fetched - stream->next > stream->window / 2)
		return;
	for (far = 0, from = 0; from < reach; far++, from = to) {
		to = min(1ULL << far, reach);
		begin = stream->next + from;
		end = stream->next + to;
		if (end <= stream->fetched)
			continue;
		middle = begin + ((end - begin) >> 1);
		guess.block = stream_block(stream, middle);
		seen = rxc_region_seen(rxc_regions_find(&forecast->regions, guess.block),
				       guess.block);
		guess.sign[0] = length * 16 + far;
		guess.sign[1] = size * 8 + reads_of(stream);
		guess.sign[2] = zone_of(guess.block);
		guess.sign[3] = (seen * 8 + min(far, 7U)) * 4 + min(reads_of(stream), 3U);
		if (!judge(forecast, reading, &guess, wishes->bar))
			break;
		begin = max(begin, stream->fetched);
		end = min(end, (s64)(begin + min(wishes->room[distance], wishes->credit)));
		if (begin == end || !stream_wish(stream, begin, end, distance, wishes))
			break;
		stream->fetched = end;
	}
	if (stream->fetched > fetched)
		stream->window = stream->fetched - stream->next;
}

void rxc_forecast_read(struct rxc_forecast *forecast, const struct rxc_reading *reading,
		       struct rxc_wishes *wishes)
{
	struct rxc_stream *stream;
	u64 block;

	wishes->nr = 0;
	memcpy(wishes->room, reading->room, sizeof(wishes->room));
	rxc_budget_read(&forecast->budget, reading->last - reading->missed + 1, reading->issued,
			reading->used);
	wishes->credit = rxc_budget_room(&forecast->budget);
	wishes->bar = rxc_budget_bar(&forecast->budget);
	for (block = reading->missed; block <= reading->last; block++)
		rxc_odds_read(&forecast->odds, block);
	rxc_regions_read(&forecast->regions, reading->missed, reading->last);
	stream = rxc_streams_read(&forecast->streams, reading->first, reading->last,
				  reading->now);
	if (stream)
		stream_guess(forecast, reading, stream, wishes);
	/* Later, because these are all far, and the origin comes to them in this order. */
	region_guess(forecast, reading, wishes);
}
