// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stock of a pool has a few pages for each CPU, which the pool's holder has just
 * given back and will soon want again.
 *
 * A cache that is written to, or that misses, gives back one block for each that it
 * takes. Having the kernel free a page, hand it out again and, on a stock Debian,
 * zero it costs more than the copy that fills it. Pages in the stock count as used:
 * they are inside the pool's limit, and moving them costs no shared counter.
 *
 * A page enters the stock only if its owner has the only reference: a reader that
 * still copies from the page, or a driver that still sends it, keeps it out. A page
 * whose memory has failed, or that belongs to another node, stays out, too. A look-up
 * may take a reference later, but finds that the page is not the one that it looked
 * for, and reads nothing of the page.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <rx/memcpy.h>
#include "rxdsk.h"

/*
 * Makes the stock of a pool that may have @slack pages more than its disk is large.
 * Context: process, may sleep. Return: 0 or -ENOMEM.
 */
int rxd_stock_new(struct rxd_pool *pool, long slack)
{
	int cpu;

	pool->stock = alloc_percpu(struct rxd_stock);
	if (!pool->stock)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		spin_lock_init(&per_cpu_ptr(pool->stock, cpu)->lock);
	rxd_stock_bound(pool, slack);
	return 0;
}

/* Sets the limit of a CPU's stock in a pool with @slack, from now on. Context: any. */
void rxd_stock_bound(struct rxd_pool *pool, long slack)
{
	/* One half of the slack is for the stock, the other half for I/O in flight. */
	WRITE_ONCE(pool->stock_max, clamp_t(long, slack / 2 / num_possible_cpus(),
					    RXD_STOCK_MIN, RXD_STOCK_MAX));
}

/*
 * Frees the stock, which is empty. Nothing can use it any more: the pool's holder
 * has ended its I/O and calls no function of the pool, and a list of disks looks at
 * the stock under rxd_disks_lock and only while the disk has a holder, which it no
 * longer has. Context: process.
 */
void rxd_stock_free(struct rxd_pool *pool)
{
	free_percpu(pool->stock);
	pool->stock = NULL;
}

/* Frees pages whose memory has failed in the stock, and returns how many remain. */
static unsigned int leave_poisoned(struct rxd_pool *pool, unsigned int order,
				   struct page **pages, unsigned int nr)
{
	unsigned int i = 0;

	while (i < nr) {
		if (likely(!rx_pages_poisoned(pages[i], order))) {
			i++;
			continue;
		}
		rxd_pages_free(pages[i], order);
		atomic_long_sub(1L << order, &rxd_pool_disk(pool)->used);
		pages[i] = pages[--nr];
	}
	return nr;
}

static unsigned int stock_take(struct rxd_pool *pool, struct rxd_stock *stock,
			       unsigned int order, struct page **pages,
			       unsigned int nr)
{
	unsigned int taken = 0;
	unsigned long flags;

	if (!READ_ONCE(stock->nr))
		return 0;
	spin_lock_irqsave(&stock->lock, flags);
	if (stock->order == order) {
		taken = min(nr, stock->nr);
		WRITE_ONCE(stock->nr, stock->nr - taken);
		memcpy(pages, &stock->page[stock->nr], taken * sizeof(*pages));
	}
	spin_unlock_irqrestore(&stock->lock, flags);
	return leave_poisoned(pool, order, pages, taken);
}

/*
 * Takes up to @nr times 2^@order pages from the stock of this CPU, or of the CPU that
 * the caller was on. The pages still have the content that the pool gave them.
 * Context: any. Return: the number of entries in @pages.
 */
unsigned int rxd_stock_take(struct rxd_pool *pool, unsigned int order,
			    struct page **pages, unsigned int nr)
{
	return stock_take(pool, raw_cpu_ptr(pool->stock), order, pages, nr);
}

/*
 * Notes that all stocks were found empty, unless one has pages by now. The mark is set only
 * after that, so that others do not take a pool for empty that nobody has looked through.
 */
static void stock_note_dry(struct rxd_pool *pool)
{
	int cpu;

	WRITE_ONCE(pool->stock_dry, true);
	/* Pairs with stock_filled(): either this sees the page, or that sees the mark. */
	smp_mb();
	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(pool->stock, cpu)->nr)) {
			WRITE_ONCE(pool->stock_dry, false);
			return;
		}
}

/*
 * Does what rxd_stock_take() does with the stocks of all CPUs, when no other page is
 * free: a task may give pages back on one CPU and want some on another. Context: any.
 */
unsigned int rxd_stock_steal(struct rxd_pool *pool, unsigned int order,
			     struct page **pages, unsigned int nr)
{
	struct rxd_stock *stock;
	unsigned int taken = 0;
	bool left = false;
	int cpu;

