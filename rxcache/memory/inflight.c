// SPDX-License-Identifier: GPL-2.0-only
/* The memory in flight of a pool, by holders. See inflight.h. */
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include "memory/inflight.h"

/* Far below any sum of pages. */
#define RENAMED	(LONG_MIN / 2)

static bool holder_is(const struct rxc_holder *holder, const void *cgroup, u32 kind)
{
	return READ_ONCE(holder->cgroup) == cgroup && READ_ONCE(holder->kind) == kind;
}

/*
 * Adds @pages to a holder that seemed to be that of @cgroup and @kind. Its name changes only
 * while it has none. So after this addition it stays, and the second look is final. Returns
 * what it has now, or 0 if it is another holder.
 */
static long holder_add(struct rxc_holder *holder, const void *cgroup, u32 kind, long pages)
{
	long sum = atomic_long_add_return(pages, &holder->pages);

	if (likely(sum > 0 && holder_is(holder, cgroup, kind)))
		return sum;
	atomic_long_sub(pages, &holder->pages);
	return 0;
}

/* Makes a holder without pages that of @cgroup and @kind. Returns whether it was one. */
static bool holder_rename(struct rxc_holder *holder, const void *cgroup, u32 kind)
{
	if (atomic_long_read(&holder->pages) ||
	    atomic_long_cmpxchg(&holder->pages, 0, RENAMED))
		return false;
	WRITE_ONCE(holder->cgroup, cgroup);
	WRITE_ONCE(holder->kind, kind);
	/* Others may just add and subtract theirs. Orders the name before it is found. */
	atomic_long_sub_return(RENAMED, &holder->pages);
	return true;
}

/*
 * Finds the holder of a request, or gives it one, and adds @pages to it. Two tasks may give
 * the same requests two holders at the same moment. The later one is no longer found, and is
 * free when its pages have come back. Returns what the holder has now.
 */
static long holder_get(struct rxc_inflight *inflight, const void *cgroup, u32 kind,
		       long pages, struct rxc_holder **found)
{
	unsigned int i, used = READ_ONCE(inflight->used);
	struct rxc_holder *holder = inflight->holder;
	long sum;

	for (i = 0; i < used; i++, holder++) {
		if (!holder_is(holder, cgroup, kind))
			continue;
		sum = holder_add(holder, cgroup, kind, pages);
		if (likely(sum)) {
			*found = holder;
			return sum;
		}
	}
	holder = inflight->holder;
	for (i = 0; i < RXC_HOLDERS - 1; i++, holder++) {
		if (i >= READ_ONCE(inflight->used))
			cmpxchg(&inflight->used, i, i + 1);
		if (!holder_rename(holder, cgroup, kind))
			continue;
		sum = holder_add(holder, cgroup, kind, pages);
		if (sum) {
			*found = holder;
			return sum;
		}
	}
	*found = holder;
	cmpxchg(&inflight->used, RXC_HOLDERS - 1, RXC_HOLDERS);
	return atomic_long_add_return(pages, &holder->pages);
}

/* The pages of the holders other than @holder. */
static long held_by_others(const struct rxc_inflight *inflight,
			   const struct rxc_holder *holder)
{
	unsigned int i, used = READ_ONCE(inflight->used);
	long sum = 0;

	for (i = 0; i < used; i++)
		if (&inflight->holder[i] != holder)
			sum += max(atomic_long_read(&inflight->holder[i].pages), 0L);
	return sum;
}

unsigned int rxc_inflight_take(struct rxc_inflight *inflight, const void *cgroup, u32 kind,
			       unsigned int nr, unsigned int order, long room,
			       struct rxc_holder **holder)
{
	long sum = holder_get(inflight, cgroup, kind, (long)nr << order, holder);
	long others = held_by_others(inflight, *holder);
	long most, over, few = room / 4 / RXC_HOLDERS;

	/* The first two lead to 3/4 of the room together, and the few to the last quarter. */
	most = max(max(room / 2 - others, (room / 4 * 3 - others) / 2), few);
	if (likely(sum <= most))
		return nr;
	over = min_t(long, nr, ((sum - most - 1) >> order) + 1);
	rxc_inflight_give(*holder, over, order);
	return nr - over;
}
