/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How caches come to a pool and leave it. The first cache on a RAM disk claims the disk
 * and makes the pool; others join it; the last one to leave takes the pool apart. A cache
 * takes its own blocks and pins with it, and nobody else's.
 */
#ifndef _RXC_JOIN_H
#define _RXC_JOIN_H

#include <linux/types.h>
#include "life/bounds.h"

struct rxc_cache;
struct rxc_pool;

/**
 * struct rxc_terms - what a cache asks for when it joins
 * @size: of a disk that is not there yet, in bytes, for a check, and checked by
 *	rxc_pool_check_size(); or 0
 * @erase: the data of the disk may be lost
 * @own_disk: the disk was attached for this cache
 * @compress: its blocks are to be compressed
 * @bounds: of what it has of the pool
 */
struct rxc_terms {
	u64 size;
	bool erase;
	bool own_disk;
	bool compress;
	struct rxc_bounds bounds;
};

/*
 * Whether a disk of @bytes can be the memory of @cache, whoever else uses what. Returns 0 or
 * an errno with its text in *@why: -ENOSPC too small, -EINVAL shares that do not fit, or
 * blocks that cannot be compressed, -ENOMEM no memory for the index now. Context: process,
 * no lock.
 */
int rxc_pool_check_size(const struct rxc_cache *cache, const struct rxc_terms *terms, u64 bytes,
			const char **why);
int rxc_pool_join(struct rxc_cache *cache, const struct rxc_terms *terms, bool commit,
		  const char **why);			/* rxc_mutex */
bool rxc_pool_joined(struct rxc_cache *cache);		/* rxc_mutex */
void rxc_pool_leave(struct rxc_cache *cache);		/* may sleep, no lock */
void rxc_pool_put(struct rxc_pool *pool);		/* any context */

#endif
