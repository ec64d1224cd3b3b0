/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces: recorded reads and writes, in blocks of 4 KiB. */
#ifndef RXSIM_TRACE_H
#define RXSIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_BLOCK = 4096, TRACE_DEVICES = 256 };

/* A request. It may cover only a part of its first or its last block. */
struct trace_req {
	uint64_t block;			/* counted over all devices */
	uint16_t blocks;
	bool write;
	bool first_part;
	bool last_part;
};

/**
 * struct trace - a trace in memory
 * @req: its requests, in order
 * @time: when each was queued, in nanoseconds since the recording began; NULL if the
 *	trace does not say
 * @nr: number of requests
 * @distinct: number of different blocks that are read or written
 * @span: sum of the sizes of the devices, in blocks, each up to its last block used
 */
struct trace {
	struct trace_req *req;
	uint64_t *time;
	size_t nr;
	uint64_t distinct;
	uint64_t span;
};

/*
 * Reads the file @path, or standard input for "-". A name that ends in .rxt is
 * RXT; any other is the output of blkparse, of which lines with action Q count.
 * A name that also ends in .xz is unpacked with xz. The trace takes up to @memory
 * bytes. Returns false and fills @why if it fails.
 */
bool trace_read(struct trace *trace, const char *path, uint64_t memory,
		char *why, size_t len);
void trace_free(struct trace *trace);

/* Memory that its requests take. */
uint64_t trace_bytes(const struct trace *trace);

#endif
