// SPDX-License-Identifier: GPL-2.0-only
/* Where pages come from and how they go back. */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/nodemask.h>
#include <linux/notifier.h>
#include <linux/oom.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "compat.h"
#include "rxdsk.h"

enum {
	CREDIT_PAGES	= 64,
	MIN_FREE_LOW	= 16,		/* MiB, of the default */
	MIN_FREE_HIGH	= 1024,
	REAP_LOW	= 4 << (20 - PAGE_SHIFT),
	REAP_HIGH	= 256 << (20 - PAGE_SHIFT),
	WAIT_ROUNDS	= 7,
};

static unsigned int min_free = UINT_MAX;
module_param(min_free, uint, 0644);
MODULE_PARM_DESC(min_free,
		 "MiB of available memory that disks and caches leave to everybody else, 0 or more, and 1.5 times the high watermarks in any case (default: 1/32 of memory or that, if it is more; at least 16, at most 1024)");

static DEFINE_PER_CPU(int, credit);

static struct workqueue_struct *reap_wq;
static DECLARE_WAIT_QUEUE_HEAD(reap_done);
static atomic_long_t reap_total;	/* pages waiting, all disks */
static long reap_max;			/* pages waiting, one disk */
static atomic_long_t reap_freed;	/* pages that have waited, ever */

/*
 * When unmovable and movable pages have to share a block, the kernel boosts
 * its watermarks, by 1.5 times the high one at most unless told otherwise.
 * si_mem_available() does not know that. Where nothing is left to reclaim the
 * boost stays, and whoever needs a page is killed for it with so much free.
 * One allocation of ours may bring all of it, so it is left alone before.
 * In pages, of all zones.
 */
static long boost_max(void)
{
	struct zone *zone;
	long high, sum = 0;
	int nid, i;

	for_each_online_node(nid) {
		for (i = 0; i < MAX_NR_ZONES; i++) {
			zone = &NODE_DATA(nid)->node_zones[i];
			high = READ_ONCE(zone->_watermark[WMARK_HIGH]);
			sum += max_t(long, READ_ONCE(zone->watermark_boost),
				     high * 3 / 2);
		}
	}
	return sum;
}

static bool above_floor(void)
{
	long floor = (long)READ_ONCE(min_free) << (20 - PAGE_SHIFT);

	return si_mem_available() >= max(floor, boost_max()) + CREDIT_PAGES;
}

/*
 * si_mem_available() adds up the counters of all zones and nodes, so it is
 * asked once for CREDIT_PAGES pages, which the CPU may then take unasked. The
 * floor is missed by no more than the credit of all CPUs (256 KiB each) and
 * by what others take meanwhile.
 *
 * Callers may interrupt each other or change CPUs in between. A check sets the
 * credit instead of adding to it, so no interleaving makes it exceed
 * CREDIT_PAGES; a lost update is one request's pages.
 */
static bool budget_take(unsigned int nr)
{
	if (likely(this_cpu_sub_return(credit, (int)nr) >= 0))
		return true;
	if (!above_floor()) {
		this_cpu_write(credit, 0);
		return false;
	}
	this_cpu_write(credit, CREDIT_PAGES - (int)nr);
	return true;
}

/*
 * 2^@order contiguous pages, or NULL: none to be had with @gfp, or the floor
 * is reached. Their content is undefined. Context: as @gfp allows, down to
 * hard interrupt.
 */
struct page *rxd_page_alloc(unsigned int order, gfp_t gfp)
{
	if (!budget_take(1U << order))
		return NULL;
	/* Compound: an origin's driver may take references on each page. */
	return alloc_pages(gfp | __GFP_HIGHMEM | (order ? __GFP_COMP : 0),
			   order);
}

/*
 * Up to @nr single pages, at most CREDIT_PAGES, of the local node. Context: as
 * @gfp allows. Return: how many there are in @pages; their content is
 * undefined.
 */
unsigned int rxd_page_alloc_bulk(struct page **pages, unsigned int nr,
				 gfp_t gfp)
{
	/* The kernel exports no bulk for a task with a memory policy of its own. */
	if (nr == 1 || rx_task_has_mempolicy()) {
		pages[0] = rxd_page_alloc(0, gfp);
		return pages[0] ? 1 : 0;
	}
	if (!budget_take(nr))
		return 0;
	memset(pages, 0, nr * sizeof(*pages));
	return rx_alloc_pages_bulk(gfp | __GFP_HIGHMEM, nr, pages);
}

