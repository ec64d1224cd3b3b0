// SPDX-License-Identifier: GPL-2.0-only
/* The forecast: what is read ahead of readers of several kinds, and what is not. */
#include "forecast/forecast.h"
#include "kernel.h"
#include "rx_test.h"

/* The origin; its cache has room for all of it. AHEAD_MIN and READS are those of forecast.c. */
enum { BLOCKS = 1 << 20, AHEAD_MIN = 32, READS = 8 };

enum { NOT_CACHED, READ, UNREAD };

static unsigned char *cache;
static struct rxc_forecast *forecast;
static struct rxc_wishes wishes;
static u64 seed = 1, now, latency;
static u64 issued, come;		/* blocks read ahead since the beginning, and those used */
static u64 wished, missed, used, ahead;	/* blocks: of all wishes, read from the origin, by read-ahead; wished for */
static u64 reach;		/* the largest distance of a wish from the reader */
static bool within;		/* all wishes are for blocks of the origin, and not too many */

static u64 rnd(u64 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 20) % below;
}

static bool is_cached(void *arg, u64 block)
{
	return ((unsigned char *)arg)[block] != NOT_CACHED;
}

static void count_anew(void)
{
	wished = missed = used = ahead = reach = 0;
}

static void begin(u64 blocks)
{
	free(forecast);
	free(cache);
	forecast = malloc(rxc_forecast_bytes(blocks));
	cache = calloc(BLOCKS, 1);
	if (!forecast || !cache)
		exit(1);
	memset(forecast, 0xa5, rxc_forecast_bytes(blocks));
	rxc_forecast_init(forecast, blocks);
	forecast->blocks = BLOCKS;
	now = 0;
	latency = 0;
	issued = come = 0;
	within = true;
	count_anew();
}

static void flush(void)
{
	memset(cache, NOT_CACHED, BLOCKS);
}

/* Blocks of a wish are read ahead at once. */
static void fulfil(const struct rxc_wish *wish, u64 first, u64 last)
{
	u64 block;

	wished += wish->last - wish->first + 1;
	within &= wish->first <= wish->last && wish->last < forecast->blocks;
	for (block = wish->first; within && block <= wish->last; block++) {
		if (cache[block] == NOT_CACHED) {
			ahead++;
			issued++;
			cache[block] = UNREAD;
		}
		if (block > last)
			reach = max(reach, block - last);
		else if (block < first)
			reach = max(reach, first - block);
	}
}

/* Reads blocks as the cache does: the forecast is told unless all are hits. */
static void look(u64 first, u64 last)
{
	struct rxc_reading reading = {
		.first = first, .missed = ~0ULL, .last = last, .now = now += 1000,
		.latency = latency, .cached = is_cached, .arg = cache,
		.room = { BLOCKS, BLOCKS }, .asked = cache[last] == NOT_CACHED,
	};
	unsigned int i;
	u64 block;

	for (block = first; block <= last; block++) {
		if (cache[block] != READ)
			reading.missed = min(reading.missed, block);
		missed += cache[block] == NOT_CACHED;
		used += cache[block] == UNREAD;
		come += cache[block] == UNREAD;
	}
	if (reading.missed > last)
		return;
	reading.issued = issued;
	reading.used = come;
	rxc_forecast_read(forecast, &reading, &wishes);
	memset(cache + first, READ, last - first + 1);
	within &= wishes.nr <= RXC_WISHES;
	for (i = 0; within && i < wishes.nr; i++)
		fulfil(&wishes.wish[i], first, last);
}

/* A reader that goes through @n blocks from @first on, in steps of @size. */
static void run(u64 first, u64 n, unsigned int size)
{
	u64 block;

	for (block = first; block < first + n; block += size)
		look(block, block + size - 1);
}

static void run_down(u64 end, u64 n, unsigned int size)
{
	u64 block;

	for (block = end; block > end - n; block -= size)
		look(block - size, block - 1);
}

/* How far a reader is read ahead however slow it is. */
static u64 least(unsigned int size)
{
	return max(AHEAD_MIN, READS * size);
}

