/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces, that is recorded loads, which the program rxsim replays. */
#ifndef RXADM_TRACERUN_H
#define RXADM_TRACERUN_H

#include "advise/advice.h"

#define TRACE_BLOCK	4096

/* @distinct, @reads and those of each point of @curve are numbers of blocks. */
struct rx_trace {
	uint64_t requests, distinct, reads;
	struct rx_curve curve;
	uint64_t hits[CURVE_MAX], evicted[CURVE_MAX];
};

/*
 * Replays the trace @path through caches of @sizes, written as rxsim(8) takes
 * them, smallest first. The trace may take up to @memory bytes. Returns false if
 * that failed, after it has said why.
 */
bool trace_run(struct rx_trace *t, const char *path, bool allocate, const char *sizes, uint64_t memory);

#endif
