/* SPDX-License-Identifier: GPL-2.0-only */
/* The watch over a cache. */
#ifndef _RXC_WATCH_H
#define _RXC_WATCH_H

struct rxc_map;

void rxc_watch_init(struct rxc_map *map);	/* any context */
void rxc_watch_begin(struct rxc_map *map);	/* rxc_mutex */
void rxc_watch_stop(struct rxc_map *map);	/* may sleep, no lock */
void rxc_watch_end(struct rxc_map *map);	/* may sleep, no lock */

#endif
