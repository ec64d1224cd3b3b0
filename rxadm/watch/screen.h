/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_SCREEN_H
#define RXADM_WATCH_SCREEN_H

#include <stddef.h>
#include <stdint.h>

struct rx_rates;

struct rx_top {
	size_t sort;		/* the column by which the rows are sorted */
	uint64_t interval_ns;
	char message[256];	/* the present problem, or "" */
	char time[32];
};

char *screen_draw(size_t width, size_t height, const struct rx_top *top,
		  struct rx_rates *rates);
void screen_key(struct rx_top *top, int key);

#endif
