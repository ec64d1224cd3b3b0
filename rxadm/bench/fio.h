/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_BENCH_FIO_H
#define RXADM_BENCH_FIO_H

#include <stdbool.h>

struct rx_job;
struct rx_fio_run;

bool fio_find(const char *verb, const char *object);
const char *fio_engine(const struct rx_job *job);
char *fio_line(const struct rx_fio_run *run);

#endif
