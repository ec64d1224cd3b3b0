// SPDX-License-Identifier: GPL-2.0-only
/* Takes pages from the kernel, as supply.c allows, and gives them back. */
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <rx/memcpy.h>
#include "compat.h"
#include "rxdsk.h"
#include "supply.h"

/* 64 KiB, with pages of 4 KiB. */
enum { RUN_ORDER = 4 };

/* Takes pages of @node only, or with NUMA_NO_NODE by the task's memory policy. */
static struct page *alloc_near(gfp_t gfp, unsigned int order, int node)
{
	if (node == NUMA_NO_NODE)
		return alloc_pages(gfp | __GFP_HIGHMEM, order);
	return alloc_pages_node(node, gfp | __GFP_HIGHMEM | __GFP_THISNODE,
				order);
}

/*
 * Takes single pages. Those of one node come in bulk, for no bulk allocation that
 * follows a task's memory policy is exported.
 */
static unsigned int alloc_singles(struct page **pages, unsigned int nr, gfp_t gfp,
				  int node)
{
	unsigned int i;

	if (nr > 1 && (node != NUMA_NO_NODE || !rx_task_has_mempolicy())) {
		memset(pages, 0, nr * sizeof(*pages));
		gfp |= __GFP_HIGHMEM | (node == NUMA_NO_NODE ? 0 : __GFP_THISNODE);
		return rx_alloc_pages_bulk(gfp, node, nr, pages);
	}
	for (i = 0; i < nr; i++) {
		pages[i] = alloc_near(gfp, 0, node);
		if (!pages[i])
			break;
	}
	return i;
}

/* What is asked for: 2^@order contiguous pages each, or single ones that may be a run. */
struct want {
	struct page **pages;
	unsigned int nr;
	unsigned int order;
	bool run;
	gfp_t gfp;
};

/*
 * Takes pages of *@from. A run is taken if it is free at once, and only if that leaves
 * the low watermark: without reclaim the kernel gives it down to the minimum. Single
 * pages of the local node are better than contiguous pages of another node, so a run
 * is taken of the local node unless the task has a memory policy.
 */
static unsigned int alloc_from(const struct rxd_source *from, const struct want *w)
{
	struct page *page = NULL;
	int node = from->node;
	unsigned int i;

	if (w->order) {
		/* Compound: an origin's driver may take references on each page. */
		w->pages[0] = alloc_near(w->gfp | __GFP_COMP, w->order, node);
		return w->pages[0] ? 1 : 0;
	}
	if (w->run && from->runs && w->nr == 1 << RUN_ORDER)
		page = alloc_near((w->gfp & ~__GFP_RECLAIM) | __GFP_NOWARN, RUN_ORDER,
				  node == NUMA_NO_NODE && !rx_task_has_mempolicy() ?
				  numa_mem_id() : node);
	if (!page)
		return alloc_singles(w->pages, w->nr, w->gfp, node);
	split_page(page, RUN_ORDER);
	for (i = 0; i < w->nr; i++)
		w->pages[i] = page + i;
	return w->nr;
}

/*
 * Asks the other nodes, the better ones first, when the chosen one has given nothing:
 * what it had to reclaim was not to be had.
 */
static noinline unsigned int alloc_elsewhere(struct rxd_source *from,
					     const struct want *w)
{
	nodemask_t tried = NODE_MASK_NONE;
	unsigned int got = 0;

	rxd_supply_end();
	do {
		node_set(from->node, tried);
		/* A single node that is left after hot-unplug is chosen without its number. */
		if (!rxd_supply_choose(from, &tried) || from->node < 0)
			break;
		got = alloc_from(from, w);
	} while (!got);
	return got;
}

/* Takes pages of any node that the task may use. */
static unsigned int alloc_any(const struct want *w)
{
	struct rxd_source from;
	unsigned int got;

	if (!rxd_supply_take(w->nr << w->order, &from))
		return 0;
	got = alloc_from(&from, w);
	if (unlikely(!got) && from.node != NUMA_NO_NODE)
		got = alloc_elsewhere(&from, w);
	return got;
}

/*
 * Returns 2^@order contiguous pages, or NULL if @gfp gets none or the floor is reached.
 * The content of the pages is undefined. Context: as @gfp allows, down to hard
 * interrupt.
 */
struct page *rxd_page_alloc(unsigned int order, gfp_t gfp)
{
	struct page *page;

	return alloc_any(&(struct want){ &page, 1, order, false, gfp }) ? page : NULL;
}

/*
 * Gives 2^@order pages back. If a single page has failed, the allocator sees its mark
 * and does not reuse it. The allocator does not check each of several pages, so pages
 * of which one has failed are not given back, and are lost. Context: any.
 */
void rxd_pages_free(struct page *page, unsigned int order)
{
	if (!order || !rx_pages_poisoned(page, order))
		__free_pages(page, order);
}

/*
 * Does what rxd_pages_free() does, when the machine is short of memory. Of pages of more
 * than PAGE_ALLOC_COSTLY_ORDER no processor keeps any. Context: any.
 */
void rxd_pages_give(struct page *page, unsigned int order)
{
	if (order <= PAGE_ALLOC_COSTLY_ORDER)
		rx_zone_is_short(page);
	rxd_pages_free(page, order);
}

/*
 * Takes up to @nr single pages, where @nr is at most CREDIT_PAGES, of the local node
 * while that has enough, or by the task's memory policy. Context: as @gfp allows.
 * Return: the number of @pages, whose content is undefined.
 */
unsigned int rxd_page_alloc_bulk(struct page **pages, unsigned int nr,
				 gfp_t gfp)
{
	return alloc_any(&(struct want){ pages, nr, 0, false, gfp });
}

/*
 * Does what rxd_page_alloc_bulk() does, but the pages are contiguous if a run is free
 * at once, because a run is copied in one piece. All pages are of @node, unless @node
 * is NUMA_NO_NODE.
 */
unsigned int rxd_page_alloc_run(struct page **pages, unsigned int nr,
				gfp_t gfp, int node)
{
	const struct want w = { pages, nr, 0, true, gfp };
	struct rxd_source from;

	if (node == NUMA_NO_NODE)
		return alloc_any(&w);
	return rxd_supply_node(node, &from) ? alloc_from(&from, &w) : 0;
}
