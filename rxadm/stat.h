/* SPDX-License-Identifier: GPL-2.0-only */
/* The verb stat: its page in words, and its lines for --interval. */
#ifndef RXADM_STAT_H
#define RXADM_STAT_H

#include "list.h"

/* statpage.c APIs: */
void stat_page_disk(const struct rx_disk *disk);
void stat_page_cache(const struct rx_cache *cache, uint64_t beside);

/* statline.c APIs: */
void stat_lines(const struct rx_list *list, uint64_t interval_ns);

#endif
