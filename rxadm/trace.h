/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces: what was read and written, block by block. */
#ifndef RXADM_TRACE_H
#define RXADM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_BLOCK = 4096, TRACE_DEVICES = 256 };

/* A request. One block may be covered in part at either end. */
struct trace_req {
	uint64_t block;			/* of all devices, one behind the other */
	uint16_t blocks;
	bool write;
	bool first_part;
	bool last_part;
};

/**
 * struct trace - a trace in memory
 * @req: its requests, in order
 * @distinct: different blocks that are read or written
 * @span: blocks of all devices, each as large as the trace needs it
 */
struct trace {
	struct trace_req *req;
	size_t nr;
	uint64_t distinct;
	uint64_t span;
};

/*
 * Reads a file, "-" for standard input: RXT if its name says so, else what
 * blkparse prints, of which the lines with action Q are taken; unpacked by xz
 * if the name ends in .xz. It takes no more than @memory bytes. False, and @why,
 * if it can't.
 */
bool trace_read(struct trace *trace, const char *path, uint64_t memory,
		char *why, size_t len);
void trace_free(struct trace *trace);

#endif
