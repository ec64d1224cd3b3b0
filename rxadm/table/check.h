/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong with lines that are right one by one. */
#ifndef RXADM_TABLE_CHECK_H
#define RXADM_TABLE_CHECK_H

struct rx_tab;

void tab_check_lines(struct rx_tab *tab);

#endif
