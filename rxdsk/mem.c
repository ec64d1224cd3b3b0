// SPDX-License-Identifier: GPL-2.0-only
/* Takes pages from the kernel, and leaves enough to the rest of the machine. */
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/vmstat.h>
#include "compat.h"
#include "rxdsk.h"

enum {
	/* 256 KiB, but no fewer than are taken at a time. */
	CREDIT_PAGES	= SZ_256K / PAGE_SIZE > 16 ? SZ_256K / PAGE_SIZE : 16,
	MIN_FREE_LOW	= 16,		/* MiB, of the default */
	MIN_FREE_HIGH	= 1024,
	/* 64 KiB, with pages of 4 KiB. */
	RUN_ORDER	= 4,
	/* See floor_of(). */
	BAND_PAGES	= SZ_64M / PAGE_SIZE,
};

static unsigned int min_free = UINT_MAX;
module_param(min_free, uint, 0644);
MODULE_PARM_DESC(min_free,
		 "MiB of available memory, of the kind that they could take, that disks and caches leave to everybody else, 0 or more, and more if the kernel's watermarks require it (default: 1/32 of memory or that, if it is more; at least 16, at most 1024)");

static DEFINE_PER_CPU(int, credit);

/* Sums over the zones that were looked at, in pages. */
struct supply {
	long free;		/* beyond what the kernel reserves */
	long file;		/* page cache */
	long low;		/* low watermarks */
	long boost;		/* see boost_of() */
};

/*
 * Returns by how much the kernel may boost the watermarks of @zone. It boosts them by a
 * page block each time that unmovable and movable pages have to share one, by default up
 * to 1.5 times the high watermark, but never a zone of less than four page blocks. A sum
 * of available memory by the present watermarks misses that. If nothing is left to
 * reclaim, the boost stays, and the next task that needs a page is killed although that
 * much memory is free. Allocations of ours may cause the whole boost, so we stop before
 * that.
 */
static long boost_of(struct zone *zone, long high)
{
	long boost = READ_ONCE(zone->watermark_boost);

	if (zone_managed_pages(zone) < 4 * pageblock_nr_pages)
		return boost;
	return max3(boost, high * 3 / 2, (long)pageblock_nr_pages);
}

/*
 * Adds the memory of @zone to @s. Our pages are not movable, so we get no pages of a CMA
 * area: neither free ones nor those of page cache. Page cache of the area cannot be told
 * from other page cache, so all pages of the area that are in use are subtracted.
 * @top: the highest zone that we get pages from.
 */
static void count_zone(struct supply *s, struct zone *zone, enum zone_type top)
{
	long high = READ_ONCE(zone->_watermark[WMARK_HIGH]);
	long cma = zone_page_state(zone, NR_FREE_CMA_PAGES);
	long file = zone_page_state(zone, NR_ZONE_ACTIVE_FILE) +
		    zone_page_state(zone, NR_ZONE_INACTIVE_FILE);

	s->free += zone_page_state(zone, NR_FREE_PAGES) - cma;
	s->free -= min_t(long, zone->lowmem_reserve[top] + high,
			 zone_managed_pages(zone));
	s->file += max(file - max((long)zone_cma_pages(zone) - cma, 0L), 0L);
	s->low += READ_ONCE(zone->_watermark[WMARK_LOW]);
	s->boost += boost_of(zone, high);
}

/*
 * Returns how many pages we could get from @nodes (NULL: all), as si_mem_available()
 * computes it. That function also counts zones for movable pages only (movablecore=,
 * hotplugged memory), CMA areas, and nodes that the task may not use; this does not.
 * *@boost: by how much the kernel may boost the watermarks of these nodes.
 */
static long usable(const nodemask_t *nodes, long *boost)
{
	/* As in rxd_page_alloc(), whose pages are not movable. */
	enum zone_type top = gfp_zone(__GFP_HIGHMEM), i;
	struct supply s = {};
	struct zone *zone;
	long slab = 0;
	int nid;

	for_each_online_node(nid) {
		if (nodes && !node_isset(nid, *nodes))
			continue;
		for (i = 0; i <= top; i++) {
			zone = &NODE_DATA(nid)->node_zones[i];
			if (managed_zone(zone))
				count_zone(&s, zone, top);
		}
		slab += rx_node_reclaimable(NODE_DATA(nid));
	}
	/* The kernel ignores a policy that allows no zone for unmovable pages. */
	if (!s.low && nodes)
		return usable(NULL, boost);
	*boost = s.boost;
	return s.free + s.file - min(s.file / 2, s.low) +
	       slab - min(slab / 2, s.low);
}

