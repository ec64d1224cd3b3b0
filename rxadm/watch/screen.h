/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_SCREEN_H
#define RXADM_WATCH_SCREEN_H

#include <stddef.h>

struct rx_total;
struct rx_top;
struct rx_rates;

void top_summary(const struct rx_total *total, char *memory, char *sums,
		 size_t len);
char *screen_draw(size_t width, size_t height, struct rx_top *top,
		  const struct rx_rates *rates);

#endif
