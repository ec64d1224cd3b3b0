// SPDX-License-Identifier: GPL-2.0-only
/* Pages on their way back to the kernel; see freed.h. */
#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "freed.h"

static atomic_long_t coming;
static atomic_long_t seq;
static DECLARE_WAIT_QUEUE_HEAD(waiters);

void rxd_freed_expect(long nr)
{
	atomic_long_add(nr, &coming);
}

static void wake(void)
{
	if (wq_has_sleeper(&waiters))
		wake_up_all(&waiters);
}

void rxd_freed_add(long nr)
{
	/* Both are full barriers. In this order, because of rxd_freed_coming(). */
	atomic_long_inc_return(&seq);
	atomic_long_sub_return(nr, &coming);
	wake();
}

void rxd_freed_correct(long nr)
{
	atomic_long_sub(nr, &coming);
	wake();
}

unsigned long rxd_freed_seq(void)
{
	/* Whoever finds it changed also finds the pages, and whoever does not, looks after it. */
	return atomic_long_read_acquire(&seq);
}

long rxd_freed_coming(void)
{
	long nr = atomic_long_read(&coming);

	/* Pairs with the barrier between the two counters in rxd_freed_add(). */
	smp_rmb();
	return nr;
}

void rxd_freed_wait(unsigned long since, long timeout)
{
	wait_event_timeout(waiters, rxd_freed_seq() != since || !rxd_freed_coming(), timeout);
}
