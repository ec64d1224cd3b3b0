/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_BENCH_SHOW_H
#define RXADM_BENCH_SHOW_H

#include <stdbool.h>

struct rx_bench;
struct rx_strv;

bool bench_load(struct rx_bench *bench, const char *path);
extern const struct rx_view view_jobs;
void bench_show(struct rx_bench *bench);
void bench_show_commands(const struct rx_strv *commands);

#endif
