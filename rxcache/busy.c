// SPDX-License-Identifier: GPL-2.0-only
/* Ranges in flight at the origin. See busy.h for what they are for. */
#include <linux/build_bug.h>
#include <linux/interval_tree_generic.h>
#include <linux/lockdep.h>
#include "busy.h"

#define BUSY_FIRST(busy) ((busy)->first)
#define BUSY_LAST(busy) ((busy)->last)

/* Block numbers do not fit an unsigned long everywhere: an origin may be large. */
static_assert(__same_type(((struct rxc_busy *)NULL)->first, u64) &&
	      __same_type(((struct rxc_busy *)NULL)->last, u64) &&
	      __same_type(((struct rxc_busy *)NULL)->subtree_last, u64));

INTERVAL_TREE_DEFINE(struct rxc_busy, rb, u64, subtree_last,
		     BUSY_FIRST, BUSY_LAST, static inline, busy_tree)

void rxc_busy_init(struct rxc_busy_tree *tree)
{
	spin_lock_init(&tree->lock);
	tree->root = RB_ROOT_CACHED;
}

void rxc_busy_enter_write(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy *other;
	unsigned long flags;

	busy->kind = RXC_BUSY_WRITE;
	busy->raced = false;
	busy->met = false;
	spin_lock_irqsave(&tree->lock, flags);
	for (other = busy_tree_iter_first(&tree->root, busy->first, busy->last);
	     other;
	     other = busy_tree_iter_next(other, busy->first, busy->last)) {
		/* A write's owner looks at its own without the lock. */
		WRITE_ONCE(other->raced, true);
		if (other->kind != RXC_BUSY_VERIFY)
			busy->met = true;
		if (other->kind == RXC_BUSY_WRITE)
			busy->raced = true;
	}
	busy_tree_insert(busy, &tree->root);
	spin_unlock_irqrestore(&tree->lock, flags);
}

void rxc_busy_enter_fill(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	lockdep_assert_held(&tree->lock);
	busy->kind = RXC_BUSY_FILL;
	busy->raced = false;
	busy_tree_insert(busy, &tree->root);
}

void rxc_busy_enter_bypass(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	lockdep_assert_held(&tree->lock);
	busy->kind = RXC_BUSY_BYPASS;
	busy->raced = false;
	busy_tree_insert(busy, &tree->root);
}

void rxc_busy_enter_verify(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy *other;
	unsigned long flags;

	busy->kind = RXC_BUSY_VERIFY;
	busy->raced = false;
	spin_lock_irqsave(&tree->lock, flags);
	for (other = busy_tree_iter_first(&tree->root, busy->first, busy->last);
	     other;
	     other = busy_tree_iter_next(other, busy->first, busy->last))
		if (other->kind == RXC_BUSY_WRITE)
			busy->raced = true;
	busy_tree_insert(busy, &tree->root);
	spin_unlock_irqrestore(&tree->lock, flags);
}

void rxc_busy_leave_locked(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	lockdep_assert_held(&tree->lock);
	busy_tree_remove(busy, &tree->root);
}

void rxc_busy_leave(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	unsigned long flags;

	spin_lock_irqsave(&tree->lock, flags);
	rxc_busy_leave_locked(tree, busy);
	spin_unlock_irqrestore(&tree->lock, flags);
}

struct rxc_busy *rxc_busy_find(struct rxc_busy_tree *tree, u64 block)
{
	struct rxc_busy *other, *fill = NULL;

	lockdep_assert_held(&tree->lock);
	for (other = busy_tree_iter_first(&tree->root, block, block); other;
	     other = busy_tree_iter_next(other, block, block)) {
		if (other->kind == RXC_BUSY_WRITE)
			return other;
		/* Beside a raced fill there can be a later, valid one. */
		if (other->kind == RXC_BUSY_FILL && (!fill || fill->raced))
			fill = other;
	}
	return fill;
}

u64 rxc_busy_free_until(struct rxc_busy_tree *tree, u64 first, u64 last)
{
	struct rxc_busy *other;

	lockdep_assert_held(&tree->lock);
	/* The tree yields ranges in the order of their first block. */
	for (other = busy_tree_iter_first(&tree->root, first, last); other;
	     other = busy_tree_iter_next(other, first, last))
		if (other->kind == RXC_BUSY_WRITE ||
		    other->kind == RXC_BUSY_FILL)
			return other->first - 1;
	return last;
}