static void test_up(unsigned int size)
{
	begin(BLOCKS);
	run(1000, 2000, size);
	check(missed < 1000 && used, "%u blocks of a reader of %u come from the origin at first",
	      (unsigned int)missed, size);
	count_anew();
	run(3000, 10000, size);
	check(!missed && used == 10000, "then all are read ahead");
	check(reach == least(size), "%u before the reader", (unsigned int)reach);
	check(wished <= 10000 + least(size), "each is wished for once");
	/* What one reader has taught is good for the next one of its kind. */
	count_anew();
	run(100000, 2000, size);
	check(missed <= 8 * size && used >= 2000 - 8 * size, "the next one misses %u",
	      (unsigned int)missed);
	check(within, "nothing else is wished for");
}

static void test_down(unsigned int size)
{
	begin(BLOCKS);
	run_down(20000, 4000, size);
	count_anew();
	run_down(16000, 16000, size);
	check(!missed && used == 16000 && within, "a reader of %u that goes down to block 0", size);
	check(reach == least(size), "is read ahead by %u", (unsigned int)reach);
}

/* The window grows in the first reads of a reader, whatever is known of others. */
static void test_growth(void)
{
	u64 block, was = 0, first = 0;
	unsigned int steps = 0;

	begin(BLOCKS);
	forecast->most = 16;
	run(1000, 5000, 1);
	check(reach == 16, "no stream is read ahead by more than the most: %u", (unsigned int)reach);
	begin(BLOCKS);
	for (block = 1000; block < 5000; block++) {
		look(block, block);
		steps += reach > was;
		was = max(was, reach);
		if (steps == 1)
			first = was;
	}
	check(first <= 2 && steps > 3 && was == AHEAD_MIN,
	      "the window grows from %u in %u steps to %u", (unsigned int)first, steps,
	      (unsigned int)was);
	/* A block in 1000 ns, and 512 in four times the latency. */
	count_anew();
	latency = 128000;
	run(5000, 5000, 1);
	check(reach > 400 && reach < 600, "with the origin's latency: %u", (unsigned int)reach);
	count_anew();
	latency = U32_MAX;
	run(10000, 5000, 1);
	check(reach == 1 << RXC_AHEAD_BITS && within, "up to the bound: %u", (unsigned int)reach);
	latency = ~0ULL >> 8;
	run(15000, 1000, 1);
	check(reach == 1 << RXC_AHEAD_BITS && within, "however slow the origin is");
}

/* How far the blocks behind a reader's are cached; all of them count as far enough. */
static u64 cached_from(u64 block, bool down)
{
	u64 far = 0, most = down ? block : forecast->blocks - 1 - block;

	while (far < most && cache[down ? block - far - 1 : block + far + 1])
		far++;
	return far == most ? BLOCKS : far;
}

/* A reader that comes to an end of the origin is read ahead up to that, as far as before. */
static void test_end(unsigned int size, bool down)
{
	enum { END = 8000 };
	u64 i, block, far, least = BLOCKS;

	begin(BLOCKS);
	forecast->blocks = END;
	for (i = 0; i < END / size; i++) {
		block = down ? END - (i + 1) * size : i * size;
		if (down)
			run_down(block + size, size, size);
		else
			run(block, size, size);
		if (i < END / size / 2)
			continue;
		if (i == END / size / 2)
			count_anew();
		far = cached_from(down ? block : block + size - 1, down);
		least = min(least, far);
	}
	check(!missed && within, "a reader of %u comes to the %s", size, down ? "beginning" : "end");
	/* More is wished for when half of that has been read. */
	check(least >= AHEAD_MIN / 2, "and has %u blocks before it, or all", (unsigned int)least);
}

enum { VISITED = 500, EACH = 24 };

static u64 visited[VISITED][EACH];

static void shuffle(u64 *of, unsigned int n)
{
	unsigned int i, j;
	u64 swap;

	for (i = n - 1; i; i--) {
		j = rnd(i + 1);
		swap = of[i];
		of[i] = of[j];
		of[j] = swap;
	}
}

