// SPDX-License-Identifier: GPL-2.0-only
/* Changing the tree, and walking through it; tree.h says what it is. */
#include <linux/mm.h>
#include <linux/slab.h>
#include "tree.h"

static struct kmem_cache *node_cache;

/* Nodes that are not linked yet, taken before the lock. */
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
 * Frees a node that has been unlinked. Who could still hold it:
 * - a reader that came by before: gone when a grace period has passed;
 * - one that comes now: no longer finds the way to it;
 * - a task that inserts or removes: each walks down anew under the lock, which
 *   the caller holds, and keeps no node when it lets go of the lock;
 * - the tree's owner, which may free the disk before the callback runs: the
 *   callback needs nothing but the cache, which waits for it in
 *   rxd_tree_module_exit().
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

/* Levels that @index needs, from 1. */
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

/* Nodes that are missing on the way to the slot of @index. */
static unsigned int nodes_missing(const struct rxd_tree *t, pgoff_t index)
{
	unsigned long word = (unsigned long)rxd_slot(t, t->root);
	unsigned int level, top = word % RXD_TREE_LEVELS;
	unsigned int levels = levels_for(index);
	struct rxd_node *node;

	if (!word)
		return levels;
	/* Those above the root of now, and a way down beside it. */
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
 * Makes the way to the slot of @index. Each node is linked when its own slots
 * are right: readers come at any time. The tree grows at the top, where what
 * there was becomes the new root's first child.
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

/* True if there are now @nr spares. */
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

/* They never were in the tree: nobody else can hold one. */
static void spares_put(struct spares *s)
{
	while (s->nr)
		kmem_cache_free(node_cache, spare_take(s));
}

/*
 * Puts @pages, of which every byte is set, at @first and behind, up to the
 * first slot that is taken; all lie within one leaf. Context: as @gfp allows,
 * but never interrupt. Return: how many are in the tree now, or -ENOMEM: none.
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
		/* Meanwhile others may make some of them, or remove more. */
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

/* Unlinks @path[@level] if nothing is in it any more, and what that leaves empty. */
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
 * Moves *@index to the first page from there on up to @last and returns its
 * leaf, or NULL if there is none; @path gets the nodes of all levels.
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
		/* To the beginning of the next slot, in the next node or here. */
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
 * As next_leaf(), for readers. Context: any, under rcu_read_lock(). The leaf may
 * have left the tree already, and pages that leave or come meanwhile may be missed.
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
 * Takes the first @max pages from *@first up to @last out of the tree and puts
 * them onto @out; moves *@first behind the last of them. The cost is that of
 * the pages present, however wide the range. Context: any but interrupt, does
 * not sleep. Return: their number; less than @max: no more are there.
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

/* Takes those of @path, the way down a cut-off tree, that got nothing out again. */
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
 * Moves what lies at @first and behind from @t, whose root is of @level, to
 * @out: whole subtrees, along a way down of new nodes from @spares, so the cost
 * is that of the levels and not of the pages.
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
		/* On the way down the slot itself stays, what is in it is split. */
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
 * Moves all pages from @first on to @out, which is empty and nobody else's.
 * Readers under RCU may still look at them: @out may be taken apart by
 * rxd_tree_free() a grace period later. Context: process, may sleep. Return: 0,
 * or -ENOMEM and nothing was moved, never if @first is 0.
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
		/* Meanwhile others may make it higher. */
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

/* Frees the pages of a leaf, together: that is what the allocator does fastest. */
static void leaf_free(struct rxd_node *leaf, atomic_long_t *count,
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
	cond_resched();
}

/* As deep as the tree is high. */
static void node_free_all(struct rxd_node *node, unsigned int level,
			  atomic_long_t *count, atomic_long_t *nodes)
{
	struct rxd_node *child;
	unsigned int i;

	if (!level) {
		leaf_free(node, count, nodes);
		return;
	}
	for (i = 0; i < RXD_NODE_SLOTS; i++) {
		child = rcu_dereference_protected(node->slot[i], true);
		if (child)
			node_free_all(child, level - 1, count, nodes);
	}
	kmem_cache_free(node_cache, node);
}

/*
 * Frees all pages and nodes of a tree and subtracts the pages from @count, and each
 * from its node's in @nodes unless that is NULL, as they go. Who could still hold
 * one of them: nobody, the caller vouches that a grace period has passed since
 * others could find the tree, or that there are no others. Context: process, may
 * sleep.
 */
void rxd_tree_free(struct rxd_tree *t, atomic_long_t *count,
		   atomic_long_t *nodes)
{
	unsigned long word;

	word = (unsigned long)rcu_dereference_protected(t->root, true);
	RCU_INIT_POINTER(t->root, NULL);
	if (word)
		node_free_all((struct rxd_node *)(word & ~(RXD_TREE_LEVELS - 1UL)),
			      word % RXD_TREE_LEVELS, count, nodes);
}

/*
 * All pages have been removed. Who could still hold a node: readers do not, the
 * caller vouches for that; those that were unlinked go by themselves.
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

/* All trees are gone: what is left are nodes on their way. */
void rxd_tree_module_exit(void)
{
	rcu_barrier();
	kmem_cache_destroy(node_cache);
}
