// SPDX-License-Identifier: GPL-2.0-only
/* The rests of a load, beside others on a disk that is simulated in steps of a millisecond. */
#include "rx_test.h"
#include "warmpace.h"

/* Sectors per ms that others do while the load rests, and while it reads. */
struct disk {
	unsigned int alone, beside;
};

struct result {
	int64_t read, longest;
	uint64_t theirs;
};

/* Each read takes MS and has 64 sectors, which count on two levels. */
static struct result run(struct warm_pace *pace, const struct disk *disk, int64_t from, int64_t ms, unsigned int read_ms)
{
	struct result r = { 0 };
	static uint64_t sectors;
	int64_t now = from, rest;

	while (now < from + ms) {
		rest = pace_rest(pace, now);
		if (rest) {
			pace_begin(pace, now, sectors);
			now += rest;
			sectors += disk->alone * rest;
			r.theirs += disk->alone * rest;
			pace_end(pace, now, sectors, disk->alone);
			r.longest = rest > r.longest ? rest : r.longest;
		}
		now += read_ms;
		sectors += disk->beside * read_ms + 2 * 64;
		r.theirs += disk->beside * read_ms;
		pace->own += 2 * 64;
		r.read += read_ms;
	}
	return r;
}

static void test_alone(void)
{
	struct warm_pace pace = { 0 };
	struct disk nobody = { 0, 0 };
	struct result r = run(&pace, &nobody, 5000, 10000, 2);

	check(!pace.others, "nobody else");
	check(r.read > 9000, "alone it reads nearly all the time: %d ms of 10 s", (int)r.read);
	check(r.longest == 1, "and only looks");
}

static void test_capacity(void)
{
	struct warm_pace pace = { 0 };
	struct disk wide = { 16, 16 };
	struct result r = run(&pace, &wide, 5000, 20000, 2);

	check(pace.others && pace.harmless, "others are not slowed down");
	check(r.read > 20000 * 4 / 5, "so it reads most of the time: %d ms of 20 s", (int)r.read);
}

static void test_one_head(void)
{
	struct warm_pace pace = { 0 };
	struct disk narrow = { 16, 8 };
	struct result r = run(&pace, &narrow, 5000, 60000, 4);

	check(pace.others && !pace.harmless, "others are slowed down");
	check(r.read < 60000 / 4, "so it reads for a fifth of the time: %d ms of 60 s", (int)r.read);
	check(r.read > 60000 / 6, "but not less");
	check(r.theirs > 16 * 60000 * 85 / 100, "and they have nearly all of the disk");
}

/* Others come, are slowed down, get a faster disk, and go. */
static void test_changes(void)
{
	struct warm_pace pace = { 0 };
	struct disk nobody = { 0, 0 }, narrow = { 16, 4 }, wide = { 16, 15 };

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
	struct warm_pace pace = { .others = true };

	check(pace_rest(&pace, 199) == 0, "no rest before a fifth of a second");
	check(pace_rest(&pace, 200) == 800, "then four times as long");
	check(pace_rest(&pace, 60000) == 2000, "after a read of a minute two seconds");
	pace.harmless = true;
	check(pace_rest(&pace, 200) == 25, "an eighth if nobody is harmed");
	check(pace_rest(&pace, 60000) == 2000, "no longer there either");
}

/* A disk below the origin goes away, and the sum of all is less than before. */
static void test_less(void)
{
	struct warm_pace pace = { .others = true, .done = 1000000, .read_rate = 8, .rest_rate = 16 };

	pace_begin(&pace, 200, 1000);
	pace_end(&pace, 1000, 500, true);
	check(pace.read_rate < 8 && pace.rest_rate < 16, "a smaller sum is no I/O");
}

int main(void)
{
	test_alone();
	test_capacity();
	test_one_head();
	test_changes();
	test_bounds();
	test_less();
	return done();
}
