/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_BENCH_JOBS_H
#define RXADM_BENCH_JOBS_H

#include "bench/bench.h"

extern const struct rx_job rx_jobs[];	/* a name of NULL ends them */
const struct rx_job *job_find(const char *name, size_t len);
void jobs_each(void (*put)(const char *name, const char *help));

#endif
