/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_EXPORT_H
#define RXADM_TABLE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

struct rx_port;
struct rx_strv;
struct rx_tab;
struct tab_line;

bool tab_export_parse(const char *text, struct rx_port *port);
void tab_check_export(struct rx_tab *tab, struct tab_line *line);
bool tab_export_is_remote(const struct tab_line *line);
size_t tab_export_transport(const struct tab_line *line);
void tab_export_addrs(const struct tab_line *line, struct rx_strv *addrs);

#endif
