/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts that go to the origin in pieces, from buffers of the cache's own. */
#ifndef _RXC_BOUNCE_H
#define _RXC_BOUNCE_H

#include <linux/bio.h>
#include <linux/mempool.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "memory/inflight.h"

struct rxc_cache;
struct rxc_part;

/**
 * struct rxc_bounces - memory for the pieces of a cache's parts
 * @inflight: the pieces in flight, by holders; bounds their memory
 * @lock: of @waiting and @waits; nothing else is locked under it
 * @waiting: bios of parts that have no room for their next piece
 * @waits: how many these are, with those that @more is just looking at
 * @more: gives room to parts that wait
 * @wq: of @more, and of the works that send pieces
 * @pieces: the pieces; each is taken before its buffer
 * @pages: the buffers, 2^@order pages each
 * @order: so that a buffer holds a logical block of the origin
 */
struct rxc_bounces {
	struct rxc_inflight inflight;
	spinlock_t lock;
	struct bio_list waiting;
	unsigned int waits;
	struct work_struct more;
	struct workqueue_struct *wq;
	mempool_t pieces;
	mempool_t pages;
	unsigned int order;
};

int rxc_bounce_init(struct rxc_cache *cache);	/* may sleep, no lock */
void rxc_bounce_exit(struct rxc_cache *cache);	/* may sleep, no lock */
bool rxc_bounce_wanted(const struct rxc_part *part);	/* any context */
void rxc_bounce_part(struct rxc_part *part);		/* process, any lock */

#endif
