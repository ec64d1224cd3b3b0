/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree maps a page index to a page.
 *
 * It is a radix tree of nodes with 64 slots. The leaves, which are the nodes of level
 * 0, point to pages, and all other nodes point to nodes. A tree is only as high as its
 * highest index needs. Its shape is that of the kernel's xarray, but a look-up reads
 * nothing of a node but slots: it takes the level from the low bits of the root pointer
 * and counts down. So a step costs one cache line instead of two. A page costs 8.7
 * bytes where its neighbours are present (546 bytes for 64 pages, and the levels
 * above), and never more than in an xarray (585 bytes a node). An empty tree is a null
 * pointer.
 *
 * A look-up holds only rcu_read_lock(); a task that changes a slot holds "lock". The
 * lock also makes it easy to free nodes: a linked node is never empty, because
 * the task that takes out the last entry unlinks the node before another task can
 * put one into it. The lock is taken once for a run of pages, not for each, and
 * never to read or to overwrite a page.
 */
#ifndef _RXDSK_TREE_H
#define _RXDSK_TREE_H

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rx/pages.h>

struct page;

enum {
	RXD_NODE_SHIFT	= 6,
	RXD_NODE_SLOTS	= 1 << RXD_NODE_SHIFT,
	/* Enough for 2^48 pages; the root's level fits three bits of its pointer. */
	RXD_TREE_LEVELS	= 8,
};

struct rxd_node {
	void __rcu *slot[RXD_NODE_SLOTS];
	struct rcu_head rcu;
};

struct rxd_tree {
	void __rcu *root;	/* lock; a node and, in the low bits, its level */
	/* On another cache line than the root, which every look-up reads. */
	spinlock_t lock ____cacheline_aligned_in_smp;
};

/* Reads a slot of a tree; the caller is in an RCU read section or holds the lock. */
#define rxd_slot(t, p) rcu_dereference_check(p, lockdep_is_held(&(t)->lock))

static inline unsigned int rxd_slot_nr(pgoff_t index, unsigned int level)
{
	return (index >> (level * RXD_NODE_SHIFT)) & (RXD_NODE_SLOTS - 1);
}

/* Returns the root and its level, or NULL if the tree is too low for @index. */
static inline struct rxd_node *rxd_tree_root(const struct rxd_tree *t,
					     pgoff_t index,
					     unsigned int *level)
{
	unsigned long word = (unsigned long)rxd_slot(t, t->root);

	*level = word % RXD_TREE_LEVELS;
	if ((u64)index >> ((*level + 1) * RXD_NODE_SHIFT))
		return NULL;
	return (struct rxd_node *)(word - *level);
}

/*
 * Returns the leaf that has the slot of @index, or NULL. Context: any, under
 * rcu_read_lock(), which also keeps the pages that are found in the leaf.
 */
static inline struct rxd_node *rxd_tree_leaf(const struct rxd_tree *t,
					     pgoff_t index)
{
	unsigned int level;
	struct rxd_node *node = rxd_tree_root(t, index, &level);

	for (; level && node; level--)
		node = rxd_slot(t, node->slot[rxd_slot_nr(index, level)]);
	return node;
}

static inline struct page *rxd_leaf_page(const struct rxd_tree *t,
					 const struct rxd_node *leaf,
					 pgoff_t index)
{
	return leaf ? rxd_slot(t, leaf->slot[rxd_slot_nr(index, 0)]) : NULL;
}

static inline bool rxd_tree_empty(const struct rxd_tree *t)
{
	return !rcu_access_pointer(t->root);
}

void rxd_tree_init(struct rxd_tree *t);
void rxd_tree_destroy(struct rxd_tree *t);
int rxd_tree_insert(struct rxd_tree *t, pgoff_t first, struct page **pages,
		    unsigned int nr, gfp_t gfp);
bool rxd_tree_replace(struct rxd_tree *t, pgoff_t index, struct page *old,
		      struct page *new);
unsigned int rxd_tree_remove(struct rxd_tree *t, pgoff_t *first, pgoff_t last,
			     unsigned int max, struct rx_pages *out);
struct rxd_node *rxd_tree_next(struct rxd_tree *t, pgoff_t *index,
			       pgoff_t last);
int rxd_tree_cut(struct rxd_tree *t, pgoff_t first, struct rxd_tree *out);
long rxd_tree_free(struct rxd_tree *t, atomic_long_t *count, atomic_long_t *nodes);
int rxd_tree_module_init(void);
void rxd_tree_module_exit(void);

#endif
