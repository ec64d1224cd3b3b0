// SPDX-License-Identifier: GPL-2.0-only
/* Changes the tree and walks through it; tree.h describes the tree. */
#include <linux/mm.h>
#include <linux/slab.h>
#include "freed.h"
#include "tree.h"

static struct kmem_cache *node_cache;

/* Nodes that are allocated before the lock is taken, and are not linked yet. */
struct spares {
	struct rxd_node *node[2 * RXD_TREE_LEVELS];
	unsigned int nr;
};

void rxd_tree_init(struct rxd_tree *t)
{
	RCU_INIT_POINTER(t->root, NULL);
	spin_lock_init(&t->lock);
}

static void node_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(node_cache, container_of(rcu, struct rxd_node, rcu));
}

/*
 * Frees a node that has been unlinked. Nothing can hold it when it is freed:
 * - a reader that found it before is done, because a grace period has passed;
 * - a reader that comes later does not find it;
 * - a task that inserts or removes walks down anew under the lock, which the caller
 *   holds, and keeps no node when it drops the lock;
 * - the tree's owner may free the disk before the callback runs, but the callback
 *   needs only the cache, and rxd_tree_module_exit() waits for all callbacks before
 *   it destroys the cache.
 */
static void node_free(struct rxd_tree *t, struct rxd_node *node)
{
	lockdep_assert_held(&t->lock);
	call_rcu(&node->rcu, node_free_rcu);
}

static bool node_is_empty(const struct rxd_node *node)
{
	unsigned int i;

	for (i = 0; i < RXD_NODE_SLOTS; i++)
		if (rcu_access_pointer(node->slot[i]))
			return false;
	return true;
}

/* Returns how many levels a tree with @index needs, at least 1. */
static unsigned int levels_for(pgoff_t index)
{
	unsigned int levels = 1;

	while ((u64)index >> (levels * RXD_NODE_SHIFT))
		levels++;
	return levels;
}

static void root_set(struct rxd_tree *t, struct rxd_node *node,
		     unsigned int level)
{
	lockdep_assert_held(&t->lock);
	rcu_assign_pointer(t->root, (void *)((unsigned long)node + level));
}

/* Returns how many nodes are missing on the way to the slot of @index. */
static unsigned int nodes_missing(const struct rxd_tree *t, pgoff_t index)
{
	unsigned long word = (unsigned long)rxd_slot(t, t->root);
	unsigned int level, top = word % RXD_TREE_LEVELS;
	unsigned int levels = levels_for(index);
	struct rxd_node *node;

	if (!word)
		return levels;
	/* The levels above the present root, and a way down from the new root. */
	if (levels > top + 1)
		return levels - (top + 1) + levels - 1;
	node = rxd_tree_root(t, index, &level);
	while (level && node) {
		node = rxd_slot(t, node->slot[rxd_slot_nr(index, level)]);
		level--;
	}
	return node ? 0 : level + 1;
}

static struct rxd_node *spare_take(struct spares *s)
{
	return s->node[--s->nr];
}

/*
 * Adds the missing nodes on the way to the slot of @index. A node's slots are set
 * before the node is linked, because readers may come at any time. The tree grows at
 * the top: the old root becomes the first child of the new root.
 */
static struct rxd_node *leaf_make(struct rxd_tree *t, pgoff_t index,
				  struct spares *s)
{
	unsigned long word = (unsigned long)rxd_slot(t, t->root);
	unsigned int level = word % RXD_TREE_LEVELS;
	unsigned int levels = levels_for(index);
	struct rxd_node *node = (struct rxd_node *)(word - level), *child;

	lockdep_assert_held(&t->lock);
	if (!node) {
		level = levels - 1;
		node = spare_take(s);
		root_set(t, node, level);
	}
	while (level + 1 < levels) {
		child = node;
		node = spare_take(s);
		RCU_INIT_POINTER(node->slot[0], child);
		root_set(t, node, ++level);
	}
	for (; level; level--, node = child) {
		void __rcu **slot = &node->slot[rxd_slot_nr(index, level)];

		child = rxd_slot(t, *slot);
		if (child)
			continue;
		child = spare_take(s);
		rcu_assign_pointer(*slot, child);
	}
	return node;
}