/*
 * Returns the floor: the pages that are left to the rest of the machine. It is above the
 * boost, so that a pool which has given back as in give_at() does not at once take again.
 */
static long floor_of(long boost)
{
	return max((long)READ_ONCE(min_free) << (20 - PAGE_SHIFT),
		   boost + min_t(long, boost / 3, BAND_PAGES));
}

/*
 * Returns how many pages are left when pools begin to give back. With less than the
 * boost, kswapd would swap for boosted watermarks while there is little page cache and
 * no page is missing here.
 */
static long give_at(long boost)
{
	return max(floor_of(boost) / 4 * 3, boost);
}

static long left_on(const nodemask_t *nodes)
{
	long boost, nr = usable(nodes, &boost);

	return nr - floor_of(boost);
}

/*
 * Returns how many pages may be taken from @node, or with RXD_NODE_* from all nodes,
 * before the floor is reached; negative if fewer pages are there. Context: any.
 */
long rxd_mem_left(int node)
{
	nodemask_t one;

	if (node < 0)
		return left_on(NULL);
	one = nodemask_of_node(node);
	return left_on(&one);
}

/* Returns how many pages pools should give back, or 0. Context: any. */
unsigned long rxd_mem_missing(void)
{
	long boost, nr = usable(NULL, &boost);

	nr -= give_at(boost);
	return nr < 0 ? -nr : 0;
}

/* Returns whether our pages can come from @node at all. Context: any. */
bool rxd_mem_has_node(int node)
{
	return node >= 0 && node < nr_node_ids &&
	       node_state(node, N_NORMAL_MEMORY);
}

/* Returns the node of turn @n. All nodes that our pages can come from take turns. */
int rxd_mem_nth_node(unsigned long n)
{
	int node = first_node(node_states[N_NORMAL_MEMORY]);

	for (n %= num_node_state(N_NORMAL_MEMORY); n; n--)
		node = next_node_in(node, node_states[N_NORMAL_MEMORY]);
	return node;
}

/*
 * Returns whether CREDIT_PAGES pages may be taken before the floor is reached, from
 * @node or, with RXD_NODE_*, from the nodes that the task is bound to. Context: any.
 */
bool rxd_mem_above_floor(int node)
{
	if (node >= 0)
		return rxd_mem_left(node) >= CREDIT_PAGES;
	return left_on(rx_task_bound_nodes()) >= CREDIT_PAGES;
}

/*
 * Returns whether @nr pages may be taken. rxd_mem_above_floor() adds up the counters of
 * all zones and nodes, so it is called once for CREDIT_PAGES pages, which the CPU may
 * then take without a check. So memory may fall below the floor by the credit of all
 * CPUs (256 KiB each, 1 MiB with pages of 64 KiB), and by what other tasks take
 * meanwhile.
 *
 * Callers may interrupt each other or change CPUs in between. A check sets the
 * credit instead of adding to it, so no interleaving makes the credit exceed
 * CREDIT_PAGES; a lost update is one request's pages.
 */
static bool budget_take(unsigned int nr)
{
	if (likely(this_cpu_sub_return(credit, (int)nr) >= 0))
		return true;
	if (!rxd_mem_above_floor(NUMA_NO_NODE)) {
		this_cpu_write(credit, 0);
		return false;
	}
	this_cpu_write(credit, CREDIT_PAGES - (int)nr);
	return true;
}

/*
 * Returns 2^@order contiguous pages, or NULL if @gfp gets none or the floor is reached.
 * The content of the pages is undefined. Context: as @gfp allows, down to hard
 * interrupt.
 */
