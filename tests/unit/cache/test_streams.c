// SPDX-License-Identifier: GPL-2.0-only
/* Streams: which reads go on with which reader. */
#include "forecast/streams.h"
#include "kernel.h"
#include "rx_test.h"

/* Of streams.c. */
enum { SKIP_MAX = 8, AGAIN_MAX = 64, PAUSE_NS = 1000000000 };

#define BLOCK_LAST	((1ULL << 48) - 1)

static struct rxc_streams streams;
static u64 seed = 1, now;

static u64 rnd(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 20) % below;
}

static void begin(void)
{
	memset(&streams, 0, sizeof(streams));
	now = 0;
}

static struct rxc_stream *look(u64 first, u64 last)
{
	return rxc_streams_read(&streams, first, last, now += 1000);
}

static struct rxc_stream *look_at(u64 block)
{
	return look(block, block);
}

static unsigned int reads_at(u64 block)
{
	struct rxc_stream *stream = look_at(block);

	return stream ? stream->reads : 0;
}

/* The number of streams that went on. */
static unsigned int streaming(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < RXC_STREAMS; i++)
		n += !!streams.stream[i].reads;
	return n;
}

static void test_up(void)
{
	struct rxc_stream *stream = NULL;
	unsigned int i;
	bool so = true;

	begin();
	for (i = 0; i < 100; i++) {
		stream = look(1000 + 4 * i, 1003 + 4 * i);
		so &= stream && stream->reads == i + 1 && !stream->down &&
		      stream->next == 1004 + 4 * i && stream->first == 1000 &&
		      stream->fetched == stream->next && stream->size == 4;
	}
	check(so, "a reader goes up");
	check(streaming() == 1, "and is one stream");
	stream->fetched = 2000;
	check(look(1400, 1403)->fetched == 2000, "what was fetched stays");
	check(look(1404, 2100)->fetched == 2101, "unless the reader is beyond it");
	for (i = 0; i < 70000; i++)
		stream = look_at(2101 + i);
	check(stream->reads == U16_MAX && stream->next == 2101 + 70000,
	      "the number of reads ends at its bound");
}

static void test_down(void)
{
	struct rxc_stream *stream;
	unsigned int i;
	bool so = true;

	begin();
	for (i = 0; i < 250; i++) {
		stream = look(1000 - 4 * i, 1003 - 4 * i);
		so &= stream && stream->reads == i + 1 && stream->down == (i > 0) &&
		      (!i || (stream->next == -(s64)(999 - 4 * i) && stream->first == -1003));
	}
	check(so, "a reader goes down");
	check(streaming() == 1, "and is one stream");
	stream = look(0, 3);
	check(stream && stream->next == 1 && stream->reads == 251, "down to block 0");
	check(!look(0, 3), "and no further");
}

/* Both ends of the numbers of blocks. */
static void test_ends(void)
{
	struct rxc_stream *stream;

	begin();
	check(reads_at(0) == 1 && reads_at(1) == 2 && reads_at(2) == 3, "a reader begins at block 0");
	begin();
	check(reads_at(2) == 1 && reads_at(1) == 2 && reads_at(0) == 3, "another one ends there");
	begin();
	check(reads_at(BLOCK_LAST - 2) == 1 && reads_at(BLOCK_LAST - 1) == 2, "the largest numbers");
	stream = look_at(BLOCK_LAST);
	check(stream && stream->next == 1LL << 48 && !stream->down, "up to the last one");
	begin();
	look_at(BLOCK_LAST);
	stream = look_at(BLOCK_LAST - 1);
	check(stream && stream->down && stream->next == -(s64)(BLOCK_LAST - 2),
	      "and down from there");
	begin();
	check(look(0, BLOCK_LAST)->size == U32_MAX, "a read of all of it");
}

static void test_gaps(void)
{
	unsigned int gap;

	for (gap = 0; gap <= SKIP_MAX + 1; gap++) {
		begin();
		look(100, 107);
		check((look_at(108 + gap)->reads == 2) == (gap <= SKIP_MAX), "up over %u blocks", gap);
		begin();
		look(100, 107);
		check((look_at(99 - gap)->reads == 2) == (gap <= SKIP_MAX), "down over %u blocks", gap);
	}
	begin();
	look(100, 107);
	look(108, 115);
	check(look(124, 131)->reads == 3 && look(141, 148)->reads == 1,
	      "a stream skips as many, and no more");
}

static void test_again(void)
{
	struct rxc_stream *stream;

	begin();
	look(100, 199);
	look(200, 299);
	check(!look(200, 299) && !look(100, 120) && !look_at(299), "reads again are no progress");
	stream = look(236, 310);
	check(stream && stream->reads == 3 && stream->next == 311, "a read of old and new ones is");
	check(look(311 - AGAIN_MAX, 320)->reads == 4, "with up to so many old ones");
	check(look(320 - AGAIN_MAX, 330)->reads == 1, "not with more");
	begin();
	look(5000, 5999);
	look(6000, 6999);
	check(look_at(6000)->reads == 1, "a read of what was read long ago begins anew");
	begin();
	look(7000, 7099);
	look(6900, 6999);
	check(!look(6900, 6999) && !look(7000, 7050), "the same for one that goes down");
	check(look(6890, 6920)->reads == 3, "and comes to new ones");
}