/* Returns true if there are now @nr spares. */
static bool spares_get(struct spares *s, unsigned int nr, gfp_t gfp)
{
	while (s->nr < nr) {
		s->node[s->nr] = kmem_cache_zalloc(node_cache, gfp);
		if (!s->node[s->nr])
			return false;
		s->nr++;
	}
	return true;
}

/* Frees the spares at once: no reader can hold one, because none was in a tree of theirs. */
static void spares_put(struct spares *s)
{
	while (s->nr)
		kmem_cache_free(node_cache, spare_take(s));
}

/*
 * Inserts @pages, all of whose bytes are set, from @first on, up to the first slot
 * that is taken. All slots lie within one leaf. Context: as @gfp allows, but never
 * interrupt. Return: the number of pages inserted, or -ENOMEM if none was.
 */
int rxd_tree_insert(struct rxd_tree *t, pgoff_t first, struct page **pages,
		    unsigned int nr, gfp_t gfp)
{
	struct spares spares = { .nr = 0 };
	unsigned int i, missing;
	struct rxd_node *leaf;

	spin_lock(&t->lock);
	for (;;) {
		leaf = rxd_tree_leaf(t, first);
		if (leaf)
			break;
		missing = nodes_missing(t, first);
		if (missing <= spares.nr) {
			leaf = leaf_make(t, first, &spares);
			break;
		}
		/* Other tasks may meanwhile add some of these nodes, or remove more. */
		spin_unlock(&t->lock);
		if (!spares_get(&spares, missing, gfp)) {
			spares_put(&spares);
			return -ENOMEM;
		}
		spin_lock(&t->lock);
	}
	for (i = 0; i < nr; i++) {
		void __rcu **slot = &leaf->slot[rxd_slot_nr(first + i, 0)];

		if (rcu_access_pointer(*slot))
			break;
		rcu_assign_pointer(*slot, pages[i]);
	}
	spin_unlock(&t->lock);
	spares_put(&spares);
	return i;
}

/*
 * Puts @new, all of whose bytes are set, in the place of @old. Readers may still hold @old.
 * Context: any but interrupt. Return: false if @old is not there.
 */
bool rxd_tree_replace(struct rxd_tree *t, pgoff_t index, struct page *old,
		      struct page *new)
{
	struct rxd_node *leaf;
	bool there;

	spin_lock(&t->lock);
	leaf = rxd_tree_leaf(t, index);
	there = old && rxd_leaf_page(t, leaf, index) == old;
	if (there)
		rcu_assign_pointer(leaf->slot[rxd_slot_nr(index, 0)], new);
	spin_unlock(&t->lock);
	return there;
}

/* Unlinks @path[@level] if it is empty, and each parent that this leaves empty. */
static void prune(struct rxd_tree *t, struct rxd_node **path, pgoff_t index,
		  unsigned int level)
{
	unsigned int top;

	lockdep_assert_held(&t->lock);
	rxd_tree_root(t, index, &top);
	for (; node_is_empty(path[level]); level++) {
		if (level == top) {
			RCU_INIT_POINTER(t->root, NULL);
			node_free(t, path[level]);
			return;
		}
		RCU_INIT_POINTER(path[level + 1]->slot[rxd_slot_nr(index, level + 1)],
				 NULL);
		node_free(t, path[level]);
	}
}

/*
 * Finds the first page from *@index to @last, sets *@index to its index and returns
 * its leaf, or NULL if there is none. @path gets the nodes of all levels.
 */
static struct rxd_node *next_leaf(struct rxd_tree *t, pgoff_t *index,
				  pgoff_t last, struct rxd_node **path)
{
	struct rxd_node *node, *child;
	unsigned int level, slot;

again:
	node = rxd_tree_root(t, *index, &level);
	while (node) {
		path[level] = node;
		slot = rxd_slot_nr(*index, level);
		child = rxd_slot(t, node->slot[slot]);
		if (child) {
			if (!level)
				return node;
			level--;
			node = child;
			continue;
		}
		/* Go to the first index of the next slot, here or in the next node. */
		*index = ((*index >> (level * RXD_NODE_SHIFT)) + 1) <<
			 (level * RXD_NODE_SHIFT);
		if (*index > last)
			return NULL;
		if (slot == RXD_NODE_SLOTS - 1)
			goto again;
	}
	return NULL;
}

