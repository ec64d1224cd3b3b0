// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store maps bytes of the disk to bytes of pages.
 *
 * A page enters the tree only when all of its bytes are set, and leaves the tree
 * a grace period before it is freed. So a task that finds a page under
 * rcu_read_lock() may copy from it or into it, and no task ever sees a byte of old
 * kernel memory. Two requests for the same bytes at the same time are a race of their
 * submitters: a read may see a mix of old and new bytes, and a write into a page that
 * is discarded at the same time may be lost with the page.
 *
 * Memory may fail. The kernel marks a page of ours whose error it has found, and a copy
 * from a page finds an error by itself (rx/memcpy.h). A read of a page that has failed is
 * EIO, and so is a write to a part of it. A write to all of it puts another page in its
 * place, and zeroes or a discard take it out. The marked page is never used again.
 *
 * The other side of a copy is one address that is valid for the whole length. A copy
 * goes leaf by leaf, with one look-up for 64 pages, and pages that are adjacent in
 * memory are copied as one piece.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/prefetch.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <rx/memcpy.h>
#include "rxdsk.h"

enum {
	/*
	 * Pages that are removed, or zeroed, between two chances to reschedule. A
	 * context that may not sleep clears no wider range, unless it is empty.
	 */
	CHUNK_PAGES	= 256,
	ZERO_PAGES	= SZ_1M / PAGE_SIZE,
	/*
	 * 4 KiB out of 64 MiB, in batches of 32, took 696 ns natively without a
	 * prefetch; with 256 bytes it took 620 ns, with 512 648, 1024 580,
	 * 1536 596, 2048 624 and 4096 700.
	 */
	PREFETCH_BYTES	= 1024,
	/* Pages of an interleaved disk that come from one node. */
	STRIPE_PAGES	= 16,
};

#define LEAF_BYTES	((u64)RXD_NODE_SLOTS << PAGE_SHIFT)

void rxd_store_init(struct rxd_disk *d)
{
	rxd_tree_init(&d->tree);
	rxd_reap_init(&d->reap);
	rxd_clear_init(d);
}

/* Returns how many of the @len bytes at @pos lie in the leaf of @pos. */
static unsigned int within_leaf(u64 pos, unsigned int len)
{
	return min_t(u64, len, LEAF_BYTES - pos % LEAF_BYTES);
}

/*
 * Returns whether one address reaches the @nr pages from @page on and @next behind
 * them. With CONFIG_KMAP_LOCAL none does, because each page is mapped by itself.
 */
static bool follows(struct page *page, unsigned int nr, struct page *next)
{
	if (IS_ENABLED(CONFIG_KMAP_LOCAL))
		return false;
	return page_address(next) == page_address(page) + nr * PAGE_SIZE;
}

/*
 * Returns the page of @pos, or NULL if it is missing. Reduces *@len to the bytes from
 * @pos on that are contiguous in memory or, if the page is missing, lie in missing
 * pages. All bytes are within one leaf. Only the first page may be marked as failed.
 */
static struct page *piece(const struct rxd_tree *t, struct rxd_node *leaf,
			  u64 pos, unsigned int *len)
{
	pgoff_t index = pos >> PAGE_SHIFT;
	struct page *page = rxd_leaf_page(t, leaf, index), *next;
	unsigned int nr = PAGE_SIZE - offset_in_page(pos), pages = 1;

	if (nr < *len) {
		do {
			next = rxd_leaf_page(t, leaf, index + pages);
			if (!page != !next || (page && (!follows(page, pages, next) ||
							PageHWPoison(next))))
				break;
			nr += PAGE_SIZE;
			pages++;
		} while (nr < *len);
		/*
		 * The caller reaches all pages by the address of the first. So the bytes
		 * of the others do not depend on their slots' addresses, and a CPU could
		 * read the bytes before it reads the slots. Pairs with the release in
		 * rxd_tree_insert(). Writes need none: the branch above orders them.
		 */
		smp_rmb();
	}
	*len = min(nr, *len);
	return page;
}

/* Copies from @off in @page, and pages that follow it. Returns false at a memory error. */
static bool copy_out(void *to, struct page *page, unsigned int off, unsigned int len)
{
	unsigned int rest;
	void *from;

	if (unlikely(PageHWPoison(page)))
		return false;
	from = kmap_local_page(page);
	rest = rx_memcpy_mc(to, from + off, len);
	kunmap_local(from);
	if (likely(!rest))
		return true;
	rx_memory_failed(pfn_to_page(page_to_pfn(page) + ((off + len - rest) >> PAGE_SHIFT)));
	return false;
}

