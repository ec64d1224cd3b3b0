// SPDX-License-Identifier: GPL-2.0-only
/* Ranges in flight at the origin. busy.h describes their purpose. */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/interval_tree_generic.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include "blocks/busy.h"

#define NODE_FIRST(node) ((node)->first)
#define NODE_LAST(node) ((node)->last)

/* The interval tree below is defined for u64, so all of its numbers must be u64. */
static_assert(__same_type(((struct rxc_busy *)NULL)->first, u64) &&
	      __same_type(((struct rxc_busy *)NULL)->last, u64) &&
	      __same_type(((struct rxc_busy_node *)NULL)->first, u64) &&
	      __same_type(((struct rxc_busy_node *)NULL)->last, u64) &&
	      __same_type(((struct rxc_busy_node *)NULL)->subtree_last, u64));

INTERVAL_TREE_DEFINE(struct rxc_busy_node, rb, u64, subtree_last,
		     NODE_FIRST, NODE_LAST, static inline, node_tree)

void rxc_busy_init(struct rxc_busy_tree *tree, unsigned int block_shift)
{
	unsigned int i;

	tree->region_shift = RXC_BUSY_REGION_SHIFT - block_shift;
	tree->nr_wide = 0;
	tree->wide = RB_ROOT_CACHED;
	rwlock_init(&tree->wide_lock);
	for (i = 0; i < RXC_BUSY_STRIPES; i++) {
		spin_lock_init(&tree->stripe[i].lock);
		tree->stripe[i].root = RB_ROOT_CACHED;
	}
}

static struct rxc_busy_stripe *stripe_of(struct rxc_busy_tree *tree, u64 block)
{
	return &tree->stripe[hash_64(block >> tree->region_shift,
				     RXC_BUSY_STRIPE_BITS)];
}

static bool is_wide(const struct rxc_busy_tree *tree, u64 first, u64 last)
{
	return (last >> tree->region_shift) - (first >> tree->region_shift) > 1;
}

/* The last block of the region of @block. */
static u64 region_end(const struct rxc_busy_tree *tree, u64 block)
{
	return block | ((1ULL << tree->region_shift) - 1);
}

/*
 * The locks to take are known only at run time, which sparse can't follow. So after each
 * lock sparse is told that nothing is held, and before each unlock that the lock is held.
 */
void rxc_busy_lock(struct rxc_busy_tree *tree, u64 first, u64 last,
		   struct rxc_busy_held *held)
{
	struct rxc_busy_stripe *a, *b;

	WARN_ON_ONCE(is_wide(tree, first, last));
	a = stripe_of(tree, first);
	b = last <= region_end(tree, first) ? a : stripe_of(tree, last);
	if (a > b)
		swap(a, b);
	held->first = a;
	held->second = a == b ? NULL : b;
	spin_lock_irqsave(&a->lock, held->flags);
	__release(&a->lock);
	if (held->second) {
		spin_lock_nested(&b->lock, SINGLE_DEPTH_NESTING);
		__release(&b->lock);
	}
}

void rxc_busy_sync(struct rxc_busy_tree *tree)
{
	struct rxc_busy_stripe *stripe = tree->stripe;

	for (; stripe < tree->stripe + RXC_BUSY_STRIPES; stripe++) {
		spin_lock_irq(&stripe->lock);
		spin_unlock_irq(&stripe->lock);
	}
}

bool rxc_busy_quiet(struct rxc_busy_tree *tree, u64 first, u64 last)
{
	struct rxc_busy_stripe *a = stripe_of(tree, first);
	struct rxc_busy_stripe *b = last <= region_end(tree, first) ?
				    a : stripe_of(tree, last);

	return data_race(!tree->nr_wide && !a->root.rb_root.rb_node &&
			 !b->root.rb_root.rb_node);
}

void rxc_busy_unlock(struct rxc_busy_tree *tree, struct rxc_busy_held *held)
{
	if (held->second) {
		__acquire(&held->second->lock);
		spin_unlock(&held->second->lock);
	}
	__acquire(&held->first->lock);
	spin_unlock_irqrestore(&held->first->lock, held->flags);
}

void rxc_busy_assert_held(struct rxc_busy_tree *tree, u64 block)
{
	lockdep_assert_held(&stripe_of(tree, block)->lock);
}

static void node_insert(struct rb_root_cached *root, struct rxc_busy_node *node,
			struct rxc_busy *busy, u64 first, u64 last)
{
	node->busy = busy;
	node->first = first;
	node->last = last;
	node_tree_insert(node, root);
}

