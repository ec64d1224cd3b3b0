/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_PLACES_H
#define RXADM_TABLE_PLACES_H

#include <stdbool.h>

struct rx_strv;
struct rx_tab;

char *image_dir(const char *path);
bool image_on_root(const char *path);
bool image_is_remote(const char *path);
bool image_before_target(const char *path);
void image_devices(const char *path, struct rx_strv *devices);
char *image_unmounted(const char *path);
void tab_check_own_places(struct rx_tab *tab);
void tab_check_places(struct rx_tab *tab, bool check);

#endif
