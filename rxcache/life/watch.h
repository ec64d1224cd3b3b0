/* SPDX-License-Identifier: GPL-2.0-only */
/* The watch over a cache. */
#ifndef _RXC_WATCH_H
#define _RXC_WATCH_H

struct rxc_cache;

void rxc_watch_init(struct rxc_cache *cache);	/* any context */
void rxc_watch_begin(struct rxc_cache *cache);	/* rxc_mutex */
void rxc_watch_stop(struct rxc_cache *cache);	/* may sleep, no lock */
void rxc_watch_end(struct rxc_cache *cache);	/* may sleep, no lock */

#endif
