// SPDX-License-Identifier: GPL-2.0-only
/* Streams: readers that go through neighbouring blocks. See streams.h. */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "forecast/streams.h"

enum {
	/* A stream may skip this many blocks, and may read this many once more. */
	SKIP_MAX	= 8,
	AGAIN_MAX	= 64,
	/* A reader that pauses for longer is not slow, but waits for something else. */
	PAUSE_NS	= 1000000000,
	/* The weight of the latest read in the pace is 1/PACE. */
	PACE		= 4,
};

/* The first and last block of a read as a stream counts them. */
struct span {
	s64 first;
	s64 last;
};

static struct span span_of(u64 first, u64 last, bool down)
{
	if (down)
		return (struct span){ -(s64)last, -(s64)first };
	return (struct span){ first, last };
}

static bool goes_on(const struct rxc_stream *stream, struct span span)
{
	return span.first <= stream->next + SKIP_MAX && span.last >= stream->next &&
	       span.first + AGAIN_MAX >= stream->next;
}

/* Whether a stream has read these blocks a moment ago, so that nothing is new. */
static bool has_read(const struct rxc_stream *stream, struct span span)
{
	return span.first >= stream->first && span.last < stream->next &&
	       stream->next - span.last <= 4 * AGAIN_MAX;
}

static struct rxc_stream *stream_oldest(struct rxc_stream *stream, unsigned int nr, u32 clock)
{
	struct rxc_stream *oldest = stream;
	unsigned int i;

	for (i = 1; i < nr && oldest->reads; i++)
		if (!stream[i].reads || clock - stream[i].seen > clock - oldest->seen)
			oldest = &stream[i];
	return oldest;
}

static void stream_begin(struct rxc_stream *stream, u64 first, u64 last)
{
	*stream = (struct rxc_stream){
		.first = first, .next = last + 1, .fetched = last + 1,
		.size = min_t(u64, last - first + 1, U32_MAX),
	};
}

/* Turns a stream of one read, so that it goes down. */
static void stream_turn(struct rxc_stream *stream)
{
	s64 first = stream->first;

	stream->down = true;
	stream->first = -(stream->next - 1);
	stream->next = -first + 1;
	stream->fetched = stream->next;
}

static void stream_pace(struct rxc_stream *stream, u64 blocks, u64 now)
{
	u64 pace = now - stream->at;

	if (!blocks || pace > PAUSE_NS)
		return;
	pace = div64_u64(pace, blocks) + 1;
	stream->pace = stream->pace ? stream->pace - stream->pace / PACE + pace / PACE : pace;
}

static void stream_step(struct rxc_stream *stream, struct span span, u64 now)
{
	stream_pace(stream, span.last + 1 - stream->next, now);
	stream->next = span.last + 1;
	stream->fetched = max(stream->fetched, stream->next);
}

/* Finds a stream of one read that goes on, up or down. */
static struct rxc_stream *fresh_find(struct rxc_streams *streams, u64 first, u64 last)
{
	struct rxc_stream *stream, turned;

	for (stream = streams->fresh; stream < streams->fresh + RXC_STREAMS_FRESH; stream++) {
		if (!stream->reads)
			continue;
		if (goes_on(stream, span_of(first, last, false)))
			return stream;
		turned = *stream;
		stream_turn(&turned);
		if (goes_on(&turned, span_of(first, last, true))) {
			*stream = turned;
			return stream;
		}
	}
	return NULL;
}

static struct rxc_stream *stream_find(struct rxc_streams *streams, u64 first, u64 last)
{
	struct rxc_stream *stream;

	for (stream = streams->stream; stream < streams->stream + RXC_STREAMS; stream++)
		if (stream->reads && goes_on(stream, span_of(first, last, stream->down)))
			return stream;
	return NULL;
}

static bool stream_repeats(struct rxc_streams *streams, u64 first, u64 last)
{
	struct rxc_stream *stream;

	for (stream = streams->stream; stream < streams->stream + RXC_STREAMS; stream++)
		if (stream->reads && has_read(stream, span_of(first, last, stream->down))) {
			stream->seen = streams->clock;
			return true;
		}
	return false;
}

struct rxc_stream *rxc_streams_read(struct rxc_streams *streams, u64 first, u64 last, u64 now)
{
	struct rxc_stream *stream = stream_find(streams, first, last), *fresh;

	streams->clock++;
	if (!stream) {
		fresh = fresh_find(streams, first, last);
		if (fresh) {
			stream = stream_oldest(streams->stream, RXC_STREAMS, streams->clock);
			*stream = *fresh;
			fresh->reads = 0;
		}
	}
	if (stream) {
		stream_step(stream, span_of(first, last, stream->down), now);
	} else {
		if (stream_repeats(streams, first, last))
			return NULL;
		stream = stream_oldest(streams->fresh, RXC_STREAMS_FRESH, streams->clock);
		stream_begin(stream, first, last);
	}
	if (stream->reads < U16_MAX)
		stream->reads++;
	stream->seen = streams->clock;
	stream->at = now;
	return stream;
}
