// SPDX-License-Identifier: GPL-2.0-only
/* Decaying sums. See window.h. */
#include <linux/math64.h>
#include <linux/string.h>
#include "figures/window.h"

/* With this fraction a sum of 2^50 bytes fits, which is 300 GB/s for an hour. */
enum { FRACTION_BITS = 14 };

/* The factors of the sums are fractions of one, in units of 2^-32. */
#define ONE (1ULL << 32)

static const struct {
	u32 ticks;			/* length */
	u32 left;			/* of a sum after one tick: e^(-1/ticks) */
} windows[RXC_NR_WINDOWS] = {
	[RXC_WINDOW_10S]	= { 10 * RXC_WINDOW_TICKS_PER_S, 4290674475U },
	[RXC_WINDOW_5MIN]	= { 300 * RXC_WINDOW_TICKS_PER_S, 4294824133U },
	[RXC_WINDOW_1H]		= { 3600 * RXC_WINDOW_TICKS_PER_S, 4294955366U },
};

/* Returns @value times @fraction, which is at most ONE, without overflow. */
static u64 scale(u64 value, u64 fraction)
{
	return (value >> 32) * fraction + (((u32)value * fraction) >> 32);
}

/* Returns @left to the power of @ticks, by squaring. */
static u64 left_after(u64 left, u64 ticks)
{
	u64 result = ONE;

	for (; ticks && result; ticks >>= 1) {
		if (ticks & 1)
			result = scale(result, left);
		left = scale(left, left);
	}
	return result;
}

/*
 * Returns the mean of e^(-t/T) over the last @ticks, at most ONE. With @left as
 * e^(-ticks/T), the mean is (1 - left) T / ticks.
 */
static u64 mean_left(u64 left, u32 length, u64 ticks)
{
	u64 mean;

	if (!ticks)
		return ONE;
	mean = div64_u64((ONE - left) * length, ticks);
	return mean < ONE ? mean : ONE;
}

void rxc_window_reset(struct rxc_window *w, const u64 *count, u64 now)
{
	memset(w->sum, 0, sizeof(w->sum));
	memcpy(w->last, count, sizeof(w->last));
	w->at = now;
}

void rxc_window_fold(struct rxc_window *w, const u64 *count, u64 now)
{
	u64 ticks = now > w->at ? now - w->at : 0;
	u64 left, mean, added;
	unsigned int i, flow;

	for (i = 0; i < RXC_NR_WINDOWS; i++) {
		left = left_after(windows[i].left, ticks);
		mean = mean_left(left, windows[i].ticks, ticks);
		for (flow = 0; flow < RXC_NR_FLOWS; flow++) {
			added = (count[flow] - w->last[flow]) << FRACTION_BITS;
			w->sum[i][flow] = scale(w->sum[i][flow], left) +
					  scale(added, mean);
		}
	}
	memcpy(w->last, count, sizeof(w->last));
	w->at += ticks;
}

void rxc_window_idle(struct rxc_window *w, u64 now)
{
	u64 count[RXC_NR_FLOWS];

	memcpy(count, w->last, sizeof(count));
	rxc_window_fold(w, count, now);
}

u64 rxc_window_get(const struct rxc_window *w, unsigned int window,
		   enum rxc_flow flow)
{
	return (w->sum[window][flow] + (1 << (FRACTION_BITS - 1))) >>
	       FRACTION_BITS;
}
