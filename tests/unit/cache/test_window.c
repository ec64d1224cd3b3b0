// SPDX-License-Identifier: GPL-2.0-only
/* Decaying sums, against exp(). */
#include <math.h>

#include "figures/window.h"
#include "rx_test.h"

static const double length[] = { 10, 300, 3600 };

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b) + 0.51;
}

static double get(const struct rxc_window *w, unsigned int i)
{
	return rxc_window_get(w, i, RXC_FLOW_READ_HIT);
}

/* The rest of a burst after @seconds, with or without looks at it in between. */
static void test_decay(double seconds, bool looked_at)
{
	u64 count[RXC_NR_FLOWS] = { 0 }, end = 1000 + seconds * 100, now;
	struct rxc_window w;
	unsigned int i;

	rxc_window_reset(&w, count, 1000);
	count[RXC_FLOW_READ_HIT] = 1000000;
	rxc_window_fold(&w, count, 1000);
	for (i = 0; i < RXC_NR_WINDOWS; i++)
		check(get(&w, i) == 1000000, "all of it at first");
	for (now = 1000; looked_at && now < end; now += 7)
		rxc_window_idle(&w, now);
	rxc_window_idle(&w, end);
	for (i = 0; i < RXC_NR_WINDOWS; i++)
		check(near(get(&w, i), 1e6 * exp(-seconds / length[i]), 0.003),
		      "after %g s, window %u: %g", seconds, i, get(&w, i));
}

/* A steady flow of 100 a second for @seconds, folded every @step ticks. */
static void test_flow(double seconds, unsigned int step)
{
	u64 count[RXC_NR_FLOWS] = { 0 }, now, t = 0;
	struct rxc_window w;
	unsigned int i;

	rxc_window_reset(&w, count, 5);
	while (t < seconds * 100) {
		t += step;
		now = 5 + t;
		count[RXC_FLOW_READ_HIT] = t;
		count[RXC_FLOW_READ_MISS] = t * 3;
		rxc_window_fold(&w, count, now);
	}
	for (i = 0; i < RXC_NR_WINDOWS; i++) {
		check(near(get(&w, i), 100 * length[i] *
			   (1 - exp(-(t / 100.0) / length[i])), 0.003),
		      "%g s by %u, window %u: %g", seconds, step, i, get(&w, i));
		check(fabs(rxc_window_get(&w, i, RXC_FLOW_READ_MISS) -
			   3 * get(&w, i)) <= 2 + get(&w, i) / 1000,
		      "three times as many");
		check(!rxc_window_get(&w, i, RXC_FLOW_FILL), "and none");
	}
}

static void test_limits(void)
{
	u64 count[RXC_NR_FLOWS] = { 0 };
	struct rxc_window w;
	unsigned int i;

	rxc_window_reset(&w, count, 0);
	/* 100 GB/s for an hour, folded every 2 seconds. */
	for (i = 1; i <= 1800; i++) {
		count[RXC_FLOW_READ_BYTES] = i * 200000000000ULL;
		rxc_window_fold(&w, count, i * 200);
	}
	check(near(rxc_window_get(&w, RXC_WINDOW_1H, RXC_FLOW_READ_BYTES),
		   1e11 * 3600 * (1 - exp(-1)), 0.003), "a large sum");
	count[RXC_FLOW_READ_BYTES] += 1000000000000ULL;
	rxc_window_fold(&w, count, ~0ULL);
	check(!rxc_window_get(&w, RXC_WINDOW_1H, RXC_FLOW_READ_BYTES),
	      "nothing is left after ages");
	/* A late fold with the older clock of another CPU. */
	count[RXC_FLOW_READ_HIT] = 5;
	rxc_window_fold(&w, count, 7);
	check(get(&w, RXC_WINDOW_10S) == 5, "a clock that goes back");
	rxc_window_reset(&w, count, 100);
	rxc_window_fold(&w, count, 200);
	for (i = 0; i < RXC_NR_WINDOWS; i++)
		check(!get(&w, i), "nothing after a reset");
}

int main(void)
{
	static const double seconds[] = { 0.01, 1, 2.5, 10, 77, 300, 3600, 20000 };
	unsigned int i;

	for (i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
		test_decay(seconds[i], false);
		test_decay(seconds[i], true);
		test_flow(seconds[i], 1);
		test_flow(seconds[i], 200);
		test_flow(seconds[i], 3000);
	}
	test_limits();
	return done();
}
