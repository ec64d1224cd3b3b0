// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills: a run of blocks that are not cached is read from the origin into
 * pool pages by one bio, the fill, and copied from there to the reader.
 *
 *  1. A reader that misses looks for a write or fill in flight, see miss.c.
 *  2. If there is none, the reader takes pages, enters a fill for the run up to the
 *     next range in flight, with itself as the first waiter, and sends the fill.
 *  3. Meanwhile other readers join. A write that begins marks the fill raced, which
 *     ends the joining. Step 4 does the same if the cache is frozen by then.
 *  4. fill_end() copies the first waiter's sectors. Then, unless the fill is raced,
 *     each block is stored in the index. In the same critical section as the last
 *     block, the fill leaves the tree and its waiters are taken, so that every
 *     reader finds either the fill or the blocks.
 *  5. The other waiters' sectors are copied and all ios put. Pages that were not
 *     stored go back to the pool. A waiter whose pages have failed reads again.
 *
 * A fill that reads ahead (ahead.c) has no first waiter. It is stored as unread, and the
 * blocks of its joiners are used at once.
 *
 * A fill that failed or was refused stores nothing, see retry.c. Only the device
 * writes to the pages, so the cache holds the origin's bytes, even if a caller changes
 * its buffer meanwhile.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <rx/pages.h>
#include <rx/pool.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "figures/stats.h"
#include "figures/unread.h"
#include "io/copy.h"
#include "io/fill.h"
#include "io/io.h"
#include "io/origin.h"
#include "io/part.h"
#include "io/retry.h"
#include "memory/evict.h"
#include "memory/pool.h"
#include "speed.h"
#include "trace.h"

/* A fill copies up to this many bytes to its readers in interrupt context. */
enum { IRQ_COPY_MAX = 16384 };

static struct page *fill_page(struct rxc_part *part, u64 block)
{
	return part->bio.bi_io_vec[block - part->busy.first].bv_page;
}

/*
 * Copies the waiter's bytes to its bio. The caller makes sure that the fill's pages
 * stay. Returns false if the memory of a page has failed since the device wrote to it.
 */
static bool copy_to_waiter(struct rxc_part *part, struct rxc_wait *wait)
{
	struct rxc_cache *cache = part->cache;
	unsigned int mask = (1U << cache->block_shift) - 1;
	struct bvec_iter iter = wait->iter;
	unsigned int offset, len;
	u64 block;

	while (iter.bi_size) {
		offset = rxc_iter_pos(iter) & mask;
		len = min(iter.bi_size, mask + 1 - offset);
		block = rxc_iter_first(cache, iter);
		if (!rxc_copy_to_bio(wait->io->bio, &iter, fill_page(part, block),
				     offset, len)) {
			rxc_pool_drop_bad(cache, block);
			return false;
		}
	}
	return true;
}

/*
 * Ends a joiner's wait, to which nothing else refers. Joiners only add to the list,
 * under a lock of the fill's range and while the fill is in the tree. The end of the
 * fill has taken the whole list by now.
 */
static void wait_end(struct rxc_wait *wait)
{
	struct rxc_io *io = wait->io;

	kmem_cache_free(rxc_wait_cache, wait);
	rxc_io_put(io, BLK_STS_OK);
}

/**
 * struct fill_stored - the result of step 4 so far
 * @ahead: the next block whose index set is prefetched
 * @replaced: number of blocks that were cached already
 * @known: number of blocks that the policy had evicted lately
 * @used: number of blocks that were cached, but unread until now
 * @full: number of blocks that were not stored, because no block may make room for them
 * @over: the cache has more than its max share
 * @retired: pages that left the index for those of the fill, and pages of @full blocks
 * @joined: waits of the joiners, once the fill has left the tree
 * @pinned: the fill has a reference of its own to each page
 */
struct fill_stored {
	u64 ahead;
	u64 replaced;
	u64 known;
	u64 used;
	u64 full;
	struct rx_pages retired;
	struct llist_node *joined;
	bool pinned;
	bool over;
};

/*
 * Takes a reference to each page. A stored page belongs to the index, which may lose it
 * at once, so a copy from the page after that needs another reference.
 */
