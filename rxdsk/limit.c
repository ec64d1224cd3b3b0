// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much memory a disk may have, and the event when it gets no more.
 *
 * A page counts as used from before it is allocated, so that writers together never take
 * more than the limit. A page that was counted and not taken is given back at once.
 */
#include <linux/blkdev.h>
#include <linux/workqueue.h>
#include "rxdsk.h"

/* Returns the limit in pages. 0 bytes are no limit. */
static long limit_pages(u64 bytes)
{
	return bytes ? min_t(u64, bytes >> PAGE_SHIFT, LONG_MAX) : LONG_MAX;
}

/*
 * Counts @nr pages as used, or fewer if the limit allows no more. Context: any. Return:
 * how many.
 */
unsigned int rxd_limit_take(struct rxd_disk *d, unsigned int nr)
{
	long over = atomic_long_add_return(nr, &d->used) - READ_ONCE(d->limit);

	if (likely(over <= 0))
		return nr;
	over = min_t(long, over, nr);
	rxd_limit_return(d, over);
	return nr - over;
}

/* Undoes rxd_limit_take() for pages that did not enter the store. Context: any. */
void rxd_limit_return(struct rxd_disk *d, unsigned int nr)
{
	if (nr)
		atomic_long_sub(nr, &d->used);
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

void rxd_limit_init(struct rxd_disk *d, u64 bytes)
{
	d->limit = limit_pages(bytes);
	INIT_WORK(&d->full_work, full_work);
}

/*
 * Sets the limit of a disk, which may be in use, from now on. @bytes: 0 for none. Context:
 * process, under gd->open_mutex, so that no cache claims the disk meanwhile. Return: 0 or
 * an errno.
 */
int rxd_limit_set(struct rxd_disk *d, u64 bytes, const char **why)
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
	WRITE_ONCE(d->limit, limit_pages(bytes));
	return 0;
}

/* No I/O uses the disk any more. Context: process, may sleep. */
void rxd_limit_end(struct rxd_disk *d)
{
	cancel_work_sync(&d->full_work);
}
