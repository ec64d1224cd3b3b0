/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A maple tree for one thread: an array of ranges, sorted, with as much as pinned_ranges.c
 * uses. Like the kernel's, it keeps no NULL, and a range that a store covers in part loses
 * that part.
 */
#ifndef RXSIM_MAPLE_H
#define RXSIM_MAPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct maple_range {
	unsigned long first, last;
	void *value;
};

struct maple_tree {
	struct maple_range *at;
	size_t n;
	struct { int n; } ma_lock;
};

struct ma_state {
	struct maple_tree *tree;
	unsigned long index, last;
	bool found;
};

#define MA_STATE(name, tree_, first, last_) \
	struct ma_state name = { .tree = (tree_), .index = (first), .last = (last_) }
#define MT_FLAGS_USE_RCU	0
#define MT_FLAGS_ALLOC_RANGE	0
#define mt_init_flags(tree, flags) \
	((void)(flags), (tree)->at = NULL, (tree)->n = 0)
#define mtree_destroy(tree)	free((tree)->at)
#define xa_mk_value(n)		((void *)((uintptr_t)(n) << 1 | 1))

/* The first range that does not end before @key, or the end of the array. */
static inline size_t maple_place(const struct maple_tree *tree, unsigned long key)
{
	size_t low = 0, high = tree->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (tree->at[middle].last < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The next range from @mas on that begins at @max or before. */
static inline void *mas_find(struct ma_state *mas, unsigned long max)
{
	size_t i = maple_place(mas->tree, mas->found ? mas->last + 1 : mas->index);

	if (i == mas->tree->n || mas->tree->at[i].first > max)
		return NULL;
	mas->index = mas->tree->at[i].first;
	mas->last = mas->tree->at[i].last;
	mas->found = true;
	return mas->tree->at[i].value;
}

static inline void *mas_walk(struct ma_state *mas)
{
	struct maple_tree *tree = mas->tree;
	void *value = mas_find(mas, mas->index);
	size_t next = maple_place(tree, mas->index);

	if (!value)
		mas->last = next < tree->n ? tree->at[next].first - 1 : ~0UL;
	return value;
}

static inline void *mtree_load(struct maple_tree *tree, unsigned long key)
{
	MA_STATE(mas, tree, key, key);

	return mas_walk(&mas);
}

static inline int rx_maple_store(struct maple_tree *tree, unsigned long first,
				 unsigned long last, void *value)
{
	size_t from = maple_place(tree, first), to = maple_place(tree, last), n = 0;
	struct maple_range *at = malloc((tree->n + 2) * sizeof(*at)), *r = tree->at;

	if (!at)
		abort();
	if (from)
		memcpy(at, r, from * sizeof(*at));
	n = from;
	if (from < tree->n && r[from].first < first)
		at[n++] = (struct maple_range){ r[from].first, first - 1, r[from].value };
	if (value)
		at[n++] = (struct maple_range){ first, last, value };
	if (to < tree->n && r[to].first <= last) {
		if (r[to].last > last)
			at[n++] = (struct maple_range){ last + 1, r[to].last, r[to].value };
		to++;
	}
	if (to < tree->n)
		memcpy(at + n, r + to, (tree->n - to) * sizeof(*at));
	n += tree->n - to;
	free(r);
	tree->at = at;
	tree->n = n;
	return 0;
}

#endif
