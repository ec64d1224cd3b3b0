/* SPDX-License-Identifier: GPL-2.0-only */
/* The reads of a cache while they happen, by the module's tracepoints. */
#ifndef RXADM_READTRACE_H
#define RXADM_READTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rx_cache;

struct read_trace {
	uint64_t major, minor;	/* of the cache */
	char *dir;		/* of the instance, or NULL */
	int pipe;
	char text[8192];	/* of the pipe: LEN bytes of a line that is not whole yet */
	size_t len;
};

/* Takes blocks that were read, in the order of the reads. */
typedef void read_trace_take(void *arg, uint64_t first, uint64_t blocks);

bool readtrace_open(struct read_trace *t, const struct rx_cache *cache, char *why, size_t len);
bool readtrace_take(struct read_trace *t, read_trace_take *take, void *arg);
uint64_t readtrace_stop(struct read_trace *t, read_trace_take *take, void *arg);
bool readtrace_close(struct read_trace *t, char *why, size_t len);

/* For tests: */
bool readtrace_parse(const struct read_trace *t, const char *line, uint64_t *first,
		     uint64_t *blocks);

#endif
