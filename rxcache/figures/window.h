/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recent activity: decaying sums of a few counters over three windows.
 *
 * In a window of length T, an addition made t ago has the weight e^(-t/T), as in
 * load averages. The sum of a steady flow is the amount that the flow adds in T.
 * If the flow ended T ago, e^-1 of the sum is left. The ratio of two sums is the
 * recent ratio of their counters.
 *
 * This is arithmetic only: the caller has the counters, the clock and the lock.
 */
#ifndef _RXC_WINDOW_H
#define _RXC_WINDOW_H

#include <linux/types.h>

enum { RXC_WINDOW_10S, RXC_WINDOW_5MIN, RXC_WINDOW_1H, RXC_NR_WINDOWS };

/* The summed counters; each has an attribute of the same name in rxcache.yaml. */
enum rxc_flow {
	RXC_FLOW_READS, RXC_FLOW_READ_FULL,
	RXC_FLOW_READ_HIT, RXC_FLOW_READ_MISS, RXC_FLOW_READ_BYPASS,
	RXC_FLOW_FILL, RXC_FLOW_EVICT,
	RXC_FLOW_READ_BYTES, RXC_FLOW_READ_HIT_BYTES, RXC_FLOW_WRITE_BYTES,
	RXC_NR_FLOWS
};

/* Times are in ticks, from any start. */
enum { RXC_WINDOW_TICKS_PER_S = 100 };

/**
 * struct rxc_window - the sums
 * @at: the time up to which the sums are up to date
 * @last: the counters at that time
 * @sum: in units of 2^-14
 */
struct rxc_window {
	u64 at;
	u64 last[RXC_NR_FLOWS];
	u64 sum[RXC_NR_WINDOWS][RXC_NR_FLOWS];
};

/* Clears the sums; at @now the counters are @count. */
void rxc_window_reset(struct rxc_window *w, const u64 *count, u64 now);

/*
 * Brings the sums up to @now, when the counters are @count. The counters are taken to
 * have grown evenly since the last call.
 */
void rxc_window_fold(struct rxc_window *w, const u64 *count, u64 now);

/* Brings the sums up to @now, for a time in which no counter moved. */
void rxc_window_idle(struct rxc_window *w, u64 now);

u64 rxc_window_get(const struct rxc_window *w, unsigned int window,
		   enum rxc_flow flow);

#endif