static void busy_insert(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	u64 first = busy->first, last = busy->last, end = region_end(tree, first);

	rxc_busy_assert_held(tree, first);
	rxc_busy_assert_held(tree, last);
	node_insert(&stripe_of(tree, first)->root, &busy->node[0], busy, first,
		    min(last, end));
	if (last > end)
		node_insert(&stripe_of(tree, last)->root, &busy->node[1], busy,
			    end + 1, last);
}

void rxc_busy_leave_locked(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	u64 first = busy->first, last = busy->last;

	rxc_busy_assert_held(tree, first);
	rxc_busy_assert_held(tree, last);
	node_tree_remove(&busy->node[0], &stripe_of(tree, first)->root);
	if (last > region_end(tree, first))
		node_tree_remove(&busy->node[1], &stripe_of(tree, last)->root);
}

/* Nobody uses a wide range but under wide_lock, so its owner may free it after this. */
static void leave_wide(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	unsigned long flags;

	write_lock_irqsave(&tree->wide_lock, flags);
	node_tree_remove(&busy->node[0], &tree->wide);
	WRITE_ONCE(tree->nr_wide, tree->nr_wide - 1);
	write_unlock_irqrestore(&tree->wide_lock, flags);
}

void rxc_busy_leave(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy_held held;

	if (unlikely(is_wide(tree, busy->first, busy->last))) {
		leave_wide(tree, busy);
		return;
	}
	rxc_busy_lock(tree, busy->first, busy->last, &held);
	rxc_busy_leave_locked(tree, busy);
	rxc_busy_unlock(tree, &held);
}

/* Called for each range in flight, @other, that overlaps @busy. */
typedef void (*meet_fn)(struct rxc_busy *busy, struct rxc_busy *other);

static __always_inline void meet_root(struct rb_root_cached *root,
				      struct rxc_busy *busy, meet_fn meet)
{
	struct rxc_busy_node *node;

	for (node = node_tree_iter_first(root, busy->first, busy->last); node;
	     node = node_tree_iter_next(node, busy->first, busy->last))
		meet(busy, node->busy);
}

/* Whether to look for wide ranges. Context: under the lock of a stripe. */
static bool any_wide(const struct rxc_busy_tree *tree)
{
	return unlikely(READ_ONCE(tree->nr_wide));
}

/* Calls @meet once or twice for each range in flight that overlaps @busy's, not wide. */
static __always_inline void meet_all(struct rxc_busy_tree *tree,
				     struct rxc_busy *busy, meet_fn meet)
{
	struct rxc_busy_stripe *a = stripe_of(tree, busy->first);
	struct rxc_busy_stripe *b = stripe_of(tree, busy->last);

	if (any_wide(tree)) {
		read_lock(&tree->wide_lock);
		meet_root(&tree->wide, busy, meet);
		read_unlock(&tree->wide_lock);
	}
	meet_root(&a->root, busy, meet);
	if (a != b)
		meet_root(&b->root, busy, meet);
}

static void write_meets(struct rxc_busy *busy, struct rxc_busy *other)
{
	/* @raced may be read without a lock, or under another lock of @other's range. */
	WRITE_ONCE(other->raced, true);
	if (other->kind != RXC_BUSY_VERIFY)
		busy->met = true;
	if (other->kind == RXC_BUSY_WRITE)
		WRITE_ONCE(busy->raced, true);
}

static void verify_meets(struct rxc_busy *busy, struct rxc_busy *other)
{
	if (other->kind == RXC_BUSY_WRITE)
		busy->raced = true;
}

/*
 * Whoever takes the lock of a stripe after this has been there finds the range in the tree.
 * Context: any; interrupts are off for one stripe at a time.
 */
static void enter_wide(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy_stripe *stripe = tree->stripe;
	unsigned long flags;

	write_lock_irqsave(&tree->wide_lock, flags);
	meet_root(&tree->wide, busy, write_meets);
	node_insert(&tree->wide, &busy->node[0], busy, busy->first, busy->last);
	WRITE_ONCE(tree->nr_wide, tree->nr_wide + 1);
	write_unlock_irqrestore(&tree->wide_lock, flags);
	for (; stripe < tree->stripe + RXC_BUSY_STRIPES; stripe++) {
		spin_lock_irqsave(&stripe->lock, flags);
		meet_root(&stripe->root, busy, write_meets);
		spin_unlock_irqrestore(&stripe->lock, flags);
	}
}

