/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks that had to go, of whichever cache of a pool. */
#ifndef _RXC_EVICT_H
#define _RXC_EVICT_H

#include "figures/stats.h"
#include "trace.h"

struct rxc_pool;
struct rxc_taken;

/*
 * Counts a block that was taken out of the index for its owner, in @stat, and traces it.
 * Context: any, in the RCU read-side section in which the block was taken out.
 */
void rxc_evict_note(struct rxc_pool *pool, const struct rxc_taken *old,
		    enum rxc_stat stat, enum rxc_evict_reason reason);

#endif
