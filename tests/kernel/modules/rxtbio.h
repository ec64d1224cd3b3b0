/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxtbio submits bios from kernel threads and says how long one takes: what is
 * left when no system call, no file and no io_uring is in the way is the block
 * layer, the driver and the copy.
 *
 * /sys/kernel/debug/rxtbio: write a line of words, read the answer from the
 * same descriptor. The write returns when all is done.
 *
 *   dev=/dev/rxd0	required; opened for ourselves alone. dev=memory is none:
 *			as many bytes are copied, from or to large pages
 *   rw=randread	or read, write, randwrite
 *   size=4K		of a bio, at most 1M
 *   depth=1		bios under way, submitted in one plugged batch if more
 *			than one; the next batch begins when all have ended
 *   jobs=1		threads, each bound to a CPU and with its own buffers
 *   span=0 offset=0	the bytes of the device to use, span=0: all the rest
 *   ms=1000		how long
 *   bios=0		end earlier, after so many of each job; 0: no limit
 *
 * The answer: "bios=N mean=NS min=NS p50=NS p90=NS per_second=N". NS are what
 * one bio took its thread: over all bios, and in the best, the median and a bad
 * lap (256 KiB or a batch). The machine's other work spoils the mean and some
 * laps, but not the median. Or "error: why".
 */
#ifndef _RXTBIO_H
#define _RXTBIO_H

#include <linux/types.h>

struct block_device;

enum {
	RXT_SIZE_MAX	= 1 << 20,
	RXT_DEPTH_MAX	= 1024,
	RXT_JOBS_MAX	= 256,
	RXT_MS_MAX	= 600 * 1000,
	RXT_BUFFERS_MAX	= 256 << 20,	/* of all jobs */
	RXT_MEMORY_CHUNK = 1 << 20,	/* span of dev=memory: a multiple */
	RXT_MEMORY_MAX	= 1 << 30,
	RXT_TEXT	= 256,
};

/* What is asked for, as above. */
struct rxt_spec {
	char dev[128];
	bool write;
	bool random;
	u64 size;
	u64 depth;
	u64 jobs;
	u64 span;
	u64 offset;
	u64 ms;
	u64 bios;
};

/* An answer. */
struct rxt_text {
	char s[RXT_TEXT];
};

/* rxtbio_file.c: sets the text to "error: @why". Returns @err. */
__printf(3, 4) int rxt_refuse(struct rxt_text *t, int err, const char *why, ...);

/*
 * rxtbio_run.c: does it; all that @spec says has been checked against @bdev,
 * which is NULL for memory. Context: process, sleeps for as long as it takes. 0, or an errno: either way
 * the text is set.
 */
int rxt_run(const struct rxt_spec *spec, struct block_device *bdev,
	    struct rxt_text *t);

#endif
