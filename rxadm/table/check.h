/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds lines of the table that contradict each other, or themselves. */
#ifndef RXADM_TABLE_CHECK_H
#define RXADM_TABLE_CHECK_H

struct rx_tab;

void tab_check_lines(struct rx_tab *tab);

#endif
