// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frees pages that have left a disk's store, one grace period later: readers and
 * overwriters of the disk hold no reference to a page, only rcu_read_lock().
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "freed.h"
#include "rxdsk.h"

enum {
	REAP_LOW	= 4 << (20 - PAGE_SHIFT),
	REAP_HIGH	= 256 << (20 - PAGE_SHIFT),
	/* Pages freed between two chances to reschedule. */
	CHUNK		= 64,
};

static struct workqueue_struct *reap_wq;
static DECLARE_WAIT_QUEUE_HEAD(reap_done);
static long reap_max;			/* most waiting pages of one disk */

static void round_start(struct rxd_reap *reap)
{
	lockdep_assert_held(&reap->lock);
	reap->busy = !rx_pages_empty(&reap->pending);
	if (!reap->busy)
		return;
	rx_pages_splice(&reap->waiting, &reap->pending);
	queue_rcu_work(reap_wq, &reap->work);
}

/*
 * Frees the waiting pages. Nothing can hold one of them any more:
 * - a reader, overwriter, zeroer or walk for extents that looked the page up before it
 *   was removed is done, because a grace period has passed since;
 * - one that looks now finds nothing, because the page left the store before it
 *   entered the row;
 * - another remover does not have the page: only the one that took it out of the
 *   store put it here;
 * - rxd_reap_defer() adds to pending only, and this work owns waiting while busy.
 */
static void reap_work(struct work_struct *work)
{
	struct rxd_reap *reap = container_of(to_rcu_work(work),
					     struct rxd_reap, work);
	struct page *page;
	long freed = 0;

	while ((page = rx_pages_pop(&reap->waiting))) {
		__free_page(page);
		if (!(++freed % CHUNK))
			cond_resched();
	}

	spin_lock_irq(&reap->lock);
	round_start(reap);
	spin_unlock_irq(&reap->lock);
	atomic_long_sub(freed, &reap->pages);
	rxd_freed_add(freed);
	wake_up_all(&reap_done);
}

void rxd_reap_init(struct rxd_reap *reap)
{
	spin_lock_init(&reap->lock);
	INIT_RCU_WORK(&reap->work, reap_work);
}

/*
 * Takes over @nr pages that have left the store and frees them after a grace
 * period. All pages that are removed during one grace period share the next one.
 * Context: any, down to hard interrupt.
 */
void rxd_reap_defer(struct rxd_disk *d, struct rx_pages *pages, long nr)
{
	struct rxd_reap *reap = &d->reap;
	unsigned long flags;

	/* In this order, so that no page is ever missing from both counts. */
	rxd_freed_expect(nr);
	atomic_long_add(nr, &reap->pages);
	atomic_long_sub(nr, &d->used);

	spin_lock_irqsave(&reap->lock, flags);
	rx_pages_splice(&reap->pending, pages);
	if (!reap->busy)
		round_start(reap);
	spin_unlock_irqrestore(&reap->lock, flags);
}

/* Whether the disk has reap_max waiting pages, so that removers have to wait. */
bool rxd_reap_full(struct rxd_disk *d)
{
	return atomic_long_read(&d->reap.pages) >= reap_max;
}

/* Waits until rxd_reap_full() is false. Context: process, may sleep. */
void rxd_reap_throttle(struct rxd_disk *d)
{
	wait_event(reap_done, !rxd_reap_full(d));
}

/*
 * Waits until all removed pages are free. The caller guarantees that no more pages
 * are removed meanwhile. Context: process, may sleep.
 */
void rxd_reap_drain(struct rxd_disk *d)
{
	wait_event(reap_done, !atomic_long_read(&d->reap.pages));
	/* The work that freed the last one may not have returned yet. */
	flush_rcu_work(&d->reap.work);
}

int rxd_reap_module_init(void)
{
	reap_max = clamp_t(unsigned long, totalram_pages() / 64, REAP_LOW,
			   REAP_HIGH);
	/* A queue of its own, because work in io.c's queue waits for this work. */
	reap_wq = alloc_workqueue("rxdsk-reap", WQ_MEM_RECLAIM | WQ_UNBOUND,
				  0);
	return reap_wq ? 0 : -ENOMEM;
}

/* All disks are gone and each was drained, so no callback is under way. */
void rxd_reap_module_exit(void)
{
	rcu_barrier();
	destroy_workqueue(reap_wq);
}