/*
 * Does what next_leaf() does, for readers. The leaf may have left the tree already,
 * and pages that enter or leave meanwhile may be missed. Context: any, under
 * rcu_read_lock().
 */
struct rxd_node *rxd_tree_next(struct rxd_tree *t, pgoff_t *index,
			       pgoff_t last)
{
	struct rxd_node *path[RXD_TREE_LEVELS];

	if (*index > last)
		return NULL;
	return next_leaf(t, index, last, path);
}

/*
 * Removes the first @max pages from *@first to @last, adds them to @out and moves
 * *@first behind the last of them. The cost depends on the pages present, not on the
 * width of the range. Context: any but interrupt, does not sleep. Return: the number
 * of pages removed; fewer than @max means that the range is empty now.
 */
unsigned int rxd_tree_remove(struct rxd_tree *t, pgoff_t *first, pgoff_t last,
			     unsigned int max, struct rx_pages *out)
{
	struct rxd_node *path[RXD_TREE_LEVELS], *leaf;
	unsigned int nr = 0, slot;
	pgoff_t base;

	spin_lock(&t->lock);
	while (nr < max && *first <= last) {
		leaf = next_leaf(t, first, last, path);
		if (!leaf)
			break;
		base = *first;
		slot = rxd_slot_nr(base, 0);
		do {
			struct page *page = rxd_slot(t, leaf->slot[slot]);

			++*first;
			if (!page)
				continue;
			RCU_INIT_POINTER(leaf->slot[slot], NULL);
			set_page_private(page, 0);
			rx_pages_push(out, page);
			nr++;
		} while (++slot < RXD_NODE_SLOTS && nr < max && *first <= last);
		prune(t, path, base, 0);
	}
	spin_unlock(&t->lock);
	return nr;
}

/* Unlinks the nodes of @path, the way down @out, that are empty, and reuses them. */
static void split_trim(struct rxd_tree *out, struct rxd_node **path, pgoff_t first,
		       unsigned int level, unsigned int top, struct spares *spares)
{
	for (; node_is_empty(path[level]); level++) {
		spares->node[spares->nr++] = path[level];
		if (level == top) {
			RCU_INIT_POINTER(out->root, NULL);
			return;
		}
		RCU_INIT_POINTER(path[level + 1]->slot[rxd_slot_nr(first, level + 1)],
				 NULL);
	}
}

/*
 * Moves all pages from @first on out of @t, whose root has @level, to @out. It moves
 * whole subtrees, along a way down of new nodes from @spares, so the cost depends on
 * the number of levels and not of pages.
 */
static void split(struct rxd_tree *t, unsigned int level, pgoff_t first,
		  struct rxd_tree *out, struct spares *spares)
{
	struct rxd_node *path[RXD_TREE_LEVELS], *off[RXD_TREE_LEVELS];
	struct rxd_node *node, *part, *child;
	unsigned int i, slot, top = level;

	lockdep_assert_held(&t->lock);
	node = rxd_tree_root(t, first, &level);
	part = spare_take(spares);
	RCU_INIT_POINTER(out->root, (void *)((unsigned long)part + level));
	for (;;) {
		path[level] = node;
		off[level] = part;
		slot = rxd_slot_nr(first, level);
		/* Above the leaves, the subtree in the slot itself is split next. */
		for (i = slot + !!level; i < RXD_NODE_SLOTS; i++) {
			RCU_INIT_POINTER(part->slot[i],
					 rxd_slot(t, node->slot[i]));
			RCU_INIT_POINTER(node->slot[i], NULL);
		}
		if (!level)
			break;
		node = rxd_slot(t, node->slot[slot]);
		if (!node)
			break;
		child = spare_take(spares);
		RCU_INIT_POINTER(part->slot[slot], child);
		part = child;
		level--;
	}
	prune(t, path, first, level);
	split_trim(out, off, first, level, top, spares);
}

/*
 * Moves all pages from @first on to @out, which is empty and which no other task uses.
 * Readers under RCU may still hold the pages, so rxd_tree_free() may take @out apart
 * only a grace period later. Context: process, may sleep. Return: 0, or -ENOMEM if
 * nothing was moved, but never -ENOMEM if @first is 0.
 */
