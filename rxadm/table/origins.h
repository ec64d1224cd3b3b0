/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_ORIGINS_H
#define RXADM_TABLE_ORIGINS_H

#include <stdbool.h>

struct rx_tab;

void tab_check_origins(struct rx_tab *tab, bool check);

#endif
