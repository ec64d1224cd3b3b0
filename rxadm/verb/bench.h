/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_BENCH_H
#define RXADM_VERB_BENCH_H

#include "verb/args.h"

rx_verb_run cmd_bench;
extern const struct rx_view view_jobs;

#endif
