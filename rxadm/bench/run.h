/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_BENCH_RUN_H
#define RXADM_BENCH_RUN_H

struct rx_bench;
struct rx_strv;

int bench_run(struct rx_bench *bench);
void bench_dry(const struct rx_bench *bench, struct rx_strv *commands);

#endif
