/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_STAT_H
#define RXADM_WATCH_STAT_H

#include <stdint.h>

struct rx_disk;
struct rx_cache;
struct rx_list;

void stat_page_disk(const struct rx_disk *disk);
void stat_page_cache(const struct rx_cache *cache, uint64_t beside);
void stat_lines(const struct rx_list *list, uint64_t interval_ns);

#endif
