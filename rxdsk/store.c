// SPDX-License-Identifier: GPL-2.0-only
/*
 * The store: sector to page.
 *
 * A page enters the xarray only when every byte of it is set, and leaves it
 * before it is freed a grace period later. So whoever finds one under
 * rcu_read_lock() may copy from it or into it, and no byte of old kernel
 * memory is ever seen. Two requests for the same bytes at the same time are
 * the caller's race: a read may see a mix of old and new bytes, a write into
 * a page that is discarded at the same time may be lost with it.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "rxdsk.h"

enum {
	/* Pages removed or zeroed at a time without a chance to reschedule. */
	CHUNK_PAGES	= 256,
	/* Widest range that is worked on in a context that may not sleep. */
	INLINE_PAGES	= 256,
};

void rxd_store_init(struct rxd_disk *d)
{
	xa_init(&d->pages);
	rxd_reap_init(&d->reap);
}

/*
 * @len bytes at byte @pos into @dst; the range lies within one page of the
 * store and one page of memory. Context: any but hard interrupt.
 */
void rxd_store_read(struct rxd_disk *d, u64 pos, struct page *dst,
		    unsigned int off, unsigned int len)
{
	struct page *page;

	rcu_read_lock();
	page = xa_load(&d->pages, pos >> PAGE_SHIFT);
	if (page)
		memcpy_page(dst, off, page, offset_in_page(pos), len);
	else
		memzero_page(dst, off, len);
	rcu_read_unlock();
	flush_dcache_page(dst);
}

static bool overwrite(struct rxd_disk *d, u64 pos, struct page *src,
		      unsigned int off, unsigned int len)
{
	struct page *page;

	rcu_read_lock();
	page = xa_load(&d->pages, pos >> PAGE_SHIFT);
	if (page)
		memcpy_page(page, offset_in_page(pos), src, off, len);
	rcu_read_unlock();
	return page;
}

/* Sets every byte of a new @page: what is not written is zero. */
static void fill_page(struct page *page, unsigned int at, struct page *src,
		      unsigned int off, unsigned int len)
{
	if (at)
		memzero_page(page, 0, at);
	memcpy_page(page, at, src, off, len);
	if (at + len < PAGE_SIZE)
		memzero_page(page, at + len, PAGE_SIZE - at - len);
}

/*
 * @len bytes from @src to byte @pos, within one page each. Context: as @gfp
 * allows, but never hard interrupt. Return: 0 or -ENOMEM; a page that is
 * there is always written.
 */
