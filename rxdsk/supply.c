// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many pages the machine has for disks and caches beyond the floor, the memory that
 * is left to everybody else, and which node has them.
 */
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/vmstat.h>
#include "compat.h"
#include "rxdsk.h"
#include "supply.h"

enum {
	/* 256 KiB, but no fewer than are taken at a time. */
	CREDIT_PAGES	= SZ_256K / PAGE_SIZE > 16 ? SZ_256K / PAGE_SIZE : 16,
	MIN_FREE_LOW	= 16,		/* MiB, of the default */
	MIN_FREE_HIGH	= 1024,
	/* See floor_of(). */
	BAND_PAGES	= SZ_64M / PAGE_SIZE,
};

static unsigned int min_free = UINT_MAX;
module_param(min_free, uint, 0644);
MODULE_PARM_DESC(min_free,
		 "MiB of available memory, of the kind that they could take, that disks and caches leave to everybody else, 0 or more, and more if the kernel's watermarks require it (default: 1/32 of memory or that, if it is more; at least 16, at most 1024)");

/* The source of a CPU's next pages, and how many may be taken of it without a check. */
static DEFINE_PER_CPU(struct rxd_source, source);
static DEFINE_PER_CPU(int, credit);

/* Sums over the zones that were looked at, in pages. */
struct supply {
	long free;		/* beyond what the kernel reserves */
	long ready;		/* free above the low watermarks */
	long file;		/* page cache */
	long low;		/* low watermarks */
	long high;		/* high watermarks */
	long boost;		/* see boost_of() */
};

/* How well a node serves a disk or a cache that may have memory of several. */
enum grade {
	GRADE_NONE,		/* has no more than its share of the floor */
	GRADE_RECLAIM,		/* has more, if it is reclaimed */
	GRADE_SHARE,		/* has more, free */
	GRADE_FLOOR,		/* has more than the whole floor, free */
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
	long low = READ_ONCE(zone->_watermark[WMARK_LOW]);
	long cma = zone_page_state(zone, NR_FREE_CMA_PAGES);
	long free = zone_page_state(zone, NR_FREE_PAGES) - cma;
	long file = zone_page_state(zone, NR_ZONE_ACTIVE_FILE) +
		    zone_page_state(zone, NR_ZONE_INACTIVE_FILE);

	s->free += free - min_t(long, zone->lowmem_reserve[top] + high,
				zone_managed_pages(zone));
	s->ready += max(free - zone->lowmem_reserve[top] - low -
			READ_ONCE(zone->watermark_boost), 0L);
	s->file += max(file - max((long)zone_cma_pages(zone) - cma, 0L), 0L);
	s->low += low;
	s->high += high;
	s->boost += boost_of(zone, high);
}

/*
 * Returns how many pages we could get from @nodes (NULL: all), as si_mem_available()
 * computes it. That function also counts zones for movable pages only (movablecore=,
 * hotplugged memory), CMA areas, and nodes that the task may not use; this does not.
 * *@s: the sums, over all nodes if the task's policy allows no zone for our pages.
 */
