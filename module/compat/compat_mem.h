/* SPDX-License-Identifier: GPL-2.0-only */
/* Many pages at a time. */
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

#endif