struct page *rxd_page_alloc(unsigned int order, gfp_t gfp)
{
	if (!budget_take(1U << order))
		return NULL;
	/* Compound: an origin's driver may take references on each page. */
	return alloc_pages(gfp | __GFP_HIGHMEM | (order ? __GFP_COMP : 0),
			   order);
}

/*
 * Gives 2^@order pages back. If a single page has failed, the allocator sees its mark
 * and does not reuse it. The allocator does not check each of several pages, so pages
 * of which one has failed are not given back, and are lost. Context: any.
 */
void rxd_pages_free(struct page *page, unsigned int order)
{
	if (!order || !rxd_pages_poisoned(page, order))
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

/* Takes pages of @node only, or with NUMA_NO_NODE by the task's memory policy. */
static struct page *alloc_near(gfp_t gfp, unsigned int order, int node)
{
	if (node == NUMA_NO_NODE)
		return alloc_pages(gfp | __GFP_HIGHMEM, order);
	return alloc_pages_node(node, gfp | __GFP_HIGHMEM | __GFP_THISNODE,
				order);
}

/* Takes single pages, for which the caller has asked may_take() or budget_take(). */
static unsigned int alloc_bulk(struct page **pages, unsigned int nr, gfp_t gfp,
			       int node)
{
	unsigned int i;

	/* No bulk allocation that follows a task's memory policy is exported. */
	if (nr > 1 && node == NUMA_NO_NODE && !rx_task_has_mempolicy()) {
		memset(pages, 0, nr * sizeof(*pages));
		return rx_alloc_pages_bulk(gfp | __GFP_HIGHMEM, nr, pages);
	}
	for (i = 0; i < nr; i++) {
		pages[i] = alloc_near(gfp, 0, node);
		if (!pages[i])
			break;
	}
	return i;
}

/*
 * Takes up to @nr single pages, where @nr is at most CREDIT_PAGES, of the local node
 * or by the task's memory policy. Context: as @gfp allows. Return: the number of
 * @pages, whose content is undefined.
 */
unsigned int rxd_page_alloc_bulk(struct page **pages, unsigned int nr,
				 gfp_t gfp)
{
	return budget_take(nr) ? alloc_bulk(pages, nr, gfp, NUMA_NO_NODE) : 0;
}

/*
 * Returns whether @nr pages of @node may be taken. The credit is for the nodes that the
 * task may use, so for a disk that is bound to @node each call checks that node.
 */
static bool may_take(unsigned int nr, int node)
{
	if (node == NUMA_NO_NODE)
		return budget_take(nr);
	return rxd_mem_has_node(node) && rxd_mem_above_floor(node);
}

/*
 * Returns contiguous pages, or NULL if none are free at once. Single pages of the
 * local node are better than contiguous pages of another node, so this asks for the
 * local node, unless the task has a memory policy.
 */
static struct page *alloc_run(gfp_t gfp, int node)
{
	if (node == NUMA_NO_NODE && !rx_task_has_mempolicy())
		node = numa_mem_id();
	return alloc_near((gfp & ~__GFP_RECLAIM) | __GFP_NOWARN, RUN_ORDER, node);
}

/*
 * Does what rxd_page_alloc_bulk() does, but the pages are contiguous if a run is free
 * at once, because a run is copied in one piece. All pages are of @node, unless @node
 * is NUMA_NO_NODE.
 */
unsigned int rxd_page_alloc_run(struct page **pages, unsigned int nr,
				gfp_t gfp, int node)
{
	struct page *page = NULL;
	unsigned int i;

	if (!may_take(nr, node))
		return 0;
	if (nr == 1 << RUN_ORDER)
		page = alloc_run(gfp, node);
	if (!page)
		return alloc_bulk(pages, nr, gfp, node);
	split_page(page, RUN_ORDER);
	for (i = 0; i < nr; i++)
		pages[i] = page + i;
	return nr;
}

void rxd_mem_init(void)
{
	unsigned long want;
	long boost;

	if (min_free != UINT_MAX)
		return;
	min_free = 0;
	usable(NULL, &boost);
	want = max_t(unsigned long, totalram_pages() / 32, floor_of(boost));
	min_free = clamp_t(unsigned long, want >> (20 - PAGE_SHIFT),
			   MIN_FREE_LOW, MIN_FREE_HIGH);
}
