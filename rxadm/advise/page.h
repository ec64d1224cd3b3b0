/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_ADVISE_PAGE_H
#define RXADM_ADVISE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

struct rx_advice;

struct rx_plot_row {
	char size[32], label[32];
	double ratio;
	bool chosen;
};

void plot_bars(const struct rx_plot_row *rows, size_t n, const char *heading);
void advice_page(const struct rx_advice *a);

#endif
