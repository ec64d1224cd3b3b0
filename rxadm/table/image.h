/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_IMAGE_H
#define RXADM_TABLE_IMAGE_H

#include <stdint.h>

struct rx_tab;
struct tab_line;

const char *tab_image_wrong(const char *path);
const char *tab_save_wrong(const char *text, uint64_t *ns);
void tab_check_image(struct rx_tab *tab, struct tab_line *line);
uint64_t tab_image_ms(const struct tab_line *line);

#endif
