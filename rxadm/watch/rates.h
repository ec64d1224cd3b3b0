/* SPDX-License-Identifier: GPL-2.0-only */
/* The difference of two lists, and copies of their figures. */
#ifndef RXADM_RATES_H
#define RXADM_RATES_H

#include "kernel/list.h"

struct rx_rates;
struct rx_rate;
struct rx_top;

void list_subtract(struct rx_list *now, const struct rx_list *before);
struct rx_list list_figures(const struct rx_list *list);
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		const struct rx_list *all, uint64_t interval_ns);
void rates_free(struct rx_rates *rates);
struct rx_rate *top_rows(const struct rx_top *top, const struct rx_rates *rates,
			 size_t *n);

#endif