static void test_many(void)
{
	unsigned int i, n;
	bool so = true;

	begin();
	for (n = 0; n < 50; n++)
		for (i = 0; i < RXC_STREAMS; i++)
			so &= reads_at(1000000ULL * (i + 1) + (i % 2 ? n : -(s64)n)) == n + 1;
	check(so, "%u readers at once, up and down", RXC_STREAMS);
	check(streaming() == RXC_STREAMS, "are as many streams");
	look_at(99000000);
	check(reads_at(99000001) == 2 && streaming() == RXC_STREAMS, "one more takes a place");
	check(reads_at(1000000 - 50) == 1, "that of the one that was seen first");
	for (so = true, i = 1; i < RXC_STREAMS; i++)
		so &= reads_at(1000000ULL * (i + 1) + (i % 2 ? 50 : -50)) == 51;
	check(so, "and no other");
}

static void test_random(void)
{
	unsigned int n, i;
	bool so = true;

	begin();
	for (n = 0; n < 200; n++) {
		for (i = 0; i < 4; i++)
			so &= reads_at((1ULL << 45) * (i + 1) + n) == n + 1;
		/* Where a stream begins, it has to go on within as many reads. */
		for (i = 0; n && i < 1000; i++)
			look_at(rnd(1ULL << 44));
	}
	check(so, "random reads take no stream's place");
	check(streaming() == 4, "and are no streams");
	begin();
	look_at(500);
	for (i = 1; i < RXC_STREAMS_FRESH; i++)
		look_at(1000000 + rnd(1ULL << 44));
	check(reads_at(501) == 2, "a first read waits for as many others");
	begin();
	look_at(500);
	for (i = 0; i < RXC_STREAMS_FRESH; i++)
		look_at(1000000 + rnd(1ULL << 44));
	check(reads_at(501) == 1, "and no longer");
}

/* The clock of reads has 32 bits. */
static void test_wrap(void)
{
	unsigned int i, n;
	bool so = true;

	begin();
	streams.clock = U32_MAX - 2 * RXC_STREAMS - 20;
	for (n = 0; n < 4; n++)
		for (i = 0; i < RXC_STREAMS; i++)
			so &= reads_at(1000000ULL * (i + 1) + n) == n + 1;
	check(so && streams.clock < 1000, "the clock wraps");
	/* The streams up to 16 were seen last, after the wrap, and the others before it. */
	begin();
	streams.clock = U32_MAX - 2 * RXC_STREAMS;
	for (n = 0; n < 2; n++)
		for (i = 0; i < RXC_STREAMS; i++)
			look_at(1000000ULL * (i + 1) + n);
	for (i = 0; i < RXC_STREAMS / 2; i++)
		look_at(1000000ULL * (i + 1) + 2);
	check(streams.clock < RXC_STREAMS, "the clock has wrapped");
	look_at(99000000);
	look_at(99000001);
	for (i = 0; i < RXC_STREAMS / 2; i++)
		so &= reads_at(1000000ULL * (i + 1) + 3) == 4;
	check(so && reads_at(1000000ULL * (RXC_STREAMS / 2 + 1) + 2) == 1,
	      "the oldest one makes room, though its time is the larger number");
}

static void test_pace(void)
{
	struct rxc_stream *stream = NULL;
	unsigned int i;
	u64 pace;

	begin();
	stream = rxc_streams_read(&streams, 10, 19, 5000);
	check(stream->at == 5000 && !stream->pace, "the first read has no pace");
	stream = rxc_streams_read(&streams, 20, 29, 25000);
	check(stream->at == 25000 && stream->pace > 1990 && stream->pace < 2010,
	      "the second one has: %u", (unsigned int)stream->pace);
	for (i = 0; i < 100; i++)
		stream = rxc_streams_read(&streams, 30 + i, 30 + i, 35000 + 10000 * i);
	check(stream->pace > 9900 && stream->pace < 10100, "it follows: %u",
	      (unsigned int)stream->pace);
	pace = stream->pace;
	stream = rxc_streams_read(&streams, 130, 130, stream->at + 20000);
	check(stream->pace > pace && stream->pace < pace + 5000, "slowly: %u",
	      (unsigned int)stream->pace);
	pace = stream->pace;
	stream = rxc_streams_read(&streams, 131, 131, stream->at + PAUSE_NS + 1);
	check(stream->pace == pace, "a pause is no pace");
	stream = rxc_streams_read(&streams, 132, 132, stream->at - 1000);
	check(stream->pace == pace, "nor is a clock that goes back");
	for (i = 0; i < 100; i++)
		stream = rxc_streams_read(&streams, 133 + i, 133 + i, stream->at);
	check(stream->pace && stream->pace < 10, "a reader without a pause has a pace: %u",
	      (unsigned int)stream->pace);
	begin();
	rxc_streams_read(&streams, 10, 19, 5000);
	check(rxc_streams_read(&streams, 20, 29, 5000)->pace == 1, "from the beginning, too");
}

int main(void)
{
	test_up();
	test_down();
	test_ends();
	test_gaps();
	test_again();
	test_many();
	test_random();
	test_wrap();
	test_pace();
	return done();
}