static void fill_pin(struct rxc_part *part, struct fill_stored *s)
{
	u64 block;

	for (block = part->busy.first; block <= part->busy.last; block++)
		get_page(fill_page(part, block));
	s->pinned = true;
}

static void fill_unpin(struct rxc_part *part)
{
	u64 block;

	for (block = part->busy.first; block <= part->busy.last; block++)
		rxc_page_put(fill_page(part, block));
}

/*
 * Step 4 for the blocks from @block to before @end. Returns the first block that
 * was not stored. Context: any.
 */
static u64 fill_store(struct rxc_part *part, u64 block, u64 end,
		      struct fill_stored *s)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_taken evicted[RXC_BATCH] __uninitialized, old;
	enum rxc_stored stored;
	struct rxc_busy_held held;
	unsigned int nr = 0;

	rxc_busy_lock(&cache->busy, part->busy.first, part->busy.last, &held);
	/* A fill of several batches has been pinned before. */
	if (!s->pinned && !llist_empty(&part->waiters))
		fill_pin(part, s);
	if (READ_ONCE(cache->frozen))
		part->busy.raced = true;
	for (; block < end && !part->busy.raced; block++) {
		rxc_prefetch(cache, block, part->busy.last, &s->ahead);
		stored = rxc_index_store(cache->index, rxc_cache_key(cache, block),
					 fill_page(part, block), part->ahead ?
					 RXC_STORE_AHEAD : RXC_STORE_READ, &old);
		if (stored == RXC_STORED_NOT) {
			part->busy.raced = true;
			break;
		}
		if (stored == RXC_STORED_EVICTED)
			evicted[nr++] = old;
		s->replaced += stored == RXC_STORED_REPLACED;
		s->known += old.known;
		s->used += stored == RXC_STORED_REPLACED && old.unread;
		s->over |= old.over;
		if (unlikely(stored == RXC_STORED_FULL)) {
			s->full++;
			trace_rxcache_fill_drop(cache, block, 1, RXC_DROP_SHARE);
		}
		if (old.page)
			rxc_pool_retire_block(cache->pool, &s->retired, old.page);
	}
	if (end > part->busy.last) {
		rxc_busy_leave_locked(&cache->busy, &part->busy);
		s->joined = llist_del_all(&part->waiters);
	}
	if (!nr) {
		rxc_busy_unlock(&cache->busy, &held);
		return block;
	}
	/* See evict.c: the one section begins before the other ends. */
	rcu_read_lock();
	rxc_busy_unlock(&cache->busy, &held);
	while (nr)
		rxc_evict_note(cache->pool, &evicted[--nr], RXC_EVICT, RXC_EVICT_ROOM);
	rcu_read_unlock();
	return block;
}

static void fill_end_work(struct work_struct *work);

static void uncopied_work(struct work_struct *work)
{
	rxc_fill_uncopied(container_of(work, struct rxc_part, work));
}

/*
 * Step 5 for the joiners. Waits that can't be copied go back to the fill's list. No
 * reader uses the list any more, because the fill has left the tree. Context: any.
 */
static void fill_end_joined(struct rxc_part *part, struct fill_stored *s)
{
	struct llist_node *copied = NULL, *node, *next;
	struct rxc_wait *wait, *then;

	for (node = s->joined; node; node = next) {
		next = node->next;
		wait = llist_entry(node, struct rxc_wait, node);
		if (part->ahead)
			rxc_unread_use_all(part->cache,
					   rxc_iter_first(part->cache, wait->iter),
					   rxc_iter_last(part->cache, wait->iter));
		if (likely(copy_to_waiter(part, wait))) {
			node->next = copied;
			copied = node;
		} else {
			llist_add(node, &part->waiters);
		}
	}
	if (s->pinned)
		fill_unpin(part);
	llist_for_each_entry_safe(wait, then, copied, node)
		wait_end(wait);
}

/*
 * Steps 4 and 5. The first waiter, the only one of most fills, gets its copy before any
 * page is stored, so the copy needs no reference to a page. Even a raced fill may serve
 * this waiter, because its read began before the write. Context: any.
 */
