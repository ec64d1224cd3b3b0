// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much memory a disk may have, and the event when it gets no more.
 *
 * A page counts as used from before it is allocated, so that writers together never take
 * more than the limit. It is "in doubt" until it is in the store or was given back. So a
 * writer that finds no room may learn from rxd_limit_hope() that some may come back.
 */
#include <linux/blkdev.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>
#include "rxdsk.h"

/* Returns the limit in pages. 0 bytes are no limit. */
static long limit_pages(u64 bytes)
{
	return bytes ? min_t(u64, bytes >> PAGE_SHIFT, LONG_MAX) : LONG_MAX;
}

/*
 * Counts @nr pages as used, or fewer if the limit allows no more. Context: any. Return:
 * how many; if any, rxd_limit_settle() has to follow.
 */
unsigned int rxd_limit_take(struct rxd_disk *d, unsigned int nr)
{
	long limit = READ_ONCE(d->limit), used = atomic_long_read(&d->used), got;

	/* A full disk has many who find no room. They give none hope. */
	if (unlikely(used >= limit))
		return 0;
	this_cpu_inc(d->doubts->begun);
	/* Pairs with in_doubt(): whoever finds no room because of our pages sees the doubt. */
	smp_wmb();
	if (likely(limit == LONG_MAX)) {
		atomic_long_add(nr, &d->used);
		return nr;
	}
	do {
		got = min_t(long, nr, limit - used);
		if (got <= 0) {
			this_cpu_inc(d->doubts->ended);
			return 0;
		}
	} while (!atomic_long_try_cmpxchg(&d->used, &used, used + got));
	return got;
}

/*
 * Counts a page that takes the place of another, which still counts, also beyond the
 * limit. rxd_limit_settle() has to follow when the other counts no more. Context: any.
 */
void rxd_limit_swap(struct rxd_disk *d)
{
	this_cpu_inc(d->doubts->begun);
	/* As in rxd_limit_take(). */
	smp_wmb();
	atomic_long_inc(&d->used);
}

/*
 * Ends what rxd_limit_take() has begun: @unused of the pages did not enter the store.
 * Context: any.
 */
void rxd_limit_settle(struct rxd_disk *d, unsigned int unused)
{
	if (unused)
		atomic_long_sub(unused, &d->used);
	/* Pairs with in_doubt(): whoever sees no doubt any more sees the room or the pages. */
	smp_wmb();
	this_cpu_inc(d->doubts->ended);
}

/*
 * Returns whether pages are in doubt that were when this was called. The ends are added up
 * first, so that no end is counted whose begin is not.
 */
static bool in_doubt(const struct rxd_disk *d)
{
	unsigned long begun = 0, ended = 0;
	int cpu;

	/* Pairs with rxd_limit_take(). */
	smp_mb();
	for_each_possible_cpu(cpu)
		ended += READ_ONCE(per_cpu_ptr(d->doubts, cpu)->ended);
	/* Pairs with rxd_limit_settle(), and orders the two sums. */
	smp_mb();
	for_each_possible_cpu(cpu)
		begun += READ_ONCE(per_cpu_ptr(d->doubts, cpu)->begun);
	return begun != ended;
}

/* Returns whether the disk has all the memory that it may have. Context: any. */
bool rxd_limit_reached(const struct rxd_disk *d)
{
	return atomic_long_read(&d->used) >= READ_ONCE(d->limit);
}

/*
 * Returns whether there may be room soon, or already, for a writer that found none: pages
 * are in doubt, or those are being freed that a shrink has cut off, which count until they
 * are free. Context: any.
 */
bool rxd_limit_hope(const struct rxd_disk *d)
{
	if (rxd_clear_counts(d) || in_doubt(d))
		return true;
	/* Some may have come back before these two were asked. */
	return !rxd_limit_reached(d);
}

/*
 * Counts a write that ends in ENOSPC. The first one since the disk last got a page sends
 * an event, by a work, because the writer may be what frees memory. Context: process.
 */
void rxd_limit_full(struct rxd_disk *d)
{
	atomic_long_inc(&d->no_space);
	if (!READ_ONCE(d->full) && !xchg(&d->full, true))
		schedule_work(&d->full_work);
}

/* rxd_limit_end() waits for this, so the disk is there. */
static void full_work(struct work_struct *work)
{
	rxd_notify(container_of(work, struct rxd_disk, full_work),
		   RXDSK_CMD_DISK_FULL_NTF);
}

/* Return: 0 or -ENOMEM. */
int rxd_limit_init(struct rxd_disk *d, u64 bytes)
{
	d->limit = limit_pages(bytes);
	INIT_WORK(&d->full_work, full_work);
	d->doubts = alloc_percpu(struct rxd_doubts);
	return d->doubts ? 0 : -ENOMEM;
}

/*
 * Sets the limit of a disk, which may be in use, from now on. @bytes: 0 for none. Context:
 * process, under gd->open_mutex, so that no cache claims the disk meanwhile. Return: 0 or
 * an errno.
 */
int rxd_limit_set(struct rxd_disk *d, u64 bytes, bool commit, const char **why)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (d->dying) {
		*why = "the disk is being detached";
		return -ENODEV;
	}
	if (d->pool.holder[0]) {
		*why = "the disk is claimed as cache memory";
		return -EBUSY;
	}
	if (d->prealloc) {
		*why = "a preallocated disk has all of its memory, so it has no limit";
		return -EINVAL;
	}
	if (commit)
		WRITE_ONCE(d->limit, limit_pages(bytes));
	return 0;
}

/* No I/O uses the disk any more. Context: process, may sleep. */
void rxd_limit_end(struct rxd_disk *d)
{
	cancel_work_sync(&d->full_work);
}

/* No I/O, work or request uses the disk any more. */
void rxd_limit_free(struct rxd_disk *d)
{
	free_percpu(d->doubts);
}
