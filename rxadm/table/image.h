/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_IMAGE_H
#define RXADM_TABLE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct rx_strv;
struct rx_tab;
struct tab_line;

const char *tab_image_wrong(const char *path);
const char *tab_save_wrong(const char *text, uint64_t *ns);
void tab_check_image(struct rx_tab *tab, struct tab_line *line);
uint64_t tab_image_ms(const struct tab_line *line);
char *image_dir(const char *path);
bool image_on_root(const char *path);
bool image_is_remote(const char *path);
bool image_before_target(const char *path);
void image_devices(const char *path, struct rx_strv *devices);
char *image_unmounted(const char *path);
void tab_check_own_places(struct rx_tab *tab);
void tab_check_places(struct rx_tab *tab, bool check);

#endif
