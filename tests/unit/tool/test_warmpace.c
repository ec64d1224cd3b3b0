// SPDX-License-Identifier: GPL-2.0-only
/* The rests of a load, beside others on a disk that is simulated in steps of a millisecond. */
#include "rx_test.h"
#include "warm/pace.h"

/*
 * Sectors per ms that others do while the load rests, and while it reads at a depth of up
 * to FREE; beyond that they have half. WIDTH reads of the load end in the time of one.
 */
struct disk {
	unsigned int alone, beside, free, width;
};

struct result {
	int64_t read, longest;
	uint64_t theirs, reads;
	unsigned int deepest;
};

/* Each read takes MS and has 64 sectors of the cache and of a disk. Others' are of both, too. */
static struct result run(struct warm_pace *pace, const struct disk *disk, int64_t from, int64_t ms, unsigned int read_ms)
{
	struct result r = { 0 };
	static struct warm_done done;
	int64_t now = from, rest;
	unsigned int n, theirs;

	while (now < from + ms) {
		rest = pace_rest(pace, now);
		if (rest) {
			pace_begin(pace, now, &done);
			now += rest;
			done.cache += disk->alone * rest;
			done.disks += disk->alone * rest;
			done.origin += disk->alone * rest;
			done.requests += disk->alone * rest / 8;
			r.theirs += disk->alone * rest;
			pace_end(pace, now, &done, disk->alone);
			r.longest = rest > r.longest ? rest : r.longest;
		}
		n = disk->width && pace->depth > disk->width ? disk->width : pace->depth;
		theirs = disk->free && pace->depth > disk->free ? disk->beside / 2 : disk->beside;
		now += read_ms;
		done.cache += theirs * read_ms + n * 64;
		done.disks += theirs * read_ms + n * 64;
		done.origin += theirs * read_ms + n * 64;
		r.theirs += theirs * read_ms;
		pace->own += n * 64;
		pace->reads += n;
		r.reads += n;
		r.read += read_ms;
		r.deepest = pace->depth > r.deepest ? pace->depth : r.deepest;
	}
	return r;
}

static struct warm_pace new_pace(void)
{
	struct warm_pace pace;

	pace_init(&pace, 16);
	return pace;
}

static void test_alone(void)
{
	struct warm_pace pace = new_pace();
	struct disk nobody = { 0, 0, 0, 1 };
	struct result r = run(&pace, &nobody, 5000, 10000, 2);

	check(!pace.others, "nobody else");
	check(r.read > 9000, "alone it reads nearly all the time: %d ms of 10 s", (int)r.read);
	check(r.longest == 1, "and only looks");
}

static void test_capacity(void)
{
	struct warm_pace pace = new_pace();
	struct disk wide = { 16, 16, 0, 32 };
	struct result r = run(&pace, &wide, 5000, 20000, 2);

	check(pace.others && pace.harmless, "others are not slowed down");
	check(r.read > 20000 * 4 / 5, "so it reads most of the time: %d ms of 20 s", (int)r.read);
}

static void test_one_head(void)
{
	struct warm_pace pace = new_pace();
	struct disk narrow = { 16, 8, 0, 1 };
	struct result r = run(&pace, &narrow, 5000, 60000, 4);

	check(pace.others && !pace.harmless, "others are slowed down");
	check(r.read < 60000 / 4, "so it reads for a fifth of the time: %d ms of 60 s", (int)r.read);
	check(r.read > 60000 / 6, "but not less");
	check(r.theirs > 16 * 60000 * 85 / 100, "and they have nearly all of the disk");
}

/* Others come, are slowed down, get a faster disk, and go. */
static void test_changes(void)
{
	struct warm_pace pace = new_pace();
	struct disk nobody = { 0, 0, 0, 1 }, narrow = { 16, 4, 0, 1 }, wide = { 16, 15, 0, 1 };

	run(&pace, &nobody, 5000, 1000, 2);
	run(&pace, &narrow, 6000, 10000, 2);
	check(pace.others && !pace.harmless, "others that come are seen, and spared");
	run(&pace, &wide, 16000, 30000, 2);
	check(pace.harmless, "a disk with capacity is found out later, too");
	run(&pace, &narrow, 46000, 20000, 2);
	check(!pace.harmless, "and the reverse");
	run(&pace, &nobody, 66000, 5000, 2);
	check(!pace.others && !pace.rest_rate && !pace.read_rate, "others that go are forgotten");
}

