// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drops all pages of a closed disk at once, or all beyond a new end: for erase,
 * shrink, a claim and detach. "Clear" is the mechanism that these four share, and
 * "erase" is the request of a user.
 *
 * The pages are cut off from the disk's tree in one step, whose cost depends on the
 * height of the tree only, and from then on they read as zeroes. A worker frees them
 * as fast as the page allocator takes them, after one grace period for all and without
 * a lock. The request does not wait for the worker, because it holds locks that other
 * tasks want, above all generic netlink's. The disk can be opened and written
 * meanwhile. At the end the worker sends an event.
 *
 * A disk has one cut-off tree at most. Until that is free the disk is "clearing",
 * and the next erase, shrink or claim is refused.
 */
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "freed.h"
#include "rxdsk.h"

static struct workqueue_struct *clear_wq;

static void busy_set(struct rxd_disk *d, bool busy)
{
	mutex_lock(&rxd_disks_lock);
	/* Pairs with rxd_clear_counts(): what was subtracted before is seen first. */
	smp_store_release(&d->clear.busy, busy);
	mutex_unlock(&rxd_disks_lock);
}

/* Frees the pages and nodes of the cut-off tree; see rxd_tree_free(). */
static void free_all(struct rxd_clear *clear, atomic_long_t *nodes)
{
	long freed = rxd_tree_free(&clear->tree, clear->count, nodes);

	rxd_freed_correct(clear->expected - freed);
}

/*
 * Runs a grace period after the cut, so no reader, writer or walk for extents holds a page
 * or a node of the tree. The disk exists until rxd_clear_all() has waited for this work.
 */
static void clear_work(struct work_struct *work)
{
	struct rxd_clear *clear = container_of(to_rcu_work(work),
					       struct rxd_clear, work);
	struct rxd_disk *d = container_of(clear, struct rxd_disk, clear);

	free_all(clear, clear->count == &d->used ? d->node_used : NULL);
	busy_set(d, false);
	rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
}

void rxd_clear_init(struct rxd_disk *d)
{
	rxd_tree_init(&d->clear.tree);
	INIT_RCU_WORK(&d->clear.work, clear_work);
}

/* Counts all pages of the disk as being freed, and no longer as used. */
static void count_all(struct rxd_disk *d)
{
	int node;

	for (node = 0; d->node_used && node < nr_node_ids; node++)
		atomic_long_set(&d->node_used[node], 0);
	d->clear.expected = atomic_long_xchg(&d->used, 0);
	atomic_long_add(d->clear.expected, &d->clear.pages);
	WRITE_ONCE(d->clear.count, &d->clear.pages);
}

/* Refuses a disk that still frees what was dropped before. Context: as rxd_clear_from(). */
int rxd_clear_check(struct rxd_disk *d, const char **why)
{
	lockdep_assert_held(&d->gd->open_mutex);
	if (!READ_ONCE(d->clear.busy))
		return 0;
	*why = "memory of the last erase or shrink is still being freed";
	return -EBUSY;
}

/*
 * Drops the pages from @first on of a disk that rxd_clear_check() has not refused. The disk
 * is closed, so no I/O adds pages meanwhile. Context: process, may sleep, under
 * gd->open_mutex. Return: 0, or an errno if nothing was dropped.
 */
int rxd_clear_from(struct rxd_disk *d, pgoff_t first, const char **why)
{
	struct rxd_clear *clear = &d->clear;

	lockdep_assert_held(&d->gd->open_mutex);
	if (rxd_tree_cut(&d->tree, first, &clear->tree)) {
		*why = "no memory to take the disk's pages apart";
		return -ENOMEM;
	}
	if (rxd_tree_empty(&clear->tree))
		return 0;
	if (first) {
		/* The number is unknown, so the pages count as used until free. */
		WRITE_ONCE(clear->count, &d->used);
		clear->expected = atomic_long_read(&d->used);
	} else {
		count_all(d);
	}
	rxd_freed_expect(clear->expected);
	busy_set(d, true);
	queue_rcu_work(clear_wq, &clear->work);
	return 0;
}

/*
 * Returns whether pages are being freed that count as used until they are free. Whoever
 * finds none any more also finds the room of those that were. Context: any.
 */
bool rxd_clear_counts(const struct rxd_disk *d)
{
	/* Pairs with busy_set(). */
	return smp_load_acquire(&d->clear.busy) &&
	       READ_ONCE(d->clear.count) == &d->used;
}

static bool has_walks(struct rxd_disk *d)
{
	bool some;

	mutex_lock(&rxd_disks_lock);
	some = d->walks;
	mutex_unlock(&rxd_disks_lock);
	return some;
}

/*
 * Frees all pages of a disk that ends. Nothing can hold one of them, or a node, any more:
 * - neither I/O, prepare_work nor a request to clear or to claim can reach the disk, which
 *   the caller guarantees, and this waits for clear_work;
 * - a request that lists the extents may still walk through the disk's tree. It holds
 *   what it finds under rcu_read_lock() only and begins each time at the root. So it is
 *   done with all that was cut off when a grace period has passed since the cut. The
 *   disk is dying, so no such request begins any more.
 * Context: process, may sleep.
 */
void rxd_clear_all(struct rxd_disk *d)
{
	struct rxd_clear *clear = &d->clear;

	flush_rcu_work(&clear->work);
	rxd_tree_cut(&d->tree, 0, &clear->tree);
	count_all(d);
	rxd_freed_expect(clear->expected);
	if (has_walks(d))
		synchronize_rcu();
	free_all(clear, NULL);
	WARN_ON_ONCE(atomic_long_read(&clear->pages));
}

int rxd_clear_module_init(void)
{
	/* Writers that have no memory wait for this queue, so it has a rescuer. */
	clear_wq = alloc_workqueue("rxdsk-clear", WQ_MEM_RECLAIM | WQ_UNBOUND,
				   0);
	return clear_wq ? 0 : -ENOMEM;
}

/* All disks are gone, and each has waited for its work. */
void rxd_clear_module_exit(void)
{
	destroy_workqueue(clear_wq);
}
