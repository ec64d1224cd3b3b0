// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills that did not serve all of their readers. Only in the last of these cases are
 * blocks of the fill stored.
 *
 * If a fill failed, each waiter reads its own sectors again at the origin, with its own
 * flags except NOWAIT, so that it gets an error only if these sectors are bad. If the
 * origin refused a fill, at once or later, because its reader must not wait, that reader
 * gets EAGAIN, and the joiners read again as if the fill had failed. If the memory of a
 * fill fails after the first waiter's copy, the joiners that could not be copied read
 * again, too.
 */
#include <linux/slab.h>
#include "blocks/busy.h"
#include "cache.h"
#include "figures/stats.h"
#include "io/bypass.h"
#include "io/io.h"
#include "io/part.h"
#include "io/retry.h"
#include "memory/pool.h"
#include "trace.h"

/* Reads a waiter's bytes again at the origin. */
static void read_again(struct rxc_io *io, struct bvec_iter iter, enum rxc_bypass how)
{
	enum rxc_begun begun = rxc_bypass_read(io, &iter, how, GFP_NOIO);

	rxc_io_put(io, begun == RXC_BEGUN ? BLK_STS_OK : BLK_STS_RESOURCE);
}

/*
 * Reads again for each wait of a list, and frees the waits. Nothing else refers to them:
 * the list was taken whole under the locks, or after the fill had left the tree.
 */
static void joined_read_again(struct llist_node *joined, enum rxc_bypass how)
{
	struct rxc_wait *wait, *next;

	llist_for_each_entry_safe(wait, next, joined, node) {
		struct rxc_io *io = wait->io;
		struct bvec_iter iter = wait->iter;

		kmem_cache_free(rxc_wait_cache, wait);
		read_again(io, iter, how);
	}
}

/*
 * Ends a fill that failed, or was refused after readers had joined. The retries wait for
 * parts of a bioset that only retries use, and the ends of these parts need no queue. So
 * the retries make progress, even if many fills have failed behind this one. Context:
 * process, on the cache's own queue.
 */
void rxc_fill_failed(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_wait first = part->first;
	struct rxc_busy_held held;
	struct llist_node *joined;
	struct rxc_busy retry;

	/* Keeps the fill's range in the tree until the retries have entered theirs. */
	rxc_busy_lock(&cache->busy, part->busy.first, part->busy.last, &held);
	rxc_busy_replace(&cache->busy, &part->busy, &retry);
	joined = llist_del_all(&part->waiters);
	rxc_busy_unlock(&cache->busy, &held);

	if (first.io) {
		rxc_count(cache, RXC_FILL_ERROR, 1);
		rxc_count(cache, RXC_FILL_DROP_ERROR, retry.last - retry.first + 1);
		trace_rxcache_fill_drop(cache, retry.first,
					retry.last - retry.first + 1,
					RXC_DROP_ERROR);
	}
	/* The fill stored nothing, so no reader can have seen its pages. */
	rxc_pool_free_vecs(cache->pool, &part->bio, 0);
	percpu_ref_get(&cache->users);
	rxc_part_free(part);

	if (first.io)
		read_again(first.io, first.iter, RXC_BYPASS_RETRY);
	joined_read_again(joined, RXC_BYPASS_RETRY);
	rxc_busy_leave(&cache->busy, &retry);
	percpu_ref_put(&cache->users);
}

/*
 * Ends a fill that was stored and has left the tree. The joiners still in its list could
 * not be copied, because its memory has failed. Meanwhile a write may have begun, which
 * keeps the old copy of a block for its readers, or may have stored a new one. So each of
 * these reads enters a range of its own first, and then drops the cached blocks. Context:
 * process, on the cache's own queue; the parts are those of retries, for the same reason.
 */
void rxc_fill_uncopied(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct llist_node *joined = llist_del_all(&part->waiters);

	percpu_ref_get(&cache->users);
	rxc_part_free(part);
	joined_read_again(joined, RXC_BYPASS_AGAIN);
	percpu_ref_put(&cache->users);
}

/*
 * Ends a fill that the origin refused, because it must not wait. The fill's reader gets
 * EAGAIN here, where the origin answered: a caller that gets EAGAIN later, from a worker,
 * may take it for the final result of the read. A worker, which may wait, serves the
 * joiners. A refusal is not counted as an error. Context: any.
 */
void rxc_fill_refused(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_io *io = part->first.io;
	struct rxc_busy_held held;
	bool alone;

	trace_rxcache_fill_drop(cache, part->busy.first,
				part->busy.last - part->busy.first + 1,
				RXC_DROP_REFUSED);
	rxc_busy_lock(&cache->busy, part->busy.first, part->busy.last, &held);
	part->first.io = NULL;
	alone = llist_empty(&part->waiters);
	if (alone)
		rxc_busy_leave_locked(&cache->busy, &part->busy);
	else
		WRITE_ONCE(part->busy.raced, true);
	rxc_busy_unlock(&cache->busy, &held);
	if (alone) {
		/* No reader can find the fill, and the device is done with its pages. */
		rxc_pool_free_vecs(cache->pool, &part->bio, 0);
		rxc_part_free(part);
	} else {
		queue_work(cache->retry_wq, &part->work);
	}
	if (io)
		rxc_io_put(io, BLK_STS_AGAIN);
}
