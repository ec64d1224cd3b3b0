/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened lately: decaying sums of a few counters over three windows.
 *
 * In a window of length T, an addition that was made t ago counts e^(-t/T), as in
 * load averages. The sum of a steady flow is the amount that it adds in T. A flow
 * that ended T ago still has a third of that. The ratio of two sums is the recent
 * ratio of their counters.
 *
 * Arithmetic alone: the caller has the counters, the clock and the lock.
 */
#ifndef _RXC_WINDOW_H
#define _RXC_WINDOW_H

#include <linux/types.h>

enum { RXC_WINDOW_10S, RXC_WINDOW_5MIN, RXC_WINDOW_1H, RXC_NR_WINDOWS };

/* What is summed; each has an attribute of the same name in rxcache.yaml. */
enum rxc_flow {
	RXC_FLOW_READS, RXC_FLOW_READ_FULL,
	RXC_FLOW_READ_HIT, RXC_FLOW_READ_MISS, RXC_FLOW_READ_BYPASS,
	RXC_FLOW_FILL, RXC_FLOW_EVICT,
	RXC_FLOW_READ_BYTES, RXC_FLOW_READ_HIT_BYTES, RXC_FLOW_WRITE_BYTES,
	RXC_NR_FLOWS
};

/* Time is counted in these, from any beginning. */
enum { RXC_WINDOW_TICKS_PER_S = 100 };

/**
 * struct rxc_window - the sums
 * @at: until when they are up to date
 * @last: the counters then
 * @sum: in units of 2^-14
 */
struct rxc_window {
	u64 at;
	u64 last[RXC_NR_FLOWS];
	u64 sum[RXC_NR_WINDOWS][RXC_NR_FLOWS];
};

/* Begins anew at @now with the counters at @count. */
void rxc_window_reset(struct rxc_window *w, const u64 *count, u64 now);

/*
 * Brings the sums up to @now; the gain of the counters @count is taken to have come
 * evenly over the time since the last call.
 */
void rxc_window_fold(struct rxc_window *w, const u64 *count, u64 now);

/* Likewise for a time in which nothing moved. */
void rxc_window_idle(struct rxc_window *w, u64 now);

u64 rxc_window_get(const struct rxc_window *w, unsigned int window,
		   enum rxc_flow flow);

#endif