/*
 * Copies @len bytes at @pos to @to. Context: any but hard interrupt. Return: 0, or -EIO at
 * a memory error.
 */
int rxd_store_read(struct rxd_disk *d, u64 pos, void *to, unsigned int len)
{
	unsigned int part, nr;
	struct rxd_node *leaf;
	struct page *page;

	for (; len; len -= part) {
		part = within_leaf(pos, len);
		rcu_read_lock();
		leaf = rxd_tree_leaf(&d->tree, pos >> PAGE_SHIFT);
		for (unsigned int left = part; left; left -= nr) {
			nr = left;
			page = piece(&d->tree, leaf, pos, &nr);
			if (!page) {
				memset(to, 0, nr);
			} else if (unlikely(!copy_out(to, page, offset_in_page(pos), nr))) {
				rcu_read_unlock();
				return -EIO;
			}
			pos += nr;
			to += nr;
		}
		rcu_read_unlock();
	}
	return 0;
}

/*
 * Prefetches the first of @len bytes at @pos, which will be read or written, within
 * one page. The CPU recognizes the access and fetches the rest by itself. Context:
 * any.
 */
void rxd_store_prefetch(struct rxd_disk *d, u64 pos, unsigned int len)
{
	pgoff_t index = pos >> PAGE_SHIFT;
	struct page *page;
	unsigned int i;

	if (IS_ENABLED(CONFIG_KMAP_LOCAL))
		return;
	len = min3(len, (unsigned int)(PAGE_SIZE - offset_in_page(pos)),
		   (unsigned int)PREFETCH_BYTES);
	rcu_read_lock();
	page = rxd_leaf_page(&d->tree, rxd_tree_leaf(&d->tree, index), index);
	for (i = 0; page && i < len; i += L1_CACHE_BYTES)
		prefetch(page_address(page) + offset_in_page(pos) + i);
	rcu_read_unlock();
}

/*
 * Writes to pages that are present. Context: any but hard interrupt. Return: how many
 * of the @len bytes at @pos were written, up to the first page that is missing or has
 * failed, or the end of a leaf.
 */
unsigned int rxd_store_overwrite(struct rxd_disk *d, u64 pos, const void *from,
				 unsigned int len)
{
	struct rxd_node *leaf;
	unsigned int nr, done;
	struct page *page;
	void *to;

	len = within_leaf(pos, len);
	rcu_read_lock();
	leaf = rxd_tree_leaf(&d->tree, pos >> PAGE_SHIFT);
	for (done = 0; leaf && done < len; done += nr) {
		nr = len - done;
		page = piece(&d->tree, leaf, pos + done, &nr);
		if (!page || unlikely(PageHWPoison(page)))
			break;
		to = kmap_local_page(page);
		rx_memcpy(to + offset_in_page(pos + done), from + done, nr);
		kunmap_local(to);
	}
	rcu_read_unlock();
	return done;
}

/*
 * Returns how many pages are missing in a row from @pos on, within @len bytes and one
 * leaf and up to @max pages. Context: any but hard interrupt.
 */
unsigned int rxd_store_hole(struct rxd_disk *d, u64 pos, unsigned int len,
			    unsigned int max)
{
	unsigned int nr, pages, off = offset_in_page(pos);
	pgoff_t first = pos >> PAGE_SHIFT;
	struct rxd_node *leaf;

	pages = DIV_ROUND_UP(off + within_leaf(pos, len), PAGE_SIZE);
	pages = min(pages, max);
	rcu_read_lock();
	leaf = rxd_tree_leaf(&d->tree, first);
	for (nr = 0; nr < pages; nr++)
		if (rxd_leaf_page(&d->tree, leaf, first + nr))
			break;
	rcu_read_unlock();
	return nr;
}

/*
 * Allocates up to @nr pages for a hole at @first, from the disk's NUMA nodes. Context:
 * as @gfp allows. Return: the number of @pages, whose content is undefined.
 */
unsigned int rxd_store_alloc(struct rxd_disk *d, pgoff_t first,
			     struct page **pages, unsigned int nr, gfp_t gfp)
{
	pgoff_t turn = first / STRIPE_PAGES;
	unsigned int got = 0, i;

	if (d->node != RXD_NODE_INTERLEAVE)
		return rxd_page_alloc_run(pages, nr, gfp, d->node);
	nr = min_t(unsigned int, nr, STRIPE_PAGES - first % STRIPE_PAGES);
	/* If a node is at its floor, the nodes after it take its turns. */
	for (i = 0; !got && i < num_node_state(N_NORMAL_MEMORY); i++)
		got = rxd_page_alloc_run(pages, nr, gfp,
					 rxd_mem_nth_node(turn + i));
	return got ? got : rxd_page_alloc_run(pages, nr, gfp, NUMA_NO_NODE);
}