static void test_bounds(void)
{
	struct warm_pace pace = new_pace();

	pace.others = true;
	check(pace_rest(&pace, 199) == 0, "no rest before a fifth of a second");
	check(pace_rest(&pace, 200) == 200, "then as long, to compare");
	pace.rest_rate = 8;
	check(pace_rest(&pace, 200) == 800, "later four times as long");
	check(pace_rest(&pace, 60000) == 2000, "after a read of a minute two seconds");
	pace.harmless = true;
	pace.requests_rate = 4;
	check(pace_rest(&pace, 200) == 25, "an eighth if nobody is harmed");
	pace.requests_rate = 0.1;
	check(pace_rest(&pace, 200) == 80, "but as long as 8 requests of the others take");
	pace.requests_rate = 0;
	check(pace_rest(&pace, 200) == 200, "at most as long as it has read");
	check(pace_rest(&pace, 60000) == 2000, "no longer there either");
}

/* The disk of many heads is used, that of one head is not given a queue, and others stop the climb. */
static void test_depth(void)
{
	struct warm_pace pace = new_pace();
	struct disk many = { 0, 0, 0, 32 }, four = { 0, 0, 0, 4 }, one = { 0, 0, 0, 1 };
	struct disk beside = { 16, 16, 0, 32 }, some = { 16, 16, 4, 32 };
	struct result r;

	r = run(&pace, &many, 5000, 10000, 2);
	check(pace.depth == 16, "all that is allowed are in flight: %u", pace.depth);
	check(r.reads > 4500 * 16 * 4 / 5, "and soon: %u reads", (unsigned int)r.reads);
	pace = new_pace();
	r = run(&pace, &four, 5000, 60000, 2);
	check(r.deepest == 8 && pace.depth <= 8, "four at a time: no more than 8 are tried");
	check(r.reads > 27000 * 4 * 4 / 5, "nearly always four: %u reads", (unsigned int)r.reads);
	pace = new_pace();
	r = run(&pace, &one, 5000, 60000, 8);
	check(r.deepest == 2 && r.reads > 60000 / 8 * 4 / 5, "one at a time: 2 are tried");
	pace = new_pace();
	r = run(&pace, &beside, 5000, 10000, 2);
	check(pace.depth == 16 && pace.harmless, "beside others that lose nothing: %u", pace.depth);
	pace = new_pace();
	r = run(&pace, &some, 5000, 60000, 2);
	check(r.theirs > 16 * 60000 * 9 / 10, "others that lose from 5 on have nine tenths: %u", (unsigned int)(r.theirs / 60000));
	check(r.reads > 60000 / 2 * 2, "the load goes on with 4: %u reads", (unsigned int)r.reads);
	run(&pace, &many, 65000, 10000, 2);
	run(&pace, &beside, 75000, 150, 2);
	check(pace.others && pace.depth == 1, "when others come, it begins with one");
}

/* The load's own reads don't count as those of others, whether they need the disks or not. */
static void test_own(void)
{
	struct warm_done misses = { .cache = 100000 + 800, .disks = 100000 + 600 + 800, .origin = 100000 + 600 };
	struct warm_done hits = { .cache = 100000 + 800, .disks = 600 + 800, .origin = 600 };
	struct warm_pace pace = new_pace();

	pace.others = true;
	pace.own = 100000;
	pace_begin(&pace, 200, &misses);
	check(pace.read_rate == 8, "800 sectors of the cache, and 800 beside it: %.1f", pace.read_rate);
	pace = new_pace();
	pace.others = true;
	pace.own = 100000;
	pace_begin(&pace, 200, &hits);
	check(pace.read_rate == 8, "and as many beside hits: %.1f", pace.read_rate);
	/* The disks count a read when it ends, and the cache when it begins. */
	pace = new_pace();
	pace.others = true;
	misses.disks = 100000;
	pace_begin(&pace, 200, &misses);
	check(pace.read_rate > 0, "no count is negative");
}

int main(void)
{
	test_alone();
	test_capacity();
	test_one_head();
	test_changes();
	test_bounds();
	test_depth();
	test_own();
	return done();
}