int rxd_store_write(struct rxd_disk *d, u64 pos, struct page *src,
		    unsigned int off, unsigned int len, gfp_t gfp)
{
	struct page *page, *old;

	/* Each turn lost means that another writer or discard got ahead. */
	while (!overwrite(d, pos, src, off, len)) {
		page = rxd_page_alloc(0, gfp);
		if (!page)
			return -ENOMEM;
		fill_page(page, offset_in_page(pos), src, off, len);
		old = xa_cmpxchg(&d->pages, pos >> PAGE_SHIFT, NULL, page, gfp);
		if (!old) {
			atomic_long_inc(&d->used);
			return 0;
		}
		/* It never was in the store: nobody else can hold it. */
		__free_page(page);
		if (xa_is_err(old))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Takes the first CHUNK_PAGES pages from *@first up to @last out of the store
 * and puts them onto @out; moves *@first behind the last of them. Returns
 * their number; less than CHUNK_PAGES: no more are there. Does not sleep.
 */
static unsigned int unlink_chunk(struct rxd_disk *d, pgoff_t *first,
				 pgoff_t last, struct list_head *out)
{
	XA_STATE(xas, &d->pages, *first);
	unsigned int nr = 0;
	struct page *page;

	xas_lock(&xas);
	xas_for_each(&xas, page, last) {
		xas_store(&xas, NULL);
		set_page_private(page, 0);
		list_add(&page->lru, out);
		*first = xas.xa_index + 1;
		if (++nr == CHUNK_PAGES)
			break;
	}
	xas_unlock(&xas);
	return nr;
}

/* The same walk for pages that are zeroed and stay. */
static unsigned int zero_chunk(struct rxd_disk *d, pgoff_t *first,
			       pgoff_t last)
{
	XA_STATE(xas, &d->pages, *first);
	unsigned int nr = 0;
	struct page *page;

	rcu_read_lock();
	xas_for_each(&xas, page, last) {
		if (xas_retry(&xas, page))
			continue;
		memzero_page(page, 0, PAGE_SIZE);
		*first = xas.xa_index + 1;
		if (++nr == CHUNK_PAGES)
			break;
	}
	rcu_read_unlock();
	return nr;
}

/*
 * Removes, or if @keep zeroes, the pages from @first to before @end. The cost
 * is that of the pages present, however wide the range. Return: 0, or if not
 * @sleep -EAGAIN: too much to do here, call again with @sleep.
 */
static int clear_range(struct rxd_disk *d, pgoff_t first, pgoff_t end,
		       bool keep, bool sleep)
{
	unsigned int nr;

	if (first >= end)
		return 0;
	if (!sleep && end - first > INLINE_PAGES) {
		if (xa_find(&d->pages, &first, end - 1, XA_PRESENT))
			return -EAGAIN;
		return 0;
	}
	do {
		LIST_HEAD(pages);

		if (!keep && rxd_reap_full(d)) {
			if (!sleep)
				return -EAGAIN;
			rxd_reap_throttle(d);
		}
		if (keep)
			nr = zero_chunk(d, &first, end - 1);
		else
			nr = unlink_chunk(d, &first, end - 1, &pages);
		if (!keep && nr)
			rxd_reap_defer(d, &pages, nr);
		if (sleep)
			cond_resched();
	} while (nr == CHUNK_PAGES && first < end);
	return 0;
}

/* Zeroes what exists of @len bytes at @pos within one page. */
static void zero_part(struct rxd_disk *d, u64 pos, unsigned int len)
{
	struct page *page;

	rcu_read_lock();
	page = xa_load(&d->pages, pos >> PAGE_SHIFT);
	if (page)
		memzero_page(page, offset_in_page(pos), len);
	rcu_read_unlock();
}

/*
 * Frees the pages that lie wholly in the range and leaves the others alone.
 * Context: process, or softirq if not @sleep. Return: as clear_range().
 */
int rxd_store_discard(struct rxd_disk *d, u64 pos, u64 len, bool sleep)
{
	return clear_range(d, (pos + PAGE_SIZE - 1) >> PAGE_SHIFT,
			   (pos + len) >> PAGE_SHIFT, false, sleep);
}

/*
 * Makes the range read as zeroes: whole pages are freed, or if @keep zeroed,
 * and partly covered ones are zeroed in place. Allocates nothing, so it does
 * not fail for lack of memory. Context and return: as rxd_store_discard().
 */
int rxd_store_zero(struct rxd_disk *d, u64 pos, u64 len, bool keep,
		   bool sleep)
{
	u64 end = pos + len;
	u64 first = round_up(pos, PAGE_SIZE);
	u64 last = round_down(end, PAGE_SIZE);
	int err;

	if (first > last) {
		zero_part(d, pos, len);
		return 0;
	}
	err = clear_range(d, first >> PAGE_SHIFT, last >> PAGE_SHIFT, keep,
			  sleep);
	if (err)
		return err;
	if (pos < first)
		zero_part(d, pos, first - pos);
	if (last < end)
		zero_part(d, last, end - last);
	return 0;
}

/*
 * Frees everything. The queue is gone, so nobody else is in the store; pages
 * take the usual way all the same, the xarray's nodes go by RCU of their own.
 */
void rxd_store_destroy(struct rxd_disk *d)
{
	clear_range(d, 0, ULONG_MAX, false, true);
	rxd_reap_drain(d);
	WARN_ON_ONCE(atomic_long_read(&d->used));
	xa_destroy(&d->pages);
}
