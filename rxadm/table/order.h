/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_ORDER_H
#define RXADM_TABLE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Lines of fstab and crypttab: the device, and what uses it. */
struct tab_uses {
	struct tab_use {
		const char *file;
		char *device, *what, *options;
		char *key;	/* of crypttab; NULL: of fstab */
		bool swap;
	} *v;
	size_t n;
};

struct rx_tab;
struct tab_line;

void tab_uses_load(struct tab_uses *uses);
void tab_uses_free(struct tab_uses *uses);
const char *tab_late_image(const struct rx_tab *tab, const struct tab_line *line);
bool tab_needs_network(const struct tab_line *line);
void tab_check_order(struct rx_tab *tab);

#endif
