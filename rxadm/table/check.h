/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds lines of the table that contradict each other, themselves, or this machine. */
#ifndef RXADM_TABLE_CHECK_H
#define RXADM_TABLE_CHECK_H

#include "table/table.h"

void tab_check_lines(struct rx_tab *tab);
void tab_check_machine(struct rx_tab *tab, bool check);
void tab_check_sums(struct rx_tab *tab);

#endif
