/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocates and frees pages as the kernel at hand lets a module do it. */
#ifndef _RX_COMPAT_MEM_H
#define _RX_COMPAT_MEM_H

/*
 * Allocates up to @nr pages of @node, or with NUMA_NO_NODE of the local node, into @pages,
 * whose entries are NULL. Context: as @gfp allows. Returns how many entries are set, from
 * the first on.
 */
static inline unsigned int rx_alloc_pages_bulk(gfp_t gfp, int node, unsigned int nr,
					       struct page **pages)
{
#ifdef RX_HAVE_BULK_ARRAY
	return alloc_pages_bulk_array_node(gfp, node, nr, pages);
#else
	return alloc_pages_bulk_node(gfp, node, nr, pages);
#endif
}

/* Returns whether this task has a memory policy. */
static inline bool rx_task_has_mempolicy(void)
{
#ifdef CONFIG_NUMA
	return current->mempolicy;
#else
	return false;
#endif
}

/*
 * Returns the nodes that the task's memory policy names, or NULL if it names none.
 * Context: any; in an interrupt no policy applies.
 */
static inline const nodemask_t *rx_task_policy_nodes(void)
{
#ifdef CONFIG_NUMA
	const struct mempolicy *policy = in_task() ? current->mempolicy : NULL;

	if (policy && !nodes_empty(policy->nodes))
		return &policy->nodes;
#endif
	return NULL;
}

/*
 * Returns the nodes that the task is bound to, by its policy or by its cpuset, or NULL
 * if pages may come from any node. A policy's nodes are a subset of the cpuset's. The
 * kernel adds new nodes to the task's copy of the cpuset's nodes before it removes the
 * old ones, so an unlocked reader finds nodes of either set, and never none.
 * Context: any; in an interrupt neither the policy nor the cpuset applies.
 */
static inline const nodemask_t *rx_task_bound_nodes(void)
{
#ifdef CONFIG_NUMA
	const struct mempolicy *policy = in_task() ? current->mempolicy : NULL;

	if (policy && policy->mode == MPOL_BIND)
		return &policy->nodes;
#ifdef CONFIG_CPUSETS
	if (in_task() && !nodes_subset(node_states[N_MEMORY], current->mems_allowed))
		return &current->mems_allowed;
#endif
#endif
	return NULL;
}

/* Returns how many pages of its own memory on a node the kernel can reclaim. */
static inline long rx_node_reclaimable(struct pglist_data *node)
{
	long nr = atomic_long_read(&node->vm_stat[NR_SLAB_RECLAIMABLE_B]) +
		  atomic_long_read(&node->vm_stat[NR_KERNEL_MISC_RECLAIMABLE]);

	return max(nr, 0L);
}

/*
 * Tells the page allocator that memory is short in the zone of @page, which is about to
 * be freed.
 *
 * Since Linux 6.7 each processor may keep an eighth of a zone, divided by the number of
 * the node's processors, of the pages that are freed on it. They don't count as free, and
 * are kept apart by kind: a task that needs pages to map gets none of the unmovable ones,
 * not even on that processor. With the mark a processor that frees a page keeps no more
 * than before 6.7: the low watermark divided by the number of processors. The allocator
 * sets the mark itself, but not before the zone is below its high watermark, and takes it
 * away once the zone has enough. Until then processors that free or take pages of the
 * zone lock it more often. Context: any.
 */
static inline void rx_zone_is_short(struct page *page)
{
#ifdef RX_HAVE_ZONE_BELOW_HIGH
	unsigned long *flags = &page_zone(page)->flags;

	if (!test_bit(ZONE_BELOW_HIGH, flags))
		set_bit(ZONE_BELOW_HIGH, flags);
#endif
}

#endif
