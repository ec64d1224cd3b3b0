/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives blocks of a cache back under memory pressure. */
#ifndef _RXC_GIVE_H
#define _RXC_GIVE_H

#include <linux/types.h>
#include "trace.h"

struct rxc_map;
struct rxc_pool;

/*
 * Register or unregister the pool of a cache, which has its index, for memory pressure.
 * Context: process, may sleep. rxc_give_begin() returns 0 or an errno.
 */
int rxc_give_begin(struct rxc_map *map);
void rxc_give_end(struct rxc_map *map);

/*
 * Returns how many blocks may be evicted: those beyond the floor or the number of pinned
 * blocks, whichever is larger. Context: any.
 */
u64 rxc_give_above(const struct rxc_pool *pool);

/*
 * Evicts a cold block and frees its memory; the caller counts the block. Returns whether
 * a block was found. Context: any.
 */
bool rxc_give_block(struct rxc_map *map, enum rxc_evict_reason reason);

#endif
