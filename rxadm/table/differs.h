/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_DIFFERS_H
#define RXADM_TABLE_DIFFERS_H

#include <stdint.h>

struct tab_line;
struct rx_disk;
struct rx_cache;

uint64_t tab_disk_size(const struct tab_line *line);
char *tab_disk_differs(const struct tab_line *line, const struct rx_disk *disk);
char *tab_cache_differs(const struct tab_line *line,
			const struct rx_cache *cache);

#endif
