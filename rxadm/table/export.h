/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_EXPORT_H
#define RXADM_TABLE_EXPORT_H

#include <stdbool.h>

struct rx_port;
struct rx_tab;
struct tab_line;

bool tab_export_parse(const char *text, struct rx_port *port);
void tab_check_export(struct rx_tab *tab, struct tab_line *line);
bool tab_export_is_remote(const struct tab_line *line);

#endif
