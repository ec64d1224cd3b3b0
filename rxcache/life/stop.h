/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of a cache. */
#ifndef _RXC_STOP_H
#define _RXC_STOP_H

struct rxc_map;

void rxc_map_init(struct rxc_map *map);
int rxc_map_stop(struct rxc_map *map, const char **why);	/* rxc_mutex */
void rxc_map_end(struct rxc_map *map);		/* may sleep, no lock */
void rxc_map_gone(struct rxc_map *map);		/* may sleep, no lock */
void rxc_map_free(struct rxc_map *map);		/* may sleep, no lock */

#endif
