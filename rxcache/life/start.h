/* SPDX-License-Identifier: GPL-2.0-only */
/* The start of a cache. */
#ifndef _RXC_START_H
#define _RXC_START_H

struct rxc_map;

struct rxc_map *rxc_map_new(void);		/* may sleep, no lock */
void rxc_map_start(struct rxc_map *map);	/* rxc_mutex */

#endif
