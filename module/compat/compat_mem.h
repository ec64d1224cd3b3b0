/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocates pages in bulk, and tells where pages come from. */
#ifndef _RX_COMPAT_MEM_H
#define _RX_COMPAT_MEM_H

/*
 * Allocates up to @nr pages of the local node into @pages, whose entries are NULL.
 * Context: as @gfp allows. Returns how many entries are set, from the first on.
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

#endif
