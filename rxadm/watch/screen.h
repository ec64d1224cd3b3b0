/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_SCREEN_H
#define RXADM_WATCH_SCREEN_H

#include <stddef.h>

struct rx_top;
struct rx_rates;

char *screen_draw(size_t width, size_t height, const struct rx_top *top,
		  struct rx_rates *rates);
void screen_key(struct rx_top *top, int key);

#endif
