/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a disk that have memory. */
#ifndef _RXD_EXTENTS_H
#define _RXD_EXTENTS_H

#include <linux/types.h>

struct rxd_tree;

/* Attribute "extents" is an array of these. */
struct rxd_extent {
	u64 offset, length;		/* bytes */
};

/* Where a walk is done. */
#define RXD_EXTENTS_END	(~0ULL)

/*
 * Fills @to with up to @max extents of the pages in @t, from byte *@cursor up to @size.
 * Neither @max, which is above 0, nor the bounds of one call may be enough for all. So
 * *@cursor moves to the byte where the next call goes on, or to RXD_EXTENTS_END. It moves
 * even if there was no extent. Pages that enter or leave meanwhile may be missed; all
 * others are in the extents of one call or another, once.
 *
 * Holds no lock, and the owner of @t may empty it meanwhile if it frees pages and nodes a
 * grace period after they were unlinked. Context: process, may sleep. Return: the number
 * of extents.
 */
unsigned int rxd_extents_walk(struct rxd_tree *t, u64 *cursor, u64 size,
			      struct rxd_extent *to, unsigned int max);

#endif
