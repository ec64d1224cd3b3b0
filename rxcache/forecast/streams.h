/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: readers that go through neighbouring blocks, up or down, each at its own pace and
 * mixed with others. Only reads that were not hits are seen, and the first reads of blocks
 * that were read ahead. So a stream may skip a few blocks, because these were cached.
 *
 * A first read begins a stream of its own. As most reads are no stream, those of one read
 * take the places of each other, and never those of streams that went on.
 *
 * Pure C, as odds.h.
 */
#ifndef _RXC_STREAMS_H
#define _RXC_STREAMS_H

#include <linux/types.h>

enum { RXC_STREAMS = 32, RXC_STREAMS_FRESH = 64 };

/**
 * struct rxc_stream - a reader
 * @next: the block that it comes to next. Numbers of blocks of a stream that goes down are
 *	negated, so that all streams go up
 * @first: the block that it began with
 * @fetched: up to before this block, all was asked for, by the reader or by read-ahead
 * @window: how many blocks were ahead of it when it last wished for some
 * @size: blocks of its first read
 * @reads: number of its reads, up to U16_MAX; 0: there is no stream
 * @down: it goes down
 * @seen: when it was last seen, in reads of all streams
 * @at: when it was last seen, in ns
 * @pace: ns that it takes for a block; 0: not known yet
 */
struct rxc_stream {
	s64 next;
	s64 first;
	s64 fetched;
	u64 window;
	u32 size;
	u16 reads;
	bool down;
	u32 seen;
	u64 at;
	u64 pace;
};

/**
 * struct rxc_streams - the readers of a cache
 * @clock: reads so far
 * @stream: those that went on
 * @fresh: those of one read
 */
struct rxc_streams {
	u32 clock;
	struct rxc_stream stream[RXC_STREAMS];
	struct rxc_stream fresh[RXC_STREAMS_FRESH];
};

/*
 * Finds the stream that reads the blocks from @first to @last at @now, in ns, and moves it
 * on; or begins one. Returns NULL if a stream has read these blocks before.
 */
struct rxc_stream *rxc_streams_read(struct rxc_streams *streams, u64 first, u64 last,
				    u64 now);

#endif
