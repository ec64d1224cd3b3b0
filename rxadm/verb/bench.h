/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_BENCH_H
#define RXADM_VERB_BENCH_H

#include "args/args.h"

rx_verb_run cmd_bench;
/* Adds the names of all jobs. */
void bench_jobs(struct rx_strv *names);
extern const struct rx_view view_jobs;

#endif
