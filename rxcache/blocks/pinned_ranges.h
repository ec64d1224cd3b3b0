/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pinned ranges of keys, whose blocks are not evicted. Each table of the index has a bit
 * for each way, which says whether the block in the way is pinned. The ranges outlast the
 * bits. A block that a write, a discard or a flush has dropped gets its bit again when
 * the block is back. A block that moves to another table gets its bit there.
 *
 * A set has at most three quarters of its ways pinned, so that a full set always has
 * blocks to evict. All ranges together are limited to half of the cache, so a block
 * rarely finds its set at this maximum. It is then cached without a pin.
 *
 * The ranges are read under RCU, and changed by one call at a time. The lock of a set
 * protects its bits. A block that enters a set gets its bit under that lock. After a
 * change of the ranges, the caller settles all blocks that are cached by then. So the new
 * ranges reach each block in one of the two ways.
 */
#ifndef _RXC_PINNED_RANGES_H
#define _RXC_PINNED_RANGES_H

#include <linux/types.h>

struct rxc_pinned;
struct rxc_pins;

/* Makes pins without ranges, or returns NULL. Context: process, may sleep. */
struct rxc_pins *rxc_pins_new(void);

/* Frees pins that no reader can find any more, or NULL. Context: process. */
void rxc_pins_free(struct rxc_pins *pins);

/*
 * Add the keys from @first to @last, of one cache, to the ranges, or take them out. Return
 * 0, -ENOMEM, -EOVERFLOW if there would be too many ranges, or -ENOSPC if the ranges would
 * have more than @most keys. Context: process, may sleep, one call at a time.
 */
int rxc_pins_add(struct rxc_pins *pins, u64 first, u64 last, u64 most);
int rxc_pins_remove(struct rxc_pins *pins, u64 first, u64 last);

/* Return what these would, but for -ENOMEM, and change nothing. Context: the same. */
int rxc_pins_may_add(struct rxc_pins *pins, u64 first, u64 last, u64 most);
int rxc_pins_may_remove(struct rxc_pins *pins, u64 first, u64 last);

/* Context: any. */
u64 rxc_pins_blocks(const struct rxc_pins *pins);	/* keys of the ranges */
u64 rxc_pins_blocks_of(const struct rxc_pins *pins, unsigned int cache);	/* of a cache */
u64 rxc_pins_used(const struct rxc_pins *pins, unsigned int cache);	/* its pinned ways */
u64 rxc_pins_bytes(const struct rxc_pins *pins);	/* memory of the ranges, about */

/* Makes the bits of a table, or returns NULL. Context: process, may sleep. */
struct rxc_pinned *rxc_pinned_new(struct rxc_pins *pins, u64 sets, unsigned int ways);

/* Frees bits that no reader can find any more, or NULL. Context: process. */
void rxc_pinned_free(struct rxc_pinned *pinned);

/* Returns the pinned ways of a set. Without the set's lock, they may be outdated. */
u64 rxc_pinned_ways(const struct rxc_pinned *pinned, u64 set);

/* The functions below run under the lock of the set. */

/* Sets or clears the bit of a way that holds @key, as the ranges say. */
void rxc_pinned_settle(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key);

/* Clears the bit of a way whose block, with @key, leaves. */
void rxc_pinned_leave(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key);

#endif