/*
 * After a failed allocation with RXD_GFP_SLEEP: lets memory come back. False
 * when there is nothing to wait for, or @round (from 0) waits were in vain,
 * about a second in all. Context: process, may sleep.
 */
bool rxd_mem_wait(unsigned int round)
{
	long pause = msecs_to_jiffies(8) << round;

	if (round >= WAIT_ROUNDS)
		return false;
	if (atomic_long_read(&reap_total)) {
		/* Discards elsewhere may never let it be zero. */
		wait_event_timeout(reap_done, !atomic_long_read(&reap_total),
				   HZ);
		return true;
	}
	if (!above_floor())
		return false;
	/* Page cache that can be reclaimed, but not by us: dirty, or busy. */
	schedule_timeout_uninterruptible(pause);
	return true;
}

static void round_start(struct rxd_reap *reap)
{
	lockdep_assert_held(&reap->lock);
	reap->busy = !list_empty(&reap->pending);
	if (!reap->busy)
		return;
	list_splice_init(&reap->pending, &reap->waiting);
	queue_rcu_work(reap_wq, &reap->work);
}

/*
 * Frees what waited. Who could still hold one of these pages:
 * - a reader, overwriter or zeroer that looked it up before it was removed:
 *   gone, a grace period has passed since;
 * - one that looks now: finds nothing, the page left the store (or the
 *   pool's index) before it came onto the list;
 * - another remover: only the one who took it out of the store put it here;
 * - rxd_reap_defer(): adds to pending only; waiting is ours while busy.
 */
static void reap_work(struct work_struct *work)
{
	struct rxd_reap *reap = container_of(to_rcu_work(work),
					     struct rxd_reap, work);
	struct page *page, *next;
	unsigned int batch = 0;
	long nr = 0;

	list_for_each_entry_safe(page, next, &reap->waiting, lru) {
		unsigned int order = page_private(page);

		list_del(&page->lru);
		set_page_private(page, 0);
		__free_pages(page, order);
		nr += 1L << order;
		if (++batch % 64 == 0)
			cond_resched();
	}

	spin_lock_irq(&reap->lock);
	round_start(reap);
	spin_unlock_irq(&reap->lock);
	atomic_long_add(nr, &reap_freed);
	atomic_long_sub(nr, &reap_total);
	atomic_long_sub(nr, &reap->pages);
	wake_up_all(&reap_done);
}

void rxd_reap_init(struct rxd_reap *reap)
{
	spin_lock_init(&reap->lock);
	INIT_LIST_HEAD(&reap->pending);
	INIT_LIST_HEAD(&reap->waiting);
	INIT_RCU_WORK(&reap->work, reap_work);
}

/*
 * Takes over @pages, linked by lru, order in page->private, @nr pages of 4 KiB
 * in all, which nobody can find any more; frees them after a grace period. One
 * callback serves all that are removed while the one before is under way.
 * Context: any, down to hard interrupt.
 */
void rxd_reap_defer(struct rxd_disk *d, struct list_head *pages, long nr)
{
	struct rxd_reap *reap = &d->reap;
	unsigned long flags;

	/* In this order: a pool's limit on the sum must not be overshot. */
	atomic_long_add(nr, &reap_total);
	atomic_long_add(nr, &reap->pages);
	atomic_long_sub(nr, &d->used);

	spin_lock_irqsave(&reap->lock, flags);
	list_splice(pages, &reap->pending);
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
 * Waits until all removed pages are free; the caller sees to it that no more
 * are removed. Context: process, may sleep.
 */
void rxd_reap_drain(struct rxd_disk *d)
{
	wait_event(reap_done, !atomic_long_read(&d->reap.pages));
	/* The work that freed the last one may not have returned yet. */
	flush_rcu_work(&d->reap.work);
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

int rxd_mem_init(void)
{
	unsigned long ram = totalram_pages();
	unsigned long want = max_t(unsigned long, ram / 32, boost_max());
	int err;

	if (min_free == UINT_MAX)
		min_free = clamp_t(unsigned long, want >> (20 - PAGE_SHIFT),
				   MIN_FREE_LOW, MIN_FREE_HIGH);
	reap_max = clamp_t(unsigned long, ram / 64, REAP_LOW, REAP_HIGH);

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
void rxd_mem_exit(void)
{
	unregister_oom_notifier(&mem_short_nb);
	rcu_barrier();
	destroy_workqueue(reap_wq);
}
