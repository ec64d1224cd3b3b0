/* SPDX-License-Identifier: GPL-2.0-only */
/* The least and the most that a cache has of a pool which it shares. */
#ifndef _RXC_BOUNDS_H
#define _RXC_BOUNDS_H

#include <linux/types.h>

struct rxc_cache;
struct rxc_pool;

/**
 * struct rxc_bound - a part of a pool, as the user gave it
 * @bytes: if @percent is 0
 * @percent: of the pool, and follows its size
 */
struct rxc_bound {
	u64 bytes;
	u32 percent;
};

/**
 * struct rxc_bounds - the bounds of a cache
 * @min: blocks up to this are not evicted for other caches; 0: none
 * @max: with this the cache evicts its own blocks for new ones; 100 %: none
 */
struct rxc_bounds {
	struct rxc_bound min;
	struct rxc_bound max;
};

/*
 * Returns what is wrong with the bounds of a cache that has a pool of @bytes bytes for
 * itself, or NULL. Context: any.
 */
const char *rxc_bounds_wrong(const struct rxc_bounds *bounds, unsigned int block_shift,
			     u64 bytes);

/*
 * Whether a cache can have these bounds in a pool, in which it need not be yet. 0, or
 * -EINVAL with a text in *@why.
 */
int rxc_bounds_check(const struct rxc_pool *pool, const struct rxc_cache *cache,
		     const struct rxc_bounds *to, const char **why);

/*
 * Gives a cache that is in its pool other bounds, which have been checked. Blocks beyond a
 * smaller max stay until rxc_bounds_cut().
 */
void rxc_bounds_set(struct rxc_cache *cache, const struct rxc_bounds *to);

/*
 * Has a worker evict what the caches of a pool have beyond their max. rxc_bounds_end() is
 * still to be called.
 */
void rxc_bounds_cut(struct rxc_pool *pool);

/*
 * Whether a pool of @bytes bytes has room for the min of all its caches, and for that in @to
 * of @cache, which may be one of them.
 */
bool rxc_bounds_fit(const struct rxc_pool *pool, u64 bytes, const struct rxc_cache *cache,
		    const struct rxc_bounds *to);

/*
 * The size of a pool has changed, or is about to, or a cache has left, or one has no origin
 * any more.
 */
void rxc_bounds_apply(struct rxc_pool *pool);

/* The bounds of a cache in blocks, at most the pool. */
u64 rxc_bounds_min(const struct rxc_cache *cache);
u64 rxc_bounds_max(const struct rxc_cache *cache);

/*
 * All of these but rxc_bounds_wrong() under rxc_mutex. The two below without it, when nobody
 * calls the others yet, or any more.
 */

void rxc_bounds_init(struct rxc_pool *pool);

/* Ends the worker, once the pool is @ending. May sleep. */
void rxc_bounds_end(struct rxc_pool *pool);

#endif