/*
 * Puts pages, all of whose bytes are set and which rxd_limit_take() has counted, into a
 * hole of @nr pages at @first.
 * Context: as @gfp allows, but never interrupt. Return: how many pages the store has
 * taken, up to the first whose slot was filled meanwhile, or -ENOMEM if none.
 */
int rxd_store_put(struct rxd_disk *d, pgoff_t first, struct page **pages,
		  unsigned int nr, gfp_t gfp)
{
	int put = rxd_tree_insert(&d->tree, first, pages, nr, gfp), i;

	for (i = 0; d->node_used && i < put; i++)
		atomic_long_inc(&d->node_used[page_to_nid(pages[i])]);
	return put;
}

/* Subtracts pages that have left the tree from the counters of their NUMA nodes. */
static void uncount_nodes(struct rxd_disk *d, const struct rx_pages *pages,
			  unsigned int nr)
{
	const struct page *page = pages->first;

	for (; d->node_used && nr; nr--, page = rx_pages_next(page))
		atomic_long_dec(&d->node_used[page_to_nid(page)]);
}

/* Hands over pages that have left the tree, to be freed. */
static void retire(struct rxd_disk *d, struct rx_pages *pages, unsigned int nr)
{
	uncount_nodes(d, pages, nr);
	rxd_reap_defer(d, pages, nr);
}

/* Returns the page of @index if its memory has failed, else NULL. Context: any. */
struct page *rxd_store_failed(struct rxd_disk *d, pgoff_t index)
{
	struct page *page;

	rcu_read_lock();
	page = rxd_leaf_page(&d->tree, rxd_tree_leaf(&d->tree, index), index);
	if (page && !PageHWPoison(page))
		page = NULL;
	rcu_read_unlock();
	return page;
}

/*
 * Puts @page, all of whose bytes are set, in the place of @failed, which is never used
 * again, so that no other page can have come to have its address. Context: any but
 * interrupt. Return: false if another task has taken @failed out meanwhile.
 */
bool rxd_store_replace(struct rxd_disk *d, pgoff_t index, struct page *failed,
		       struct page *page)
{
	struct rx_pages pages = {};

	if (!rxd_tree_replace(&d->tree, index, failed, page))
		return false;
	rxd_limit_swap(d);
	if (d->node_used)
		atomic_long_inc(&d->node_used[page_to_nid(page)]);
	rx_pages_push(&pages, failed);
	retire(d, &pages, 1);
	rxd_limit_settle(d, 0);
	return true;
}

/* Takes out a page that has failed, so that it reads as zeroes. Context: any but interrupt. */
static void drop_failed(struct rxd_disk *d, pgoff_t index)
{
	struct rx_pages pages = {};

	if (rxd_tree_remove(&d->tree, &index, index, 1, &pages))
		retire(d, &pages, 1);
}

/* Walks as rxd_tree_remove() does, but the pages are zeroed and stay. */
static unsigned int zero_chunk(struct rxd_disk *d, pgoff_t *first,
			       pgoff_t last)
{
	struct rxd_node *leaf;
	unsigned int nr = 0;
	struct page *page;

	rcu_read_lock();
	while (nr < ZERO_PAGES) {
		leaf = rxd_tree_next(&d->tree, first, last);
		if (!leaf)
			break;
		do {
			page = rxd_leaf_page(&d->tree, leaf, *first);
			++*first;
			if (!page)
				continue;
			if (unlikely(PageHWPoison(page)))
				drop_failed(d, *first - 1);
			else
				memzero_page(page, 0, PAGE_SIZE);
			nr++;
		} while (*first % RXD_NODE_SLOTS && *first <= last &&
			 nr < ZERO_PAGES);
	}
	rcu_read_unlock();
	return nr;
}

static bool range_is_empty(struct rxd_disk *d, pgoff_t first, pgoff_t last)
{
	struct rxd_node *leaf;

	rcu_read_lock();
	leaf = rxd_tree_next(&d->tree, &first, last);
	rcu_read_unlock();
	return !leaf;
}

/*
 * Removes the pages from @first to before @end or, with @keep, zeroes them. The cost
 * depends on the pages present, not on the width of the range. Return: 0 or, without
 * @sleep, -EAGAIN if this is too much, so that the caller calls again with @sleep.
 */
