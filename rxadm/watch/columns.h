/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_COLUMNS_H
#define RXADM_WATCH_COLUMNS_H

struct rx_view;

extern const struct rx_view view_rates;

#endif
