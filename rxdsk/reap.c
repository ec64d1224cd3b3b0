// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages on their way back: from whoever took them out of a store, or a pool's
 * index, through a grace period to the kernel.
 *
 * A pool's may take a shorter way. A cache that is written to gives back one
 * block for each that it takes, and to have the kernel free a page, give it out
 * again and, on a stock Debian, zero it costs more than the copy that fills it.
 * So what has seen its grace period is kept for the pool, within the slack that
 * it has for pages on their way: spare pages. Once a second as many of them go
 * back as nobody has needed since the last time, so an idle cache has none after
 * two; nor has one under memory pressure or near min_free.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/oom.h>
#include <linux/prefetch.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "rxdsk.h"

enum {
	REAP_LOW	= 4 << (20 - PAGE_SHIFT),
	REAP_HIGH	= 256 << (20 - PAGE_SHIFT),
	/* Freed, or put among the spare ones, without a chance to reschedule. */
	CHUNK		= 64,
};

static struct workqueue_struct *reap_wq;
static DECLARE_WAIT_QUEUE_HEAD(reap_done);
static atomic_long_t reap_total;	/* pages waiting, all disks */
static long reap_max;			/* pages waiting, one disk */
static atomic_long_t reap_freed;	/* pages that have waited, ever */

static void round_start(struct rxd_reap *reap)
{
	lockdep_assert_held(&reap->lock);
	reap->busy = !rx_pages_empty(&reap->pending);
	if (!reap->busy)
		return;
	rx_pages_splice(&reap->waiting, &reap->pending);
	queue_rcu_work(reap_wq, &reap->work);
}

/* In page->private: the order, and whether a pool may have the page again. */
enum { ORDER = 0xff, REUSE = 0x100 };

static long pages_in(const struct page *page)
{
	return 1L << (page_private(page) & ORDER);
}

/* Return: how many pages they were. */
static long free_all(struct rx_pages *pages)
{
	struct page *page;
	long nr = 0;

	while ((page = rx_pages_pop(pages))) {
		unsigned int order = page_private(page) & ORDER;

		set_page_private(page, 0);
		__free_pages(page, order);
		nr += 1L << order;
	}
	return nr;
}

/* Puts @pages, @nr in all, among the spare ones, or leaves them where they are. */
static void spare_put(struct rxd_reap *reap, struct rx_pages *pages, long nr)
{
	spin_lock_irq(&reap->lock);
	if (nr && reap->nr_spare + nr <= reap->spare_max) {
		rx_pages_splice(&reap->spare, pages);
		WRITE_ONCE(reap->nr_spare, reap->nr_spare + nr);
		/* Under the lock: who sets the limit to 0 then finds it queued. */
		queue_delayed_work(reap_wq, &reap->trim, HZ);
	}
	spin_unlock_irq(&reap->lock);
}

/* Moves spare pages, @most or fewer, to @pages. Return: how many. */
static long spare_remove(struct rxd_reap *reap, struct rx_pages *pages,
			 long most)
{
	struct page *page;
	long nr = 0;

	lockdep_assert_held(&reap->lock);
	while (nr < most && (page = rx_pages_pop(&reap->spare))) {
		nr += pages_in(page);
		rx_pages_push(pages, page);
	}
	WRITE_ONCE(reap->nr_spare, reap->nr_spare - nr);
	reap->spare_low = min(reap->spare_low, reap->nr_spare);
	return nr;
}

/* Return: how many pages of the disk have gone back to the kernel. */
static long gone(struct rxd_reap *reap, long nr)
{
	atomic_long_sub(nr, &reap->pages);
	wake_up_all(&reap_done);
	return nr;
}

/*
 * Gives back @most spare pages or a few more. Context: any. Return: how many.
 * Who could still hold one: nobody, each has seen a grace period on its way
 * here, and rxd_spare_take() takes it out of the row under the lock.
 */
long rxd_spare_trim(struct rxd_disk *d, long most)
{
	struct rxd_reap *reap = &d->reap;
	struct rx_pages pages = {};
	unsigned long flags;

	if (!READ_ONCE(reap->nr_spare))
		return 0;
	spin_lock_irqsave(&reap->lock, flags);
	spare_remove(reap, &pages, most);
	spin_unlock_irqrestore(&reap->lock, flags);
	return gone(reap, free_all(&pages));
}

