// SPDX-License-Identifier: GPL-2.0-only
/* How much read-ahead may be in flight, by the times that reads take beside it. */
#include "forecast/throttle.h"
#include "kernel.h"
#include "rx_test.h"

static struct rxc_throttle throttle;

static void note(unsigned int n, u64 ns, bool beside)
{
	while (n--)
		rxc_throttle_note(&throttle, ns, beside);
}

static u32 limit(void)
{
	return rxc_throttle_room(&throttle, 0);
}

static void test_start(void)
{
	rxc_throttle_init(&throttle);
	check(limit() >= RXC_THROTTLE_MIN && limit() <= RXC_THROTTLE_MAX, "a limit at first");
	check(!rxc_throttle_latency(&throttle), "no time is known at first");
	note(1, 70000, false);
	check(rxc_throttle_latency(&throttle) == 70000, "the first read gives one");
	note(1, 90000, true);
	check(rxc_throttle_latency(&throttle) == 90000, "the longer mean counts");
	note(1, 40000, true);
	check(rxc_throttle_latency(&throttle) < 90000 && rxc_throttle_latency(&throttle) > 80000,
	      "a mean moves a little with each read");
	note(100, 40000, true);
	check(rxc_throttle_latency(&throttle) == 70000, "and comes to what reads take");
}

static void test_room(void)
{
	u32 all;

	rxc_throttle_init(&throttle);
	all = limit();
	check(rxc_throttle_room(&throttle, 1) == all - 1 && rxc_throttle_room(&throttle, all - 1) == 1,
	      "what is in flight takes room");
	check(!rxc_throttle_room(&throttle, all) && !rxc_throttle_room(&throttle, all + 1) &&
	      !rxc_throttle_room(&throttle, 1ULL << 32) && !rxc_throttle_room(&throttle, U64_MAX),
	      "more than the limit leaves none");
}

static void test_steps(void)
{
	unsigned int i;
	u32 was;

	rxc_throttle_init(&throttle);
	was = limit();
	note(1000, 100000, false);
	check(limit() == was, "reads alone do not change the limit");
	note(7, 100000, true);
	check(limit() == was, "nor do a few beside read-ahead");
	note(1, 100000, true);
	check(limit() == was + was / 4, "after some that take no longer it grows");
	was = limit();
	for (i = 0; i < 80; i++) {
		/* Four reads in one, of which one counts as saved. */
		rxc_throttle_sent(&throttle, 4 * 8, 8);
		note(1, 140000, true);
	}
	check(limit() > was, "nor is a little longer too long if reads are saved");
	for (i = 0; i < 8; i++) {
		rxc_throttle_sent(&throttle, 8, 8);
		note(1, 140000, true);
	}
	was = limit();
	note(8, 140000, true);
	check(limit() == was / 2, "but if none are, it is");
	note(80, 100000, true);
	note(16, 200000, true);
	was = limit();
	note(7, 200000, true);
	check(limit() == was, "after some that take longer");
	note(1, 200000, true);
	check(limit() == was / 2, "it is halved");
	was = limit();
	note(16, 200000, true);
	check(limit() == was / 4, "again and again");
	note(100, 100000, true);
	was = limit();
	note(8, 100000, true);
	check(limit() == was + was / 4, "and grows when reads are fast again");
}

static void test_bounds(void)
{
	rxc_throttle_init(&throttle);
	note(1, 1000, false);
	note(8 * 5, 1000000, true);
	check(!limit(), "if reads are slow, nothing is read ahead");
	note(1023, 1000, false);
	check(!limit(), "for a while");
	note(1, 1000, false);
	check(limit() == RXC_THROTTLE_MIN, "and then it is tried again");
	note(10000, 1000, true);
	check(limit() == RXC_THROTTLE_MAX, "and a largest one if they are fast");
	note(1000, U64_MAX, true);
	check(rxc_throttle_latency(&throttle) >= U32_MAX - 7, "a time is no more than 32 bits");
	rxc_throttle_init(&throttle);
	note(10000, 1000, true);
	check(limit() == RXC_THROTTLE_MAX, "with nothing to compare with it grows");
	rxc_throttle_init(&throttle);
	note(100, U64_MAX, false);
	note(8000, U64_MAX, true);
	check(limit() == RXC_THROTTLE_MAX, "equal reads are equal, however long they take");
	/* A clock that did not advance. */
	rxc_throttle_init(&throttle);
	note(1, 1, false);
	note(1, 1, true);
	note(1000, 0, false);
	note(1000, 0, true);
	check(rxc_throttle_latency(&throttle) == 1 && limit() == RXC_THROTTLE_MAX,
	      "reads that take no time");
}

int main(void)
{
	test_start();
	test_room();
	test_steps();
	test_bounds();
	return done();
}
