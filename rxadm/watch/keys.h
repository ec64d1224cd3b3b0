/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_KEYS_H
#define RXADM_WATCH_KEYS_H

#include "watch/top.h"

extern const struct rx_sort_key rx_sort_keys[SORTS];
int keys_next(struct rx_keys *keys, int byte);
void keys_obey(struct rx_top *top, int key);

#endif
