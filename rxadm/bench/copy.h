/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_BENCH_COPY_H
#define RXADM_BENCH_COPY_H

#include <stdint.h>

struct rx_job;

double copy_rate(const struct rx_job *job, uint64_t size);

#endif
