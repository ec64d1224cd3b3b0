/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_ADVISE_BARS_H
#define RXADM_ADVISE_BARS_H

#include <stddef.h>

struct rx_plot_row;

void plot_bars(const struct rx_plot_row *rows, size_t n, const char *heading);

#endif
