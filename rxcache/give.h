/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives blocks of a cache back under memory pressure. */
#ifndef _RXC_GIVE_H
#define _RXC_GIVE_H

#include <linux/types.h>
#include "trace.h"

struct rxc_map;
struct rxc_pool;

/*
 * Has memory pressure ask the pool of a cache, which has its index, or no longer.
 * Context: process, may sleep. 0 or an errno.
 */
int rxc_give_begin(struct rxc_map *map);
void rxc_give_end(struct rxc_map *map);

/* How many blocks are above the floor, which memory pressure leaves. Context: any. */
u64 rxc_give_above(const struct rxc_pool *pool);

/*
 * Evicts a cold block and frees its memory; the caller counts it. Context: any. Returns
 * whether one was found.
 */
bool rxc_give_block(struct rxc_map *map, enum rxc_evict_reason reason);

#endif
