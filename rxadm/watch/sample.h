/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_SAMPLE_H
#define RXADM_WATCH_SAMPLE_H

struct rx_sampler;
struct rx_err;

int sample(struct rx_sampler *s, struct rx_err *err);
void sample_free(struct rx_sampler *s);

#endif