/* Blocks of regions that are read again and again, each time in another order. */
static void test_visits(void)
{
	u64 order[VISITED];
	unsigned int round, i, j;

	begin(BLOCKS);
	for (i = 0; i < VISITED; i++) {
		order[i] = i;
		for (j = 0; j < EACH; j++)
			visited[i][j] = (u64)i * 13 * RXC_REGION_BLOCKS + j * 5 % RXC_REGION_BLOCKS;
	}
	for (round = 0; round < 5; round++) {
		shuffle(order, VISITED);
		flush();
		count_anew();
		for (i = 0; i < VISITED; i++) {
			shuffle(visited[order[i]], EACH);
			for (j = 0; j < EACH; j++)
				look(visited[order[i]][j], visited[order[i]][j]);
		}
		if (!round)
			check(!used || ahead < VISITED * EACH / 5, "nothing is known in the first visit");
	}
	check(used > VISITED * EACH * 6 / 10, "%u of %u blocks that are visited again are read ahead",
	      (unsigned int)used, VISITED * EACH);
	check(used > ahead * 9 / 10 && within, "and few others: %u", (unsigned int)(ahead - used));
}

/* Where reads are at random, there is nothing to read ahead. The cache is small. */
static void test_random(unsigned int size)
{
	unsigned int n, reads = 1000000 / size;
	u64 block;

	begin(BLOCKS / 16);
	for (n = 0; n < reads; n++) {
		block = rnd(BLOCKS / size) * size;
		look(block, block + size - 1);
		/* Others have to make room. */
		if (!(n % (BLOCKS / 16 / size)))
			flush();
	}
	check(ahead <= (u64)reads * size / 100 && within,
	      "%u of %u blocks are read ahead of random reads of %u", (unsigned int)ahead,
	      reads * size, size);
}

/*
 * The adversary of all read-ahead: readers that end as soon as much is read ahead of them,
 * after one that has taught that this is worth it. A twelfth of the reads can be in vain, and
 * what the accounts of the budget hold.
 */
static void test_bursts(unsigned int burst)
{
	enum { CACHE = BLOCKS / 64, BURSTS = 8000 };
	unsigned int n;
	u64 reads;

	begin(CACHE);
	run(0, 2000, 1);
	for (n = 0; n < BURSTS; n++) {
		run(rnd(BLOCKS / 128) * 128, burst + rnd(burst), 1);
		if (!(n % 200))
			flush();
	}
	reads = missed + used;
	check(issued - come <= reads / 12 + CACHE / 16 + 1, "bursts of %u and more: %u of %u in vain, %u reads",
	      burst, (unsigned int)(issued - come), (unsigned int)issued, (unsigned int)reads);
	check(used > reads / 2, "and most blocks are read ahead: %u", (unsigned int)used);
	/* A reader that goes on has as much ahead of it as ever. */
	flush();
	run(1000, 2000, 1);
	count_anew();
	run(3000, 10000, 1);
	check(missed < 100 && reach >= AHEAD_MIN / 2 && within,
	      "a long reader after that has %u blocks before it, and misses %u", (unsigned int)reach,
	      (unsigned int)missed);
}

static unsigned int samples(void)
{
	unsigned int set, way, n = 0;

	for (set = 0; set < RXC_ODDS_SETS; set++)
		for (way = 0; way < RXC_ODDS_WAYS; way++)
			n += forecast->odds.sample[set][way].used;
	return n;
}

static void test_cached(void)
{
	struct rxc_odds before;
	unsigned int i, j;

	begin(BLOCKS);
	memcpy(&before, &forecast->odds, sizeof(before));
	for (i = 0; i < 1000; i++) {
		/* All is cached but for the blocks that are read. */
		memset(cache, READ, BLOCKS);
		memset(cache + 4 * i, NOT_CACHED, 4);
		look(4 * i, 4 * i + 3);
	}
	for (j = 0; j < 3; j++)
		for (i = 0; i < 3000; i++) {
			memset(cache + 100000 + 50 * (i % 1000), NOT_CACHED, 1);
			look(100000 + 50 * (i % 1000), 100000 + 50 * (i % 1000));
		}
	check(!samples() && !memcmp(&before, &forecast->odds, sizeof(before)),
	      "nothing is learned from guesses of cached blocks");
	flush();
	look(500, 503);
	look(504, 507);
	check(samples(), "but of others");
}

/*
 * One read may have more good guesses than wishes. The stream's blocks are then wished for
 * by its next read.
 */