static long usable(const nodemask_t *nodes, struct supply *s)
{
	/* As in rxd_page_alloc(), whose pages are not movable. */
	enum zone_type top = gfp_zone(__GFP_HIGHMEM), i;
	struct zone *zone;
	long slab = 0;
	int nid;

	*s = (struct supply){};
	for_each_online_node(nid) {
		if (nodes && !node_isset(nid, *nodes))
			continue;
		for (i = 0; i <= top; i++) {
			zone = &NODE_DATA(nid)->node_zones[i];
			if (managed_zone(zone))
				count_zone(s, zone, top);
		}
		slab += rx_node_reclaimable(NODE_DATA(nid));
	}
	/* The kernel ignores a policy that allows no zone for unmovable pages. */
	if (!s->low && nodes)
		return usable(NULL, s);
	return s->free + s->file - min(s->file / 2, s->low) +
	       slab - min(slab / 2, s->low);
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
	struct supply s;
	long nr = usable(nodes, &s);

	return nr - floor_of(s.boost);
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
	struct supply s;
	long nr = usable(NULL, &s);

	nr -= give_at(s.boost);
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
 * Returns how well @node serves, while at least the floor of @all, the machine's sums, is
 * left in all. A node's share of the floor is its part of the watermarks and of their
 * possible boosts, for these must not be missing on the node itself: a task that is
 * bound to it would be killed beside the free memory of other nodes. As long as another
 * node has enough, the whole floor is left. *@runs: whether CREDIT_PAGES can be taken
 * without going below the low watermark.
 */
static enum grade grade_of(int node, const struct supply *all, bool *runs)
{
	nodemask_t one = nodemask_of_node(node);
	long floor = floor_of(all->boost);
	struct supply s;
	long nr = usable(&one, &s);

	*runs = s.ready >= CREDIT_PAGES;
	if (nr <= mult_frac(floor, s.high + s.boost,
			    max(all->high + all->boost, 1L)))
		return GRADE_NONE;
	if (!*runs)
		return GRADE_RECLAIM;
	return nr > floor ? GRADE_FLOOR : GRADE_SHARE;
}

/*
 * Returns whether each node that the task's memory policy names has more than the floor,
 * so that the kernel may choose among them. *@runs: as in grade_of().
 */
static bool policy_serves(const struct supply *all, bool *runs)
{
	const nodemask_t *nodes = rx_task_policy_nodes();
	bool has_runs;
	int node;

	if (!nodes || !nodes_intersects(*nodes, node_states[N_NORMAL_MEMORY]))
		return false;
	*runs = true;
	for_each_node_mask(node, *nodes) {
		if (!node_state(node, N_NORMAL_MEMORY))
			continue;
		if (grade_of(node, all, &has_runs) < GRADE_FLOOR)
			return false;
		*runs &= has_runs;
	}
	return true;
}

/*
 * Sets @from->node to the best of the nodes in @nodes (NULL: all) that are not in @tried
 * (NULL: none), and of two that are as good to the nearer one. Return: false if none has
 * more than its share of the floor.
 */
static bool best_node(struct rxd_source *from, const struct supply *all,
		      const nodemask_t *nodes, const nodemask_t *tried)
{
	int here = numa_mem_id(), nid = here, i;
	enum grade best = GRADE_NONE, grade;
	bool runs;

	for (i = 0; i <= num_node_state(N_NORMAL_MEMORY); i++) {
		if (node_state(nid, N_NORMAL_MEMORY) &&
		    !(nodes && !node_isset(nid, *nodes)) &&
		    !(tried && node_isset(nid, *tried))) {
			grade = grade_of(nid, all, &runs);
			if (grade > best || (grade && grade == best &&
					     node_distance(here, nid) <
					     node_distance(here, from->node))) {
				best = grade;
				from->node = nid;
				from->runs = runs;
			}
			if (nid == here && grade == GRADE_FLOOR)
				break;
		}
		nid = next_node_in(nid, node_states[N_NORMAL_MEMORY]);
	}
	return best != GRADE_NONE;
}

/*
 * Chooses where CREDIT_PAGES pages come from that no disk has bound to a node, except
 * from the nodes in @tried (NULL: none). Return: false if the floor is reached.
 */
bool rxd_supply_choose(struct rxd_source *from, const nodemask_t *tried)
{
	const nodemask_t *bound = rx_task_bound_nodes();
	struct supply all;
	long nr = usable(bound, &all);

	if (nr - floor_of(all.boost) < CREDIT_PAGES)
		return false;
	from->node = NUMA_NO_NODE;
	from->runs = all.ready >= CREDIT_PAGES;
	if (num_node_state(N_NORMAL_MEMORY) == 1)
		return true;
	/* The kernel ignores a policy that allows no zone for unmovable pages. */
	if (bound && !nodes_intersects(*bound, node_states[N_NORMAL_MEMORY]))
		bound = NULL;
	if (bound)
		usable(NULL, &all);
	if (!tried && policy_serves(&all, &from->runs))
		return true;
	return best_node(from, &all, bound, tried);
}

/*
 * Returns whether @nr pages may be taken, and sets *@from. The counters of all zones and
 * nodes are added up once for CREDIT_PAGES pages, which the CPU may then take without a
 * check. So memory may fall below the floor by the credit of all CPUs (256 KiB each, 1
 * MiB with pages of 64 KiB), and by what other tasks take meanwhile. On a machine with
 * several nodes each call checks for a task that is bound to some or has a policy.
 *
 * Callers may interrupt each other or change CPUs in between. A check sets the
 * credit instead of adding to it, so no interleaving makes the credit exceed
 * CREDIT_PAGES; a lost update is one request's pages, and the node of another check
 * serves as well.
 */
bool rxd_supply_take(unsigned int nr, struct rxd_source *from)
{
	if (num_node_state(N_NORMAL_MEMORY) > 1 &&
	    (rx_task_has_mempolicy() || rx_task_bound_nodes()))
		return rxd_supply_choose(from, NULL);
	if (likely(this_cpu_sub_return(credit, (int)nr) >= 0)) {
		from->node = this_cpu_read(source.node);
		from->runs = this_cpu_read(source.runs);
		return true;
	}
	if (!rxd_supply_choose(from, NULL)) {
		this_cpu_write(credit, 0);
		return false;
	}
	this_cpu_write(source.node, from->node);
	this_cpu_write(source.runs, from->runs);
	this_cpu_write(credit, CREDIT_PAGES - (int)nr);
	return true;
}

/*
 * Returns whether CREDIT_PAGES pages may be taken from @node alone, and sets *@from. The
 * credit is for any node, so each call checks. Context: any.
 */
bool rxd_supply_node(int node, struct rxd_source *from)
{
	struct supply s;
	nodemask_t one;

	if (!rxd_mem_has_node(node))
		return false;
	one = nodemask_of_node(node);
	if (usable(&one, &s) - floor_of(s.boost) < CREDIT_PAGES)
		return false;
	from->node = node;
	from->runs = s.ready >= CREDIT_PAGES;
	return true;
}

/* Has the next rxd_supply_take() on this CPU look anew. Context: any. */
void rxd_supply_end(void)
{
	this_cpu_write(credit, 0);
}

void rxd_mem_init(void)
{
	unsigned long want;
	struct supply s;

	if (min_free != UINT_MAX)
		return;
	min_free = 0;
	usable(NULL, &s);
	want = max_t(unsigned long, totalram_pages() / 32, floor_of(s.boost));
	min_free = clamp_t(unsigned long, want >> (20 - PAGE_SHIFT),
			   MIN_FREE_LOW, MIN_FREE_HIGH);
}
