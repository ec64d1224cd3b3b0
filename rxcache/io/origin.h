/* SPDX-License-Identifier: GPL-2.0-only */
/* The origin: parts are sent to it, it answers them, and it may be lost. */
#ifndef _RXC_ORIGIN_H
#define _RXC_ORIGIN_H

#include <linux/blkdev.h>
#include <linux/minmax.h>
#include "cache.h"

struct rxc_part;

/* No size of an origin: each request looks for itself. */
#define RXC_UNSETTLED	((sector_t)U64_MAX)

/*
 * Whether the origin has another size than the one up to which the cached blocks are known
 * to equal it. Context: any.
 */
static inline bool rxc_origin_resized(const struct rxc_cache *cache)
{
	return bdev_nr_sectors(cache->origin.bdev) != READ_ONCE(cache->origin_sectors);
}

/*
 * Returns the sector behind which cached blocks may have the content from before the origin
 * shrank. Whoever looks for a block after this call, and finds that it ends before that
 * sector, finds no such content. The notes are read first: follow.c sets @origin_stale before
 * it takes them. Context: any.
 */
static inline sector_t rxc_origin_stale_from(const struct rxc_cache *cache)
{
	sector_t least = READ_ONCE(cache->origin_least);

	/* Pairs with try_cmpxchg() in least_take(). */
	smp_rmb();
	/* Pairs with the release in tail_done(). */
	return min(least, smp_load_acquire(&cache->origin_stale));
}

int rxc_origin_find(const char *path, dev_t *dev);	/* process */
void rxc_origin_note_dead(struct rxc_cache *cache);		/* any context, no lock */
sector_t rxc_origin_note_size(struct rxc_cache *cache);	/* any context, no lock */
void rxc_origin_write(struct rxc_part *part);
void rxc_origin_read(struct rxc_part *part);
void rxc_origin_answered(struct rxc_part *part);	/* any context */

#endif