static void fill_succeeded(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_pool *pool = cache->pool;
	u64 block, end, done, first = part->busy.first, last = part->busy.last;
	u64 kept = first;
	struct fill_stored s = { .ahead = first + 1 };

	if (part->first.io && unlikely(!copy_to_waiter(part, &part->first))) {
		/* Nothing is stored yet: all waiters read again, as after an error. */
		part->bio.bi_status = BLK_STS_IOERR;
		INIT_WORK(&part->work, fill_end_work);
		queue_work(cache->retry_wq, &part->work);
		return;
	}
	/* Other readers may join until the last batch is stored. */
	if (last - first >= RXC_BATCH)
		fill_pin(part, &s);
	for (block = first; block <= last; block = end) {
		end = min(block + RXC_BATCH, last + 1);
		done = fill_store(part, block, end, &s);
		if (kept == block)
			kept = done;
	}
	rxd_pool_retire(pool->memory, &s.retired, pool->order);
	if (kept > first) {
		rxc_count(cache, RXC_FILL, kept - first - s.replaced - s.full);
		rxc_count(cache, RXC_FILL_REPLACE, s.replaced);
		rxc_count(cache, RXC_GHOST_HIT, s.known);
		/* The origin has read them twice, so they earn no credit (forecast/budget.h). */
		if (unlikely(s.used))
			rxc_count(cache, RXC_AHEAD_USED, s.used);
		if (part->ahead)
			rxc_count(cache, RXC_AHEAD_VAIN, s.replaced + s.full);
		trace_rxcache_fill(cache, first, kept - first);
	}
	if (kept <= last) {
		rxc_count(cache, RXC_FILL_DROP, last - kept + 1);
		if (part->ahead)
			rxc_count(cache, RXC_AHEAD_VAIN, last - kept + 1);
		trace_rxcache_fill_drop(cache, kept, last - kept + 1,
					RXC_DROP_RACED);
	}
	if (unlikely(s.full))
		rxc_count(cache, RXC_FILL_DROP, s.full);
	if (unlikely(s.over))
		rxc_pool_cut_stored(pool, cache->key, kept - first);
	/* The reader may come back at once, and want as many. */
	rxc_part_unhold(part, part->held);
	if (part->first.io)
		rxc_io_put(part->first.io, BLK_STS_OK);
	fill_end_joined(part, &s);

	/* The pages from @kept on were not stored, so they belong to the fill alone. */
	if (kept <= last)
		rxc_pool_free_vecs(pool, &part->bio, kept - first);
	if (likely(llist_empty(&part->waiters))) {
		rxc_part_free(part);
		return;
	}
	INIT_WORK(&part->work, uncopied_work);
	queue_work(cache->retry_wq, &part->work);
}

static void fill_end_work(struct work_struct *work)
{
	struct rxc_part *part = container_of(work, struct rxc_part, work);

	if (part->bio.bi_status)
		rxc_fill_failed(part);
	else
		fill_succeeded(part);
}

static void fill_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);

	u64 wanted = READ_ONCE(part->wanted);

	if (part->ahead)
		wanted = max(wanted, (u64)part->ahead_bytes);

	rxc_origin_answered(part);
	if (bio->bi_status == BLK_STS_AGAIN && bio->bi_opf & REQ_NOWAIT) {
		INIT_WORK(&part->work, fill_end_work);
		rxc_fill_refused(part);
	} else if (bio->bi_status) {
		INIT_WORK(&part->work, fill_end_work);
		queue_work(part->cache->retry_wq, &part->work);
	} else if (!in_task() && wanted > IRQ_COPY_MAX) {
		INIT_WORK(&part->work, fill_end_work);
		queue_work(rxc_end_wq, &part->work);
	} else {
		fill_succeeded(part);
	}
}

/*
 * Step 2: makes a fill for up to @blocks blocks, with the pages that are available,
 * maybe none. @speed: of the reader. Returns NULL if it would have to wait. Context:
 * process, sleeps as @gfp says.
 */
struct rxc_part *rxc_fill_new(struct rxc_io *io, const struct rxc_speed *speed, u64 first,
			      u64 blocks, gfp_t gfp)
{
	const blk_opf_t inherit = REQ_SYNC | REQ_META | REQ_PRIO | REQ_IDLE |
				  REQ_NOWAIT;
	struct rxc_cache *cache = io->cache;
	struct rxc_part *part;

	part = rxc_part_new(cache, io->bio, blocks,
			    REQ_OP_READ | (io->bio->bi_opf & inherit), gfp, &cache->parts);
	if (!part)
		return NULL;
	part->speed = *speed;
	rxc_fill_pages(part, first, blocks);
	return part;
}

