/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of a cache. */
#ifndef _RXC_STOP_H
#define _RXC_STOP_H

struct rxc_cache;

void rxc_cache_init(struct rxc_cache *cache);
int rxc_cache_stop(struct rxc_cache *cache, bool commit, const char **why); /* rxc_mutex */
void rxc_cache_end(struct rxc_cache *cache);		/* may sleep, no lock */
void rxc_cache_gone(struct rxc_cache *cache);		/* may sleep, no lock */
void rxc_cache_free(struct rxc_cache *cache);		/* may sleep, no lock */

#endif
