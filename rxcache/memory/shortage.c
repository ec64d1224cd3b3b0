// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notices that too little of the floor of free memory is left to the rest of the
 * machine, see rxd_pool_missing(), and makes caches give back the missing pages.
 *
 * Reclaim calls shrinkers late: it evicts page cache or swaps before, and with the
 * multi-generational LRU it goes through the memory cgroups first. So each processor
 * that is not idle looks at the memory every LOOK_MS by a deferrable timer. An idle
 * processor takes no memory and is not woken. The timers run only while there are
 * caches. A nohz_full processor without a tick does not run its timer; if all others
 * are idle, only reclaim asks for pages.
 *
 * A look reads the counters of all zones, so as a rule one processor looks per period.
 * A worker frees the blocks, and asks all givers in turn.
 */
#include <linux/cpuhotplug.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <rx/pool.h>
#include "compat.h"
#include "memory/shortage.h"

enum {
	/*
	 * A processor that clears memory at 2 GiB/s takes 40 MiB in a period. Three
	 * quarters of the floor are more than that on a machine of 2 GiB, and they are
	 * above the watermarks at which the kernel reclaims.
	 */
	LOOK_MS		= 20,
	/* One giver frees up to 1 MiB before the worker looks at the memory again. */
	GIVE_PAGES	= SZ_1M / PAGE_SIZE,
};

/*
 * Protects the list of givers and period_state. This mutex may be taken under rxc_mutex.
 * Only the lock of CPU hotplug and the locks of a giver's function are taken under it.
 */
static DEFINE_MUTEX(shortage_lock);
static LIST_HEAD(givers);
static int period_state;		/* of the CPU hotplug callbacks, while there are givers */
static struct workqueue_struct *shortage_wq;
static unsigned long last_look;		/* in jiffies; READ_ONCE/WRITE_ONCE */

static DEFINE_PER_CPU(struct timer_list, look_timer);

/*
 * Asks each giver for a part of the missing pages, with @elastic only caches without a
 * floor. Returns false if no page is missing any more, or no giver has freed any.
 */
static bool give_in_turns(bool elastic)
{
	unsigned long missing, given = 0;
	struct rxc_giver *giver;

	lockdep_assert_held(&shortage_lock);
	list_for_each_entry(giver, &givers, node) {
		missing = rxd_pool_missing();
		if (!missing)
			return false;
		given += giver->give(giver, min_t(unsigned long, missing, GIVE_PAGES),
				     elastic);
		cond_resched();
	}
	return given;
}

static void shortage_work(struct work_struct *work)
{
	bool more;

	/* Each turn releases the mutex, for requests that add or remove a giver. */
	do {
		mutex_lock(&shortage_lock);
		more = give_in_turns(true) || give_in_turns(false);
		mutex_unlock(&shortage_lock);
	} while (more);
}
static DECLARE_WORK(shortage, shortage_work);

/* Context: soft interrupt. */
static void look(struct timer_list *timer)
{
	unsigned long now = jiffies, period = msecs_to_jiffies(LOOK_MS);

	if (time_after_eq(now, READ_ONCE(last_look) + period)) {
		WRITE_ONCE(last_look, now);
		if (rxd_pool_missing())
			queue_work(shortage_wq, &shortage);
	}
	mod_timer(timer, now + period);
}

static int period_begin(unsigned int cpu)
{
	struct timer_list *timer = &per_cpu(look_timer, cpu);

	timer_setup(timer, look, TIMER_DEFERRABLE | TIMER_PINNED);
	timer->expires = jiffies + msecs_to_jiffies(LOOK_MS);
	add_timer_on(timer, cpu);
	return 0;
}

static int period_end(unsigned int cpu)
{
	/* Only the timer's own function queues the timer again, so it stays off. */
	rx_timer_delete_sync(&per_cpu(look_timer, cpu));
	return 0;
}

int rxc_shortage_add(struct rxc_giver *giver)
{
	int err;

	mutex_lock(&shortage_lock);
	if (list_empty(&givers))
		period_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN,
						 "rxcache:shortage",
						 period_begin, period_end);
	err = min(period_state, 0);
	if (!err)
		list_add_tail(&giver->node, &givers);
	mutex_unlock(&shortage_lock);
	return err;
}

void rxc_shortage_remove(struct rxc_giver *giver)
{
	mutex_lock(&shortage_lock);
	list_del(&giver->node);
	if (list_empty(&givers))
		cpuhp_remove_state(period_state);
	mutex_unlock(&shortage_lock);
}

int rxc_shortage_init(void)
{
	shortage_wq = alloc_workqueue("rxcache_shortage",
				      WQ_UNBOUND | WQ_MEM_RECLAIM | WQ_HIGHPRI, 1);
	return shortage_wq ? 0 : -ENOMEM;
}

/* There are no givers, so there are no timers, which alone queue the work. */
void rxc_shortage_exit(void)
{
	destroy_workqueue(shortage_wq);
}
