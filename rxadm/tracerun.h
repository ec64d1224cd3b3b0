/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces, that is recorded loads, which the program rxsim replays. */
#ifndef RXADM_TRACERUN_H
#define RXADM_TRACERUN_H

#include "advice.h"

#define TRACE_BLOCK	4096

/* What a cache of @size bytes makes of a trace. */
struct rx_trace_size {
	uint64_t size, hits, evicted;
};

/* @distinct and @reads are numbers of blocks. */
struct rx_trace {
	uint64_t requests, distinct, reads;
	size_t n;
	struct rx_trace_size at[CURVE_MAX];	/* the smallest size first */
};

/*
 * Replays the trace @path through caches of @sizes, written as rxsim(8) takes
 * them, smallest first. The trace may take up to @memory bytes. Returns false if
 * that failed, after it has said why.
 */
bool trace_run(struct rx_trace *t, const char *path, const char *policy,
	       bool allocate, const char *sizes, uint64_t memory);

#endif
