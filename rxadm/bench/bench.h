/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the verb bench: verb/bench.c checks the words and the device, run.c
 * measures the jobs and their limits, fio.c runs fio, copy.c copies memory,
 * show.c shows the figures and compares them with earlier ones, jobs.c has
 * the jobs.
 */
#ifndef RXADM_BENCH_H
#define RXADM_BENCH_H

#include "kernel/object.h"

struct json_object;
struct rx_args;

/* One of the measurements that rx-tuning(7) explains. */
struct rx_job {
	const char *name, *rw;
	uint64_t block, depth;
	bool writes;
};

#define BENCH_JOBS	16	/* most */

/* Below 0: not known. */
struct rx_figure {
	double iops, bytes, mean_ns, p99_ns;
};

struct rx_row {
	char name[32], rw[16], engine[16];
	uint64_t block, depth;
	struct rx_figure is, limit, was;
	double hit;		/* blocks that came from memory, 0 to 1 */
	double of_limit, change;	/* is / limit, is / was */
};

struct rx_bench {
	const char *verb;
	char name[RX_NAME_LEN], origin[128];	/* origin: the path for people, or "" */
	char path[128], origin_path[128];	/* what fio opens */
	bool cache;
	bool write_first;	/* a disk has no memory to read before it was written */
	uint64_t size, time_ns;	/* the bytes that are used; for each job */
	char fio[32];		/* version */
	const struct rx_job *jobs[BENCH_JOBS];
	struct rx_row rows[BENCH_JOBS];
	size_t n;
	bool compared;
};

enum rx_fio { FIO_DONE, FIO_FAILED, FIO_SIGNAL };

/* What fio does: a job, or with a TIME of 0 one pass over all bytes. */
struct rx_fio_run {
	const struct rx_bench *bench;
	const struct rx_job *job;
	const char *path;	/* NULL: no device, only what fio itself does */
	uint64_t time_ns;
	void (*tick)(void *arg);	/* called now and then while it runs */
	void *arg;
};

enum rx_fio fio_run(const struct rx_fio_run *run, struct rx_figure *figure, char *version,
		    size_t len);

#endif
