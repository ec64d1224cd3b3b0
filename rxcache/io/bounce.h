/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts that go to the origin in pieces, from buffers of the cache's own. */
#ifndef _RXC_BOUNCE_H
#define _RXC_BOUNCE_H

#include <linux/mempool.h>
#include <linux/semaphore.h>
#include <linux/types.h>

struct rxc_cache;
struct rxc_part;

/**
 * struct rxc_bounces - memory for the pieces of a cache's parts
 * @room: how many more pieces may be made; bounds their memory
 * @pieces: the pieces; each is taken before its buffer
 * @pages: the buffers, 2^@order pages each
 * @order: so that a buffer holds a logical block of the origin
 */
struct rxc_bounces {
	struct semaphore room;
	mempool_t pieces;
	mempool_t pages;
	unsigned int order;
};

int rxc_bounce_init(struct rxc_cache *cache);	/* may sleep, no lock */
void rxc_bounce_exit(struct rxc_cache *cache);	/* may sleep, no lock */
bool rxc_bounce_wanted(const struct rxc_part *part);	/* any context */
void rxc_bounce_part(struct rxc_part *part);

#endif
