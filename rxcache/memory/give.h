/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives blocks of a pool back under memory pressure. */
#ifndef _RXC_GIVE_H
#define _RXC_GIVE_H

#include <linux/types.h>
#include "trace.h"

struct rxc_pool;

/*
 * Register or unregister a pool, which has its index, for memory pressure. Context:
 * process, may sleep. rxc_give_begin() returns 0 or an errno.
 */
int rxc_give_begin(struct rxc_pool *pool);
void rxc_give_end(struct rxc_pool *pool);

/*
 * Returns how many blocks may be evicted: those beyond the floor or the number of pinned
 * blocks, whichever is larger. Context: any.
 */
u64 rxc_give_above(const struct rxc_pool *pool);

/*
 * Evicts a cold block that may make room for cache number @cache, or for RXC_NOBODY, counts
 * it in @stat and frees its memory. A compressed block takes those of its bin with it, so that
 * pages come back. With RXC_EVICT_SHARE all these are blocks of the cache, which has more than
 * its max. Returns whether a block was found. Context: any.
 */
bool rxc_give_block(struct rxc_pool *pool, unsigned int cache, enum rxc_stat stat,
		    enum rxc_evict_reason reason);

/*
 * Evicts cold blocks while the index has more pages than there is room for, until @pages of
 * them came back. They make room for cache number @cache, or for RXC_ANYBODY, and plain ones
 * go first. Context: any. Returns how many did.
 */
unsigned long rxc_give_crowded(struct rxc_pool *pool, unsigned int cache, unsigned long pages);

/*
 * Does that until the index is not crowded, or nothing may go. Without @plain, the order is the
 * policy's alone, for when so much has to go that few plain blocks would be left. Context:
 * process, may sleep.
 */
void rxc_give_fit(struct rxc_pool *pool, bool plain);

#endif
