/* SPDX-License-Identifier: GPL-2.0-only */
/* The table from its file. */
#ifndef RXADM_TABLE_LOAD_H
#define RXADM_TABLE_LOAD_H

#include <stddef.h>

struct rx_strv;
struct rx_tab;

/* Fills TAB, which keeps PATH, from the text of a file. tab_free() frees it. */
void tab_parse(struct rx_tab *tab, const char *path, const char *text, size_t len);
/* Does so from the file PATH. Returns 0, or an errno if it can't be read. */
int tab_load(struct rx_tab *tab, const char *path);
/* Prints, for completion, the names in the table PATH, or in /etc/rxtab. */
void tab_put_names(const char *path);
/* Returns the names of the disks in /etc/rxtab, which the caller frees. */
struct rx_strv tab_reserved(void);

#endif
