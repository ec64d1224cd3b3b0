/* SPDX-License-Identifier: GPL-2.0-only */
/* Many pages at a time, and where pages come from. */
#ifndef _RX_COMPAT_MEM_H
#define _RX_COMPAT_MEM_H

/*
 * Up to @nr pages into @pages, which are all NULL, from the local node.
 * Context: as @gfp allows. Returns how many there are, from the first on.
 */
static inline unsigned int rx_alloc_pages_bulk(gfp_t gfp, unsigned int nr,
					       struct page **pages)
{
#ifdef RX_HAVE_BULK_ARRAY
	return alloc_pages_bulk_array(gfp, nr, pages);
#else
	return alloc_pages_bulk(gfp, nr, pages);
#endif
}

/* Whether this task has said where its memory is to come from. */
static inline bool rx_task_has_mempolicy(void)
{
#ifdef CONFIG_NUMA
	return current->mempolicy;
#else
	return false;
#endif
}

/*
 * The nodes that the task is bound to, by itself or by its cpuset, or NULL: pages
 * come from whatever node has some. A policy's nodes are among the cpuset's. The
 * kernel changes the task's copy of these by adding the new nodes before it takes
 * the old ones away, so an unlocked look finds nodes of either, and never none.
 * Context: any; in an interrupt neither holds.
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

/* The kernel's own memory on a node that it can reclaim, in pages. */
static inline long rx_node_reclaimable(struct pglist_data *node)
{
	long nr = atomic_long_read(&node->vm_stat[NR_SLAB_RECLAIMABLE_B]) +
		  atomic_long_read(&node->vm_stat[NR_KERNEL_MISC_RECLAIMABLE]);

	return max(nr, 0L);
}

#endif
