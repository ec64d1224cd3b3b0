/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_MEMORY_H
#define RXADM_TABLE_MEMORY_H

#include <stdbool.h>

struct rx_tab;

void tab_check_machine(struct rx_tab *tab, bool check);
void tab_check_sums(struct rx_tab *tab);

#endif
