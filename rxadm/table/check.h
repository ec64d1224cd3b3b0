/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds lines of the table that contradict each other, themselves, or this machine. */
#ifndef RXADM_TABLE_CHECK_H
#define RXADM_TABLE_CHECK_H

#include "table/table.h"

struct rx_objects;

void tab_check_lines(struct rx_tab *tab);
/*
 * Has the kernel check the lines of an up, or those that are NAMED if any is. If CHECK is set,
 * those of all, without loading a module, and it also warns of sizes that can't be filled.
 */
void tab_check_machine(struct rx_tab *tab, const struct rx_objects *named, bool check);
void tab_check_sums(struct rx_tab *tab);

#endif
