/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pinned ranges of keys, whose blocks nobody evicts, and for each table of the index a bit
 * for each way that says whether its block is one of them. The ranges are the promise: a
 * block that was dropped by a write, a discard or a flush has its bit again when it is
 * back, and a block that moves to another table has it there.
 *
 * A set has at most three quarters of its ways pinned, so that it always has blocks that
 * make room for others. All ranges together are bounded to half of the cache: then blocks
 * that find their set full are rare, and these are cached like any other block.
 *
 * The ranges are read under RCU, and changed by one call at a time. The bits of a set
 * belong to its lock. A block that enters a set looks at the ranges under that lock, and a
 * change of the ranges goes through the blocks that are cached afterwards: each sees the
 * new ranges in one of the two ways.
 */
#ifndef _RXC_PINS_H
#define _RXC_PINS_H

#include <linux/types.h>

struct rxc_pinned;
struct rxc_pins;

/* Makes pins without ranges, or returns NULL. Context: process, may sleep. */
struct rxc_pins *rxc_pins_new(void);

/* @pins may be NULL. Nobody looks at them any more. Context: process. */
void rxc_pins_free(struct rxc_pins *pins);

/*
 * Adds the keys from @first to @last to the ranges, or takes them out. Context: process,
 * may sleep, one call at a time. 0, -ENOMEM, -EOVERFLOW if there are too many ranges, -ENOSPC
 * if they would have more than @most keys.
 */
int rxc_pins_add(struct rxc_pins *pins, u64 first, u64 last, u64 most);
int rxc_pins_remove(struct rxc_pins *pins, u64 first, u64 last);

/* Context: any. */
u64 rxc_pins_blocks(const struct rxc_pins *pins);	/* keys of the ranges */
u64 rxc_pins_used(const struct rxc_pins *pins);		/* pinned ways of all tables */
u64 rxc_pins_bytes(const struct rxc_pins *pins);	/* memory that they take */

/* Makes the bits of a table, or returns NULL. Context: process, may sleep. */
struct rxc_pinned *rxc_pinned_new(struct rxc_pins *pins, u64 sets, unsigned int ways);

/* @pinned may be NULL. Nobody looks at it any more. Context: process. */
void rxc_pinned_free(struct rxc_pinned *pinned);

/* The pinned ways of a set, which without its lock may be others by now. */
u64 rxc_pinned_ways(const struct rxc_pinned *pinned, u64 set);

/* What follows is done under the lock of the set. */

/* Sets the bit of a way that holds @key as the ranges say. */
void rxc_pinned_settle(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key);

/* Clears the bit of a way whose block goes. */
void rxc_pinned_leave(struct rxc_pinned *pinned, u64 set, unsigned int way);

#endif
