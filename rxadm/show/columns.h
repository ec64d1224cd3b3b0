/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_SHOW_COLUMNS_H
#define RXADM_SHOW_COLUMNS_H

struct rx_view;

extern const struct rx_view view_disks, view_caches;
extern const struct rx_view *const views_list[2];

#endif