int rxd_tree_cut(struct rxd_tree *t, pgoff_t first, struct rxd_tree *out)
{
	struct spares spares = { .nr = 0 };
	struct rxd_node *root;
	unsigned int level;

	spin_lock(&t->lock);
	for (;;) {
		root = rxd_tree_root(t, first, &level);
		if (!root || !first || spares.nr > level)
			break;
		/* Another task may meanwhile make the tree higher. */
		spin_unlock(&t->lock);
		if (!spares_get(&spares, level + 1, GFP_KERNEL)) {
			spares_put(&spares);
			return -ENOMEM;
		}
		spin_lock(&t->lock);
	}
	if (root && first) {
		split(t, level, first, out, &spares);
	} else if (root) {
		RCU_INIT_POINTER(out->root, rxd_slot(t, t->root));
		RCU_INIT_POINTER(t->root, NULL);
	}
	spin_unlock(&t->lock);
	spares_put(&spares);
	return 0;
}

/* Frees the pages of a leaf in one call, which is the allocator's fastest way. */
static long leaf_free(struct rxd_node *leaf, atomic_long_t *count,
		      atomic_long_t *nodes)
{
	struct page *pages[RXD_NODE_SLOTS];
	unsigned int i, nr = 0;

	for (i = 0; i < RXD_NODE_SLOTS; i++) {
		pages[nr] = rcu_dereference_protected(leaf->slot[i], true);
		if (nodes && pages[nr])
			atomic_long_sub(1, &nodes[page_to_nid(pages[nr])]);
		nr += !!pages[nr];
	}
	release_pages(pages, nr);
	kmem_cache_free(node_cache, leaf);
	atomic_long_sub(nr, count);
	rxd_freed_add(nr);
	cond_resched();
	return nr;
}

/* The recursion is as deep as the tree is high: RXD_TREE_LEVELS at most. */
static long node_free_all(struct rxd_node *node, unsigned int level,
			  atomic_long_t *count, atomic_long_t *nodes)
{
	struct rxd_node *child;
	unsigned int i;
	long nr = 0;

	if (!level)
		return leaf_free(node, count, nodes);
	for (i = 0; i < RXD_NODE_SLOTS; i++) {
		child = rcu_dereference_protected(node->slot[i], true);
		if (child)
			nr += node_free_all(child, level - 1, count, nodes);
	}
	kmem_cache_free(node_cache, node);
	return nr;
}

/*
 * Frees all pages and nodes of a tree. Pages are subtracted from @count when they are
 * freed and, unless @nodes is NULL, from the counters of their NUMA nodes in @nodes.
 * Nothing can hold a page or a node any more: the caller guarantees that a grace
 * period has passed since other tasks could find the tree. The caller has told
 * rxd_freed_expect() of the pages. Context: process, may sleep. Return: how many there were.
 */
long rxd_tree_free(struct rxd_tree *t, atomic_long_t *count, atomic_long_t *nodes)
{
	unsigned long word;

	word = (unsigned long)rcu_dereference_protected(t->root, true);
	RCU_INIT_POINTER(t->root, NULL);
	if (!word)
		return 0;
	return node_free_all((struct rxd_node *)(word & ~(RXD_TREE_LEVELS - 1UL)),
			     word % RXD_TREE_LEVELS, count, nodes);
}

/*
 * The tree must be empty and stay so; a reader that comes late finds nothing. RCU
 * callbacks free the nodes that have been unlinked.
 */
void rxd_tree_destroy(struct rxd_tree *t)
{
	WARN_ON_ONCE(rcu_access_pointer(t->root));
}

int rxd_tree_module_init(void)
{
	/* The root's level is kept in the low bits of its address. */
	node_cache = kmem_cache_create("rxdsk_node", sizeof(struct rxd_node),
				       RXD_TREE_LEVELS, 0, NULL);
	return node_cache ? 0 : -ENOMEM;
}

/* All trees are gone, so the only nodes left are those that wait for a grace period. */
void rxd_tree_module_exit(void)
{
	rcu_barrier();
	kmem_cache_destroy(node_cache);
}