	/* A full pool that is busy comes here for each block. */
	if (READ_ONCE(pool->stock_dry))
		return 0;
	for_each_possible_cpu(cpu) {
		if (taken == nr)
			break;
		stock = per_cpu_ptr(pool->stock, cpu);
		taken += stock_take(pool, stock, order, pages + taken, nr - taken);
		left |= READ_ONCE(stock->nr);
	}
	if (!taken && !left)
		stock_note_dry(pool);
	return taken;
}

/* Notes that a stock, which was empty, has pages. Context: any. */
static void stock_filled(struct rxd_pool *pool)
{
	/* Pairs with stock_note_dry(). */
	smp_mb();
	if (READ_ONCE(pool->stock_dry))
		WRITE_ONCE(pool->stock_dry, false);
}

/*
 * Moves blocks of 2^@order pages from @pages into the stock. Blocks that do not fit,
 * or that the stock must not keep, stay in @pages. All have left the index of the
 * pool's holder. Context: any.
 */
void rxd_stock_put(struct rxd_pool *pool, unsigned int order,
		   struct rx_pages *pages)
{
	struct rxd_stock *stock = raw_cpu_ptr(pool->stock);
	unsigned int max = max(READ_ONCE(pool->stock_max) >> order, 1U);
	struct rx_pages held = {};
	unsigned long flags;
	struct page *page;
	bool filled;

	/*
	 * Pairs with a look-up, which takes a reference before it reads the index
	 * again. Either the look-up sees that the page has left, or we see the
	 * reference.
	 */
	smp_mb();
	spin_lock_irqsave(&stock->lock, flags);
	filled = !stock->nr;
	if (filled)
		WRITE_ONCE(stock->order, order);
	while (stock->order == order && stock->nr < max &&
	       (page = rx_pages_pop(pages))) {
		if (page_count(page) == 1 && page_to_nid(page) == numa_mem_id() &&
		    !rx_pages_poisoned(page, order)) {
			stock->page[stock->nr] = page;
			WRITE_ONCE(stock->nr, stock->nr + 1);
		} else {
			rx_pages_push(&held, page);
		}
	}
	filled &= stock->nr > 0;
	spin_unlock_irqrestore(&stock->lock, flags);
	if (filled)
		stock_filled(pool);
	rx_pages_splice(pages, &held);
}

/*
 * Adds @nr new single pages, fewer than RXD_STOCK_MIN. Pages that do not fit are
 * freed, and no longer count as used. Context: any.
 */
void rxd_stock_add(struct rxd_pool *pool, struct page **pages, unsigned int nr)
{
	struct rxd_stock *stock = raw_cpu_ptr(pool->stock);
	unsigned int fit = 0;
	unsigned long flags;
	bool filled;

	if (!nr)
		return;
	spin_lock_irqsave(&stock->lock, flags);
	filled = !stock->nr;
	if (filled)
		WRITE_ONCE(stock->order, 0);
	if (!stock->order) {
		fit = min(nr, RXD_STOCK_MAX - stock->nr);
		memcpy(&stock->page[stock->nr], pages, fit * sizeof(*pages));
		WRITE_ONCE(stock->nr, stock->nr + fit);
	}
	spin_unlock_irqrestore(&stock->lock, flags);
	if (filled)
		stock_filled(pool);
	if (unlikely(fit < nr)) {
		atomic_long_sub(nr - fit, &rxd_pool_disk(pool)->used);
		while (fit < nr)
			__free_page(pages[fit++]);
	}
}

/* Frees @most pages of a CPU's stock or a few more. Return: how many. */
static long stock_trim(struct rxd_stock *stock, long most,
		       void (*free)(struct page *page, unsigned int order))
{
	struct rx_pages pages = {};
	unsigned int order;
	unsigned long flags;
	struct page *page;
	long nr = 0;

	spin_lock_irqsave(&stock->lock, flags);
	order = stock->order;
	for (; nr < most && stock->nr; nr += 1L << order) {
		WRITE_ONCE(stock->nr, stock->nr - 1);
		rx_pages_push(&pages, stock->page[stock->nr]);
	}
	spin_unlock_irqrestore(&stock->lock, flags);
	/* No other task can take these pages, because they have left the stock. */
	while ((page = rx_pages_pop(&pages)))
		free(page, order);
	return nr;
}

/*
 * Frees @most pages of the stock or a few more, by rxd_pages_free() or rxd_pages_give().
 * Context: any. Return: how many.
 */
long rxd_stock_trim(struct rxd_pool *pool, long most,
		    void (*free)(struct page *page, unsigned int order))
{
	long nr = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		if (nr < most)
			nr += stock_trim(per_cpu_ptr(pool->stock, cpu), most - nr, free);
	return nr;
}

/* Returns how many pages the stock has; it may change at any time. Context: any. */
long rxd_stock_pages(const struct rxd_pool *pool)
{
	const struct rxd_stock *stock;
	long nr = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		stock = per_cpu_ptr(pool->stock, cpu);
		nr += (long)READ_ONCE(stock->nr) << READ_ONCE(stock->order);
	}
	return nr;
}
