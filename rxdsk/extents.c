// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the parts of a disk that have memory, for a program that saves only these. The
 * walk goes from leaf to leaf, so its time depends on the pages present and not on the
 * size of the disk. It is done in batches, each under rcu_read_lock() and beginning at the
 * root, because nothing that was found may be kept between two of them.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "extents.h"
#include "tree.h"

enum {
	/* Leaves of a batch: 64 MiB of a full disk, in some tens of microseconds. */
	BATCH_LEAVES	= 256,
	/* Batches of a call: 4 GiB of a full disk, in a few milliseconds. */
	CALL_BATCHES	= 64,
};

struct walk {
	struct rxd_tree *tree;
	pgoff_t index;			/* of the next page */
	pgoff_t last;
	struct rxd_extent *to;
	unsigned int nr, max;		/* extents in @to */
};

/* Adds the page at w->index. Returns false if it needs an extent more than there may be. */
static bool add_page(struct walk *w)
{
	u64 offset = (u64)w->index << PAGE_SHIFT;
	struct rxd_extent *e = &w->to[w->nr];

	if (w->nr && e[-1].offset + e[-1].length == offset) {
		e[-1].length += PAGE_SIZE;
		return true;
	}
	if (w->nr == w->max)
		return false;
	*e = (struct rxd_extent){ offset, PAGE_SIZE };
	w->nr++;
	return true;
}

/* Returns false if an extent had no room. */
static bool walk_leaf(struct walk *w, const struct rxd_node *leaf)
{
	do {
		if (rxd_leaf_page(w->tree, leaf, w->index) && !add_page(w))
			return false;
		w->index++;
	} while (w->index % RXD_NODE_SLOTS && w->index <= w->last);
	return true;
}

/* Returns whether the walk may go on: there may be more pages, and there is room. */
static bool walk_batch(struct walk *w)
{
	unsigned int leaves = BATCH_LEAVES;
	struct rxd_node *leaf;
	bool more = true;

	rcu_read_lock();
	while (more && leaves--) {
		leaf = rxd_tree_next(w->tree, &w->index, w->last);
		if (!leaf)
			w->index = w->last + 1;
		more = leaf && walk_leaf(w, leaf);
	}
	rcu_read_unlock();
	return more;
}

unsigned int rxd_extents_walk(struct rxd_tree *t, u64 *cursor, u64 size,
			      struct rxd_extent *to, unsigned int max)
{
	struct walk w = {
		.tree = t, .index = *cursor >> PAGE_SHIFT,
		.last = (size - 1) >> PAGE_SHIFT, .to = to, .max = max,
	};
	unsigned int batches = CALL_BATCHES;

	while (batches-- && walk_batch(&w))
		cond_resched();
	*cursor = w.index > w.last ? RXD_EXTENTS_END : (u64)w.index << PAGE_SHIFT;
	/* The disk may end within a page. */
	if (w.nr)
		to[w.nr - 1].length = min(to[w.nr - 1].length,
					  size - to[w.nr - 1].offset);
	return w.nr;
}