static int clear_range(struct rxd_disk *d, pgoff_t first, pgoff_t end,
		       bool keep, bool sleep)
{
	unsigned int nr, most = keep ? ZERO_PAGES : CHUNK_PAGES;

	if (first >= end)
		return 0;
	if (!sleep && end - first > most)
		return range_is_empty(d, first, end - 1) ? 0 : -EAGAIN;
	do {
		struct rx_pages pages = {};

		if (!keep && rxd_reap_full(d)) {
			if (!sleep)
				return -EAGAIN;
			rxd_reap_throttle(d);
		}
		if (keep)
			nr = zero_chunk(d, &first, end - 1);
		else
			nr = rxd_tree_remove(&d->tree, &first, end - 1,
					     most, &pages);
		if (!keep && nr)
			retire(d, &pages, nr);
		if (sleep)
			cond_resched();
	} while (nr == most && first < end);
	return 0;
}

/*
 * Zeroes @len bytes at @pos, within one page, if the page exists. Return: 0, or -EIO if its
 * memory has failed.
 */
static int zero_part(struct rxd_disk *d, u64 pos, unsigned int len)
{
	pgoff_t index = pos >> PAGE_SHIFT;
	struct page *page;
	int err = 0;

	rcu_read_lock();
	page = rxd_leaf_page(&d->tree, rxd_tree_leaf(&d->tree, index), index);
	if (page && unlikely(PageHWPoison(page)))
		err = -EIO;
	else if (page)
		memzero_page(page, offset_in_page(pos), len);
	rcu_read_unlock();
	return err;
}

/*
 * Returns where the clearing of a range ends. The bytes behind the disk's end in its
 * last page hold no data, so a range up to the disk's end includes all of that page;
 * otherwise the page would stay without any data.
 */
static u64 clear_end(const struct rxd_disk *d, u64 end)
{
	return rxd_disk_ends_at(d, end) ? round_up(end, PAGE_SIZE) : end;
}

/* Frees the pages from @first to before @end. Context: process, may sleep. */
void rxd_store_drop(struct rxd_disk *d, pgoff_t first, pgoff_t end)
{
	clear_range(d, first, end, false, true);
}

/*
 * Frees the pages that lie wholly in the range, or zeroes them where the disk is to
 * keep its memory, and leaves the others alone. Context: process, or any but
 * interrupt if not @sleep. Return: as clear_range().
 */
int rxd_store_discard(struct rxd_disk *d, u64 pos, u64 len, bool sleep)
{
	return clear_range(d, (pos + PAGE_SIZE - 1) >> PAGE_SHIFT,
			   clear_end(d, pos + len) >> PAGE_SHIFT, d->prealloc,
			   sleep);
}

/*
 * Makes the range read as zeroes: whole pages are freed, or zeroed if @keep or
 * the disk has prealloc, and partly covered ones are zeroed in place. Allocates
 * nothing, so it does not fail for lack of memory. Context and return: as
 * rxd_store_discard(), or -EIO if a partly covered page has failed.
 */
int rxd_store_zero(struct rxd_disk *d, u64 pos, u64 len, bool keep,
		   bool sleep)
{
	u64 end = clear_end(d, pos + len);
	u64 first = round_up(pos, PAGE_SIZE);
	u64 last = round_down(end, PAGE_SIZE);
	int err;

	keep |= d->prealloc;
	if (first > last)
		return zero_part(d, pos, end - pos);
	err = clear_range(d, first >> PAGE_SHIFT, last >> PAGE_SHIFT, keep,
			  sleep);
	if (err)
		return err;
	if (pos < first)
		err = zero_part(d, pos, first - pos);
	if (!err && last < end)
		err = zero_part(d, last, end - last);
	return err;
}

/*
 * Does what rxd_store_zero() does, for pages most of which are missing. If all are,
 * this takes no lock, and does not wait for pages that are being freed.
 */
int rxd_store_zero_pages(struct rxd_disk *d, u64 pos, unsigned int len,
			 bool sleep)
{
	if (range_is_empty(d, pos >> PAGE_SHIFT, (pos + len - 1) >> PAGE_SHIFT))
		return 0;
	return rxd_store_zero(d, pos, len, false, sleep);
}

/*
 * Frees everything. The queue is gone, so no task uses the store any more, but requests
 * that list the extents may still look at the tree, which stays empty.
 */
void rxd_store_destroy(struct rxd_disk *d)
{
	rxd_clear_all(d);
	rxd_reap_drain(d);
	WARN_ON_ONCE(atomic_long_read(&d->used));
	rxd_tree_destroy(&d->tree);
}
