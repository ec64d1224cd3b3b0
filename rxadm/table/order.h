/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_ORDER_H
#define RXADM_TABLE_ORDER_H

#include <stdbool.h>

struct rx_tab;
struct tab_line;

const char *tab_late_image(const struct rx_tab *tab, const struct tab_line *line);
bool tab_needs_network(const struct tab_line *line);
void tab_check_order(struct rx_tab *tab);

#endif