/*
 * Makes a part a fill for up to @blocks blocks, with the pages that are available and that
 * its speed may have, maybe none. Context: process.
 */
void rxc_fill_pages(struct rxc_part *part, u64 first, u64 blocks)
{
	struct page *pages[RXC_BATCH] __uninitialized;
	struct rxc_cache *cache = part->cache;
	unsigned int i, want, got;
	u64 nr;

	part->bio.bi_iter.bi_sector =
		first << (cache->block_shift - SECTOR_SHIFT);
	part->bio.bi_end_io = fill_end;
	init_llist_head(&part->waiters);
	blocks = rxc_part_hold(part, &part->speed, blocks);
	for (nr = 0; nr < blocks; nr += got) {
		want = min_t(u64, blocks - nr, RXC_BATCH);
		/* Nothing is evicted for want of memory only to read ahead. */
		got = part->ahead ? rxc_pool_spare(cache->pool, pages, want) :
				    rxc_pool_pages(cache, pages, want);
		for (i = 0; i < got; i++)
			__bio_add_page(&part->bio, pages[i],
				       rxc_block_bytes(cache, first + nr + i), 0);
		if (got < want) {
			rxc_part_unhold(part, blocks - nr - got);
			break;
		}
	}
}

/* Gives back the pages from the @keep-th on, which no device or reader has seen. */
static void fill_trim(struct rxc_part *part, unsigned int keep)
{
	struct bio *bio = &part->bio;
	struct bio_vec *bv;

	if (bio->bi_vcnt > keep)
		rxc_part_unhold(part, bio->bi_vcnt - keep);
	while (bio->bi_vcnt > keep) {
		bv = &bio->bi_io_vec[--bio->bi_vcnt];
		bio->bi_iter.bi_size -= bv->bv_len;
		rxd_pool_free(part->cache->pool->memory, bv->bv_page,
			      part->cache->pool->order);
	}
}

/*
 * Lengthens the last block of a fill that is about to enter, if the origin has grown
 * since the fill was made (follow.c): the block may have been the origin's last one, and
 * short. Context: any, under the lock.
 */
void rxc_fill_fit(struct rxc_part *part)
{
	struct bio_vec *bv = &part->bio.bi_io_vec[part->busy.last - part->busy.first];
	unsigned int bytes = rxc_block_bytes(part->cache, part->busy.last);

	part->bio.bi_iter.bi_size += bytes - bv->bv_len;
	bv->bv_len = bytes;
}

/* Sends a fill that was entered, without the pages that it does not need. */
void rxc_fill_send(struct rxc_part *part)
{
	fill_trim(part, part->busy.last - part->busy.first + 1);
	rxc_origin_read(part);
}

/* Frees a fill that was not entered. */
void rxc_fill_undo(struct rxc_part *part)
{
	fill_trim(part, 0);
	rxc_part_free(part);
}

/*
 * Returns whether a reader with the speed @own may join the fill: it is not raced, and no
 * read of the reader's own can be faster. Context: any, under a lock of the fill's range.
 */
bool rxc_fill_suits(const struct rxc_part *part, const struct rxc_speed *own)
{
	return !READ_ONCE(part->busy.raced) && rxc_speed_suffices(&part->speed, own);
}

/*
 * Step 3: makes the fill, which suits, serve @run of another reader, too. Returns false if
 * there is no memory. Context: process, under a lock of the fill's range.
 */
bool rxc_fill_join(struct rxc_part *part, struct rxc_io *io, struct bvec_iter run)
{
	struct rxc_wait *wait;

	wait = kmem_cache_alloc(rxc_wait_cache, GFP_NOWAIT | __GFP_NOWARN);
	if (!wait)
		return false;
	wait->io = io;
	wait->iter = run;
	atomic_inc(&io->pending);
	llist_add(&wait->node, &part->waiters);
	/* Readers that join under different locks may lose one of the additions. */
	WRITE_ONCE(part->wanted, READ_ONCE(part->wanted) + run.bi_size);
	return true;
}