static void trim_work(struct work_struct *work)
{
	struct rxd_reap *reap = container_of(to_delayed_work(work),
					     struct rxd_reap, trim);
	struct rx_pages pages = {};

	spin_lock_irq(&reap->lock);
	spare_remove(reap, &pages, reap->spare_low);
	reap->spare_low = reap->nr_spare;
	if (reap->nr_spare)
		queue_delayed_work(reap_wq, &reap->trim, HZ);
	spin_unlock_irq(&reap->lock);
	gone(reap, free_all(&pages));
}

/*
 * Up to @nr times 2^@order pages for the pool of @d, whose content is what the
 * pool had in them before. Counts them as used. Context: any. Return: how many
 * there are in @pages.
 */
unsigned int rxd_spare_take(struct rxd_disk *d, unsigned int order,
			    struct page **pages, unsigned int nr)
{
	struct rxd_reap *reap = &d->reap;
	unsigned int taken = 0, i;
	unsigned long flags;
	struct page *page;

	if (!READ_ONCE(reap->nr_spare))
		return 0;
	spin_lock_irqsave(&reap->lock, flags);
	while (taken < nr && (page = reap->spare.first)) {
		if ((page_private(page) & ORDER) != order)
			break;
		pages[taken++] = rx_pages_pop(&reap->spare);
	}
	/* Nobody has looked at it for a grace period or longer; the next call will. */
	prefetchw(reap->spare.first);
	WRITE_ONCE(reap->nr_spare, reap->nr_spare - ((long)taken << order));
	reap->spare_low = min(reap->spare_low, reap->nr_spare);
	spin_unlock_irqrestore(&reap->lock, flags);

	for (i = 0; i < taken; i++)
		set_page_private(pages[i], 0);
	/* In this order: the sum must never be too small for its limit. */
	atomic_long_add((long)taken << order, &d->used);
	atomic_long_sub((long)taken << order, &reap->pages);
	return taken;
}

/* How many pages could be had by rxd_spare_trim(). Context: any. */
long rxd_spare_pages(const struct rxd_disk *d)
{
	return READ_ONCE(d->reap.nr_spare);
}

/*
 * From now on up to @most pages are kept; with 0 there are none when this
 * returns. Context: process, may sleep; one at a time.
 */
void rxd_spare_limit(struct rxd_disk *d, long most)
{
	struct rxd_reap *reap = &d->reap;

	spin_lock_irq(&reap->lock);
	reap->spare_max = most;
	spin_unlock_irq(&reap->lock);
	if (most)
		return;
	cancel_delayed_work_sync(&reap->trim);
	rxd_spare_trim(d, LONG_MAX);
}

/*
 * Frees or keeps what waited. Who could still hold one of these pages:
 * - a reader, overwriter or zeroer that looked it up before it was removed:
 *   gone, a grace period has passed since;
 * - one that looks now: finds nothing, the page left the store (or the
 *   pool's index) before it came into the row;
 * - another remover: only the one who took it out of the store put it here;
 * - rxd_reap_defer(): adds to pending only; waiting is ours while busy.
 */
static void reap_work(struct work_struct *work)
{
	struct rxd_reap *reap = container_of(to_rcu_work(work),
					     struct rxd_reap, work);
	bool reuse = READ_ONCE(reap->spare_max) && rxd_mem_above_floor();
	long waited = 0, freed = 0, nr;
	struct page *page;
	unsigned int i;

	while (!rx_pages_empty(&reap->waiting)) {
		struct rx_pages pages = {}, again = {};

		for (i = nr = 0; i < CHUNK; i++) {
			page = rx_pages_pop(&reap->waiting);
			if (!page)
				break;
			waited += pages_in(page);
			/* An origin's driver may still refer to it. */
			if (reuse && page_private(page) & REUSE &&
			    page_count(page) == 1) {
				nr += pages_in(page);
				rx_pages_add(&again, page);
			} else {
				rx_pages_add(&pages, page);
			}
		}
		spare_put(reap, &again, nr);
		freed += free_all(&again) + free_all(&pages);
		cond_resched();
	}

	spin_lock_irq(&reap->lock);
	round_start(reap);
	spin_unlock_irq(&reap->lock);
	atomic_long_add(freed, &reap_freed);
	atomic_long_sub(waited, &reap_total);
	gone(reap, freed);
}

