// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the rate of this host's time stamp counter in kHz. An emulated guest
 * sees this counter, and at boot measures its rate against other emulated
 * clocks. If the host is busy at that moment, time in the guest runs several
 * times too fast, and all time-outs are too short. So the guest gets the rate
 * as a kernel argument.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct point {
	uint64_t ticks, ns;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Returns the one of many readings whose two clocks were read closest together. */
static struct point sample(void)
{
	struct point best = { 0 };
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		uint64_t before = __rdtsc(), ns = now_ns(), after = __rdtsc();

		if (after - before < width) {
			width = after - before;
			best = (struct point){ before + (after - before) / 2, ns };
		}
	}
	return best;
}

int main(void)
{
	struct timespec pause = { .tv_nsec = 200000000 };
	struct point a = sample(), b;

	nanosleep(&pause, NULL);
	b = sample();
	printf("%.0f\n", (double)(b.ticks - a.ticks) * 1e6 / (double)(b.ns - a.ns));
	return 0;
}
