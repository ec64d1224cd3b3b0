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

/* If parts of more holders wait, the others share the last line for as long as that lasts. */
enum { RXC_LINES = RXC_HOLDERS };

/**
 * struct rxc_line - parts of one holder that wait for room, the first one longest
 * @cgroup: with @kind, whose they are; see inflight.h. Only compared: each part keeps it
 * @kind: likewise; 0 while nobody waits
 * @parts: their bios
 */
struct rxc_line {
	const void *cgroup;
	u32 kind;
	struct bio_list parts;
};

/**
 * struct rxc_bounces - memory for the pieces of a cache's parts
 * @inflight: the pieces in flight, by holders; bounds their memory. Pieces are added under
 *	@lock, and taken away without it
 * @lock: of @line and @waits, too; nothing else is locked under it
 * @line: parts that have no room for their next piece
 * @turn: which of @line is asked next
 * @waits: how many parts wait
 * @more: gives room to parts that wait
 * @wq: of the works that send pieces
 * @pieces: the pieces; each is taken before its buffer
 * @pages: the buffers, 2^@order pages each
 * @order: so that a buffer holds a logical block of the origin
 */
struct rxc_bounces {
	struct rxc_inflight inflight;
	spinlock_t lock;
	struct rxc_line line[RXC_LINES];
	unsigned int turn;
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
