/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_SAMPLE_H
#define RXADM_WATCH_SAMPLE_H

#include <stdint.h>

#include "kernel/list.h"
#include "kernel/name.h"

struct rx_err;
struct rx_rates;
struct rx_sampler;

void list_subtract(struct rx_list *now, const struct rx_list *before);
struct rx_list list_figures(const struct rx_list *list, const struct rx_objects *only);
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		uint64_t interval_ns);
int sample(struct rx_sampler *s, struct rx_err *err);
void sample_free(struct rx_sampler *s);

#endif
