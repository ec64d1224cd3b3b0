/* SPDX-License-Identifier: GPL-2.0-only */
/* The start of a cache. */
#ifndef _RXC_START_H
#define _RXC_START_H

struct rxc_cache;

struct rxc_cache *rxc_cache_new(void);		/* may sleep, no lock */
void rxc_cache_start(struct rxc_cache *cache);	/* rxc_mutex */

#endif
