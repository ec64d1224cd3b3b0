// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of a disk with prealloc is taken for all of its size before the disk is
 * used. Discards keep it, and an erase zeroes it. Each page reads as zeroes when it
 * enters the store.
 */
#include <linux/sched.h>
#include <linux/sizes.h>
#include "rxdsk.h"

/* The worker holds no lock, so it may reclaim; the OOM killer is not for a disk. */
#define PREPARE_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN | \
			 __GFP_NOMEMALLOC)

enum {
	BATCH_PAGES	= 16,		/* taken at a time */
	ZERO_BYTES	= SZ_64M,	/* zeroed between two looks at "dying" */
};

/*
 * Refuses @nr pages that cannot be had now, with the tree's nodes for them, from @node
 * or, with RXD_NODE_*, from all nodes. Context: process. Return: 0 or -ENOSPC.
 */
int rxd_prepare_check(int node, u64 nr, const char **why)
{
	u64 index = DIV_ROUND_UP_ULL(nr, RXD_NODE_SLOTS) *
		    sizeof(struct rxd_node) / PAGE_SIZE;
	long left = rxd_mem_left(node);

	/* A disk that grows within its last page needs no memory. */
	if (!nr || (left > 0 && nr + index <= left))
		return 0;
	*why = "less memory than that is available above min_free";
	return -ENOSPC;
}

/*
 * Puts up to @nr new pages into the hole at @first. Return: how many, 0 if a page is
 * there already, or -ENOMEM.
 */
static int prepare_hole(struct rxd_disk *d, pgoff_t first, unsigned int nr)
{
	struct page *pages[BATCH_PAGES];
	int put, i;

	nr = rxd_store_hole(d, (u64)first << PAGE_SHIFT, nr << PAGE_SHIFT, nr);
	if (!nr)
		return 0;
	nr = rxd_store_alloc(d, first, pages, nr, PREPARE_GFP | __GFP_ZERO);
	if (!nr)
		return -ENOMEM;
	/* A disk with prealloc has no limit. */
	rxd_limit_take(d, nr);
	put = rxd_store_put(d, first, pages, nr, PREPARE_GFP);
	rxd_limit_settle(d, nr - max(put, 0));
	/* No other task has seen the pages that the store has not taken. */
	for (i = max(put, 0); i < nr; i++)
		__free_page(pages[i]);
	return put;
}

/*
 * Gives the disk all pages from @first to before @end, where no I/O adds or removes
 * any meanwhile. Context: process, may sleep. Return: 0, -ENOSPC, or -EINTR if the
 * disk is being detached. After an error, some of the pages are there.
 */
int rxd_prepare_pages(struct rxd_disk *d, pgoff_t first, pgoff_t end)
{
	struct rxd_wait wait;
	int put;

	rxd_wait_begin(&wait);
	while (first < end) {
		if (READ_ONCE(d->dying))
			return -EINTR;
		put = prepare_hole(d, first, min_t(u64, end - first, BATCH_PAGES));
		if (put >= 0) {
			first += max(put, 1);
			rxd_wait_begin(&wait);
		} else if (!rxd_wait_memory(&wait, d)) {
			return -ENOSPC;
		}
		cond_resched();
	}
	return 0;
}

/*
 * Zeroes all pages of a closed disk that cannot be opened meanwhile. Context:
 * process, may sleep. Return: 0, or -EINTR if the disk is being detached.
 */
int rxd_prepare_zero(struct rxd_disk *d)
{
	u64 pos, size = (u64)get_capacity(d->gd) << SECTOR_SHIFT;

	for (pos = 0; pos < size; pos += ZERO_BYTES) {
		if (READ_ONCE(d->dying))
			return -EINTR;
		rxd_store_zero(d, pos, min_t(u64, size - pos, ZERO_BYTES), true,
			       true);
	}
	return 0;
}