void rxc_busy_enter_write(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy_held held;

	busy->kind = RXC_BUSY_WRITE;
	busy->raced = false;
	busy->met = false;
	if (unlikely(is_wide(tree, busy->first, busy->last))) {
		enter_wide(tree, busy);
		return;
	}
	rxc_busy_lock(tree, busy->first, busy->last, &held);
	meet_all(tree, busy, write_meets);
	busy_insert(tree, busy);
	rxc_busy_unlock(tree, &held);
}

void rxc_busy_enter_fill(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	busy->kind = RXC_BUSY_FILL;
	busy->raced = false;
	busy_insert(tree, busy);
}

void rxc_busy_enter_bypass(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy_held held;

	busy->kind = RXC_BUSY_BYPASS;
	busy->raced = false;
	rxc_busy_lock(tree, busy->first, busy->last, &held);
	busy_insert(tree, busy);
	rxc_busy_unlock(tree, &held);
}

void rxc_busy_replace(struct rxc_busy_tree *tree, struct rxc_busy *fill,
		      struct rxc_busy *bypass)
{
	rxc_busy_leave_locked(tree, fill);
	bypass->first = fill->first;
	bypass->last = fill->last;
	bypass->kind = RXC_BUSY_BYPASS;
	bypass->raced = false;
	busy_insert(tree, bypass);
}

void rxc_busy_enter_verify(struct rxc_busy_tree *tree, struct rxc_busy *busy)
{
	struct rxc_busy_held held;

	busy->kind = RXC_BUSY_VERIFY;
	busy->raced = false;
	rxc_busy_lock(tree, busy->first, busy->last, &held);
	meet_all(tree, busy, verify_meets);
	busy_insert(tree, busy);
	rxc_busy_unlock(tree, &held);
}

/* Finds the write of @root that covers @block, or else a fill that @suits. */
static bool find_in(struct rb_root_cached *root, u64 block, rxc_busy_suits suits, void *arg,
		    struct rxc_busy_found *found)
{
	struct rxc_busy_node *node;
	struct rxc_busy *other;

	found->fill = NULL;

	for (node = node_tree_iter_first(root, block, block); node;
	     node = node_tree_iter_next(node, block, block)) {
		other = node->busy;
		if (other->kind == RXC_BUSY_WRITE) {
			found->fill = NULL;
			found->last = other->last;
			return true;
		}
		if (other->kind == RXC_BUSY_FILL && !found->fill && suits(other, arg)) {
			found->fill = other;
			found->last = other->last;
		}
	}
	return found->fill;
}

bool rxc_busy_find(struct rxc_busy_tree *tree, u64 block, rxc_busy_suits suits, void *arg,
		   struct rxc_busy_found *found)
{
	bool wide = false;

	rxc_busy_assert_held(tree, block);
	if (any_wide(tree)) {
		read_lock(&tree->wide_lock);
		wide = find_in(&tree->wide, block, suits, arg, found);
		read_unlock(&tree->wide_lock);
	}
	return wide || find_in(&stripe_of(tree, block)->root, block, suits, arg, found);
}

/* Returns the first block before @end that a write or such a fill of @root covers, or @end. */
static u64 first_in(struct rb_root_cached *root, u64 first, u64 end,
		    rxc_busy_suits suits, void *arg)
{
	struct rxc_busy_node *node;

	if (first >= end)
		return end;
	/* The tree yields ranges in the order of their first block. */
	for (node = node_tree_iter_first(root, first, end - 1); node;
	     node = node_tree_iter_next(node, first, end - 1))
		if (node->busy->kind == RXC_BUSY_WRITE ||
		    (node->busy->kind == RXC_BUSY_FILL && suits(node->busy, arg)))
			return max(node->first, first);
	return end;
}

u64 rxc_busy_free_until(struct rxc_busy_tree *tree, u64 first, u64 last,
			rxc_busy_suits suits, void *arg)
{
	struct rxc_busy_stripe *a = stripe_of(tree, first);
	struct rxc_busy_stripe *b = stripe_of(tree, last);
	u64 end = last + 1;

	rxc_busy_assert_held(tree, first);
	rxc_busy_assert_held(tree, last);
	if (any_wide(tree)) {
		read_lock(&tree->wide_lock);
		end = first_in(&tree->wide, first, end, suits, arg);
		read_unlock(&tree->wide_lock);
	}
	end = first_in(&a->root, first, end, suits, arg);
	if (a != b)
		end = first_in(&b->root, first, end, suits, arg);
	/*
	 * A wide range may have entered its tree since the caller looked. It has not been
	 * to this stripe, so it will find what the caller enters, and race that.
	 */
	return max(end - 1, first);
}
