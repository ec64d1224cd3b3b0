/* SPDX-License-Identifier: GPL-2.0-only */
/* Which caches have their blocks compressed, and the work that does it. See packed/pack.h. */
#ifndef _RXC_COMPRESS_H
#define _RXC_COMPRESS_H

#include <linux/types.h>

struct rxc_cache;
struct rxc_pool;

/* Why a cache with larger blocks can't have them compressed. */
extern const char rxc_compress_one_page[];

/*
 * Makes the pool, whose blocks have one page, able to compress as a setting says. Context:
 * process, may sleep, rxc_mutex. Returns 0, or an errno with its text in *@why, and then
 * nothing has changed.
 */
int rxc_compress_prepare(struct rxc_pool *pool, u32 setting, const char **why);

/*
 * Sets how new blocks of a cache are compressed, after rxc_compress_prepare(). A compressed
 * block stays compressed until it leaves. Context: as above.
 */
void rxc_compress_set(struct rxc_cache *cache, u32 setting);

#endif
