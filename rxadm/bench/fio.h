/* SPDX-License-Identifier: GPL-2.0-only */
/* Jobs of fio in /usr/share/rxdsk/fio: which there are, and what fio measures with one. */
#ifndef RXADM_BENCH_FIO_H
#define RXADM_BENCH_FIO_H

#include <stdbool.h>
#include <stdint.h>

struct rx_strv;

/* Below 0: not known. */
struct rx_figure {
	double iops, bytes, mean_ns, p99_ns;
};

struct rx_fio {
	const char *verb, *object, *job;	/* job: NULL for one pass over all bytes */
	const char *path;		/* NULL: no device, only what fio itself does */
	uint64_t size, time_ns;
	uint64_t block, depth;		/* of the job, see fio_job() */
	bool writes;
};

enum rx_fio_end { FIO_DONE, FIO_FAILED, FIO_SIGNAL };

void fio_jobs(struct rx_strv *names);
bool fio_job(struct rx_fio *fio, const char *name);
void fio_command(const struct rx_fio *fio, struct rx_strv *argv);
enum rx_fio_end fio_run(const struct rx_fio *fio, struct rx_figure *figure);

#endif