static void test_too_many(void)
{
	unsigned int round, i;

	begin(BLOCKS);
	for (round = 0; round < 3; round++) {
		flush();
		for (i = 0; i < 64; i += 2)
			look(64000 + i, 64000 + i);
		for (i = 0; i < 100; i++)
			look(500000 + 1000 * i, 500000 + 1000 * i);
	}
	flush();
	/* The stream is a new one, and all guesses are good. */
	memset(&forecast->streams, 0, sizeof(forecast->streams));
	memset(forecast->odds.weight, 20, sizeof(forecast->odds.weight));
	count_anew();
	look(64000, 64001);
	check(wishes.nr == RXC_WISHES && within, "a read has %u wishes", wishes.nr);
	run(64002, 62, 2);
	count_anew();
	run(64064, 64, 2);
	check(!missed, "no block of a stream is passed over: %u", (unsigned int)missed);
}

/* An origin that has become smaller. */
static void test_shrink(void)
{
	unsigned int round, i;

	begin(BLOCKS);
	for (round = 0; round < 4; round++) {
		flush();
		for (i = 0; i < 64; i += 2)
			look(64000 + i, 64000 + i);
		for (i = 0; i < 100; i++)
			look(500000 + 1000 * i, 500000 + 1000 * i);
		if (round == 2)
			forecast->blocks = 64010;
	}
	memset(forecast->odds.weight, 0, sizeof(forecast->odds.weight));
	flush();
	for (i = 0; i < 100; i++)
		look(1000 + 1000 * i % 64000, 1000 + 1000 * i % 64000);
	look(64004, 64004);
	check(within, "an origin that has become smaller");
}

/* A cached block or not, at random, but the same for each block. */
static bool some_cached(void *arg, u64 block)
{
	return *(u64 *)arg && block * 0x9e3779b97f4a7c15ULL >> 32 & 1;
}

/* Reads of any kind at both ends of an origin with the largest numbers. */
static void test_anything(void)
{
	u64 all = 1ULL << 48, cached = 0, at = 0, zone, size, bad = 0;
	struct rxc_reading reading = { .cached = some_cached, .arg = &cached,
				       .room = { BLOCKS, BLOCKS } };
	unsigned int n, i;

	begin(1 << 16);
	wished = 0;
	forecast->blocks = all;
	for (n = 0; n < 1000000; n++) {
		if (!rnd(1000)) {
			memset(forecast->odds.weight, rnd(3) - 1, sizeof(forecast->odds.weight));
			cached = rnd(2);
			forecast->most = 1 + rnd(1 << RXC_AHEAD_BITS);
			reading.latency = rnd(3) * rnd(U32_MAX);
			forecast->blocks = all - rnd(2) * rnd(3000);
		}
		size = 1 + rnd(1ULL << rnd(10));
		zone = 1ULL << rnd(14);
		if (!rnd(3))
			at = rnd(2) ? rnd(zone) : forecast->blocks - 1 - rnd(zone);
		else
			at = rnd(2) ? at + size : at - size;
		at = min(at & (all - 1), forecast->blocks - 1);
		reading.first = at;
		reading.last = min(at + size - 1, forecast->blocks - 1);
		reading.missed = at + rnd(reading.last - at + 1);
		reading.now += rnd(2) ? rnd(100000) : rnd(1ULL << 40);
		rxc_forecast_read(forecast, &reading, &wishes);
		bad += wishes.nr > RXC_WISHES;
		for (i = 0; i < wishes.nr && i < RXC_WISHES; i++) {
			bad += wishes.wish[i].first > wishes.wish[i].last ||
			       wishes.wish[i].last >= forecast->blocks;
			wished += wishes.wish[i].last - wishes.wish[i].first + 1;
		}
	}
	check(wished > n, "%llu blocks are wished for", (unsigned long long)wished);
	check(!bad, "and all are of the origin");
}

int main(void)
{
	static const unsigned int sizes[] = { 1, 2, 8, 40 };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		test_up(sizes[i]);
		test_down(sizes[i]);
		test_end(sizes[i], false);
		test_end(sizes[i], true);
	}
	test_growth();
	test_visits();
	test_random(1);
	test_random(8);
	test_random(32);
	test_bursts(9);
	test_bursts(17);
	test_bursts(33);
	test_cached();
	test_too_many();
	test_shrink();
	test_anything();
	free(forecast);
	free(cache);
	return done();
}