void rxd_reap_init(struct rxd_reap *reap)
{
	spin_lock_init(&reap->lock);
	INIT_RCU_WORK(&reap->work, reap_work);
	INIT_DELAYED_WORK(&reap->trim, trim_work);
}

/* For a page that is to be deferred. @reuse: its pool will want one like it. */
void rxd_reap_mark(struct page *page, unsigned int order, bool reuse)
{
	set_page_private(page, order | (reuse ? REUSE : 0));
}

/*
 * Takes over @pages, each marked, @nr pages of 4 KiB in all, which nobody can
 * find any more; frees them after a grace period. One callback serves all that
 * are removed while the one before is under way. Context: any, down to hard
 * interrupt.
 */
void rxd_reap_defer(struct rxd_disk *d, struct rx_pages *pages, long nr)
{
	struct rxd_reap *reap = &d->reap;
	unsigned long flags;

	/* In this order: a pool's limit on the sum must not be overshot. */
	atomic_long_add(nr, &reap_total);
	atomic_long_add(nr, &reap->pages);
	atomic_long_sub(nr, &d->used);

	spin_lock_irqsave(&reap->lock, flags);
	rx_pages_splice(&reap->pending, pages);
	if (!reap->busy)
		round_start(reap);
	spin_unlock_irqrestore(&reap->lock, flags);
}

/* Whether so many pages wait that removing more must wait too. */
bool rxd_reap_full(struct rxd_disk *d)
{
	return atomic_long_read(&d->reap.pages) >= reap_max;
}

/* Waits until it is not full. Context: process, may sleep. */
void rxd_reap_throttle(struct rxd_disk *d)
{
	wait_event(reap_done, !rxd_reap_full(d));
}

/*
 * Waits until all removed pages are free, and keeps none from now on; the
 * caller sees to it that no more are removed. Context: process, may sleep.
 */
void rxd_reap_drain(struct rxd_disk *d)
{
	rxd_spare_limit(d, 0);
	wait_event(reap_done, !atomic_long_read(&d->reap.pages));
	/* The work that freed the last one may not have returned yet. */
	flush_rcu_work(&d->reap.work);
}

/*
 * Waits until what was removed, of any disk, is back; about a second at most,
 * for discards elsewhere may never let it be so. Context: process, may sleep.
 * Return: false if there was nothing.
 */
bool rxd_reap_wait(void)
{
	if (!atomic_long_read(&reap_total))
		return false;
	wait_event_timeout(reap_done, !atomic_long_read(&reap_total), HZ);
	return true;
}

/*
 * Reclaim sees no progress in a block that a cache gave up as long as a grace
 * period keeps its page; before somebody is killed for it, that is waited for.
 * Context: process, may sleep, under the OOM lock. The grace period and the
 * work need no memory and no lock of whoever is out of memory.
 */
static int mem_short(struct notifier_block *nb, unsigned long unused,
		     void *data)
{
	unsigned long *freed = data;
	long before;

	if (!atomic_long_read(&reap_total))
		return NOTIFY_OK;
	before = atomic_long_read(&reap_freed);
	wait_event_timeout(reap_done, atomic_long_read(&reap_freed) != before,
			   HZ);
	*freed += atomic_long_read(&reap_freed) - before;
	return NOTIFY_OK;
}

static struct notifier_block mem_short_nb = {
	.notifier_call	= mem_short,
};

int rxd_reap_module_init(void)
{
	int err;

	reap_max = clamp_t(unsigned long, totalram_pages() / 64, REAP_LOW,
			   REAP_HIGH);
	/* Its own queue: writers in the other one wait for it. */
	reap_wq = alloc_workqueue("rxdsk-reap", WQ_MEM_RECLAIM | WQ_UNBOUND,
				  0);
	if (!reap_wq)
		return -ENOMEM;
	err = register_oom_notifier(&mem_short_nb);
	if (err)
		destroy_workqueue(reap_wq);
	return err;
}

/* All disks are gone, and each was drained: no callback is under way. */
void rxd_reap_module_exit(void)
{
	unregister_oom_notifier(&mem_short_nb);
	rcu_barrier();
	destroy_workqueue(reap_wq);
}
