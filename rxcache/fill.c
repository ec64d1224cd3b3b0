// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses: a run of blocks that are not cached is read from the origin into
 * pool pages by one bio, the fill, and copied from there to the reader.
 *
 *  1. read_miss looks at what is in flight (busy.h): over a write the reader
 *     goes past the cache; at a fill that is not raced it joins the waiters,
 *     unless a read of its own would go faster (share.h).
 *  2. Else it takes pages, enters a fill for the run up to the next range in
 *     flight, with itself as the first waiter, and sends it.
 *  3. Meanwhile other readers join, and a write that begins marks the fill
 *     raced, which ends the joining.
 *  4. fill_end: the first waiter's sectors are copied. Then, unless raced, each
 *     block is stored in the index; in the same critical section as the last one
 *     the fill leaves the tree and its waiters are taken, so that every reader
 *     finds either the fill or the blocks.
 *  5. The other waiters' sectors are copied and all ios put; what was not stored
 *     goes back to the pool.
 *
 * A fill that failed or was refused stores nothing, see retry.c. The device fills
 * the pages and nobody else writes to them, so what the cache holds is what the
 * origin held, no matter what a caller does to its buffer.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "copy.h"
#include "rxcache.h"
#include "trace.h"

static struct page *fill_page(struct rxc_part *part, u64 block)
{
	return part->bio.bi_io_vec[block - part->busy.first].bv_page;
}

/*
 * Copies what a waiter wants. The caller sees to it that the pages stay. Returns
 * false if their memory has failed since the device wrote to it.
 */
static bool copy_to_waiter(struct rxc_part *part, struct rxc_wait *wait)
{
	struct rxc_map *map = part->map;
	unsigned int mask = (1U << map->block_shift) - 1;
	struct bvec_iter iter = wait->iter;
	unsigned int offset, len;
	u64 block;

	while (iter.bi_size) {
		offset = rxc_iter_pos(iter) & mask;
		len = min(iter.bi_size, mask + 1 - offset);
		block = rxc_iter_first(map, iter);
		if (!rxc_copy_to_bio(wait->io->bio, &iter, fill_page(part, block),
				     offset, len, true)) {
			rxc_pool_drop_bad(map, block);
			return false;
		}
	}
	return true;
}

/*
 * Ends a joiner's wait. Who could still hold it: joiners only add to the list,
 * under a lock of the fill's range and while the fill is in the tree; the end of
 * the fill has taken the whole list and is the only one to see this wait.
 */
static void wait_end(struct rxc_wait *wait)
{
	struct rxc_io *io = wait->io;

	kmem_cache_free(rxc_wait_cache, wait);
	rxc_io_put(io, BLK_STS_OK);
}

/*
 * What step 4 has come to so far.
 * @ahead: up to where the index has been brought in
 * @replaced: blocks that were cached
 * @known: those that the policy had evicted lately
 * @retired: pages that made room
 * @joined: those who joined, once all is done
 * @pinned: the fill has a reference of its own to each page
 */
struct stored {
	u64 ahead;
	u64 replaced;
	u64 known;
	struct rx_pages retired;
	struct llist_node *joined;
	bool pinned;
};

/*
 * A page that is stored belongs to the index, which may lose it at once. Whoever
 * is copied from it after that needs another reference.
 */
static void pin(struct rxc_part *part, struct stored *s)
{
	u64 block;

	for (block = part->busy.first; block <= part->busy.last; block++)
		get_page(fill_page(part, block));
	s->pinned = true;
}

static void unpin(struct rxc_part *part)
{
	u64 block;

	for (block = part->busy.first; block <= part->busy.last; block++)
		rxc_page_put(fill_page(part, block));
}

/*
 * Step 4 for the blocks from @block to before @end: returns the first one that
 * was not stored. Context: any.
 */
static u64 store_some(struct rxc_part *part, u64 block, u64 end,
		      struct stored *s)
{
	struct rxc_map *map = part->map;
	struct rxc_taken evicted[RXC_BATCH] __uninitialized, old;
	enum rxc_stored stored;
	struct rxc_busy_held held;
	unsigned int nr = 0;

	rxc_busy_lock(&map->busy, part->busy.first, part->busy.last, &held);
	/* With more to come after this, pin() was called before. */
	if (!s->pinned && !llist_empty(&part->waiters))
		pin(part, s);
	for (; block < end && !part->busy.raced; block++) {
		rxc_prefetch(map, block, part->busy.last, &s->ahead);
		stored = rxc_index_store(map->pool.index, rxc_map_key(map, block),
					 fill_page(part, block), RXC_STORE_READ,
					 &old);
		if (stored == RXC_STORED_NOT) {
			part->busy.raced = true;
			break;
		}
		if (stored == RXC_STORED_EVICTED)
			evicted[nr++] = old;
		s->replaced += stored == RXC_STORED_REPLACED;
		s->known += old.known;
		if (old.page)
			rx_pages_add(&s->retired, old.page);
	}
	if (end > part->busy.last) {
		rxc_busy_leave_locked(&map->busy, &part->busy);
		s->joined = llist_del_all(&part->waiters);
	}
	rxc_busy_unlock(&map->busy, &held);
	while (nr)
		rxc_pool_note_evicted(map, &evicted[--nr]);
	return block;
}

static void fill_end_work(struct work_struct *work);

/*
 * Steps 4 and 5. Context: any. The first waiter is copied from pages that are
 * still the fill's alone; it began before whatever may happen meanwhile. Most
 * fills have no other.
 */
static void fill_succeeded(struct rxc_part *part)
{
	struct rxc_map *map = part->map;
	struct rxc_pool *pool = &map->pool;
	struct rxc_wait *wait, *next;
	u64 block, end, done, first = part->busy.first, last = part->busy.last;
	u64 kept = first;
	struct stored s = { .ahead = first + 1 };

	if (unlikely(!copy_to_waiter(part, &part->first))) {
		/* Nothing is stored yet: all read again, as if the origin had failed. */
		part->bio.bi_status = BLK_STS_IOERR;
		INIT_WORK(&part->work, fill_end_work);
		queue_work(map->retry_wq, &part->work);
		return;
	}
	/* Others may join until the last batch is stored. */
	if (last - first >= RXC_BATCH)
		pin(part, &s);
	for (block = first; block <= last; block = end) {
		end = min(block + RXC_BATCH, last + 1);
		done = store_some(part, block, end, &s);
		if (kept == block)
			kept = done;
	}
	rxd_pool_retire(pool->memory, &s.retired, pool->order);
	if (kept > first) {
		rxc_count(map, RXC_FILL, kept - first - s.replaced);
		rxc_count(map, RXC_FILL_REPLACE, s.replaced);
		rxc_count(map, RXC_GHOST_HIT, s.known);
		trace_rxcache_fill(map, first, kept - first);
	}
	if (kept <= last) {
		rxc_count(map, RXC_FILL_DROP, last - kept + 1);
		trace_rxcache_fill_drop(map, kept, last - kept + 1,
					RXC_DROP_RACED);
	}
	rxc_io_put(part->first.io, BLK_STS_OK);
	llist_for_each_entry(wait, s.joined, node)
		if (unlikely(!copy_to_waiter(part, wait)))
			cmpxchg(&wait->io->status, BLK_STS_OK, BLK_STS_IOERR);
	if (s.pinned)
		unpin(part);
	llist_for_each_entry_safe(wait, next, s.joined, node)
		wait_end(wait);

	/* From @kept on nothing was stored: these are the fill's alone. */
	if (kept <= last)
		rxc_pool_free_vecs(pool, &part->bio, kept - first);
	rxc_part_free(part);
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

	rxc_origin_answered(part);
	if (bio->bi_status == BLK_STS_AGAIN && bio->bi_opf & REQ_NOWAIT) {
		INIT_WORK(&part->work, fill_end_work);
		rxc_fill_refused(part);
	} else if (bio->bi_status) {
		INIT_WORK(&part->work, fill_end_work);
		queue_work(part->map->retry_wq, &part->work);
	} else if (!in_task() && READ_ONCE(part->wanted) > RXC_IRQ_COPY_MAX) {
		INIT_WORK(&part->work, fill_end_work);
		queue_work(rxc_end_wq, &part->work);
	} else {
		fill_succeeded(part);
	}
}

/*
 * Step 1. Looks at what is in flight at the front of @iter.
 * Returns -ENOENT: nothing, free until *@last. -EEXIST: nothing, and the first
 * block has been cached meanwhile, if @look asks for that. 0: joined, up to the end
 * of *@run. -EAGAIN: *@run is not all of @iter, and has to be if @whole is set. Else
 * the counter of the reason to bypass, for *@run.
 */
static int meet_busy(struct rxc_io *io, struct bvec_iter iter, bool look,
		     bool whole, struct bvec_iter *run, u64 *last)
{
	struct rxc_map *map = io->map;
	u64 first = rxc_iter_first(map, iter);
	struct rxc_busy *busy;
	struct rxc_part *part;
	struct rxc_wait *wait;
	struct rxc_share own;
	bool cached;

	busy = rxc_busy_find(&map->busy, first);
	if (!busy) {
		cached = look && rxc_index_has(map->pool.index,
					       rxc_map_key(map, first));
		*last = rxc_busy_free_until(&map->busy, first, *last);
		return cached ? -EEXIST : -ENOENT;
	}
	*run = rxc_iter_until(map, iter, busy->last);
	if (whole && run->bi_size < iter.bi_size)
		return -EAGAIN;
	if (busy->kind == RXC_BUSY_WRITE)
		return RXC_READ_BYPASS_WRITE;
	if (READ_ONCE(busy->raced))
		return RXC_READ_BYPASS_FILL;
	part = container_of(busy, struct rxc_part, busy);
	own = rxc_share_of(io->bio);
	if (!rxc_share_suffices(&part->share, &own))
		return RXC_READ_BYPASS_FILL;
	wait = kmem_cache_alloc(rxc_wait_cache, GFP_NOWAIT | __GFP_NOWARN);
	if (!wait)
		return RXC_READ_BYPASS_FILL;
	wait->io = io;
	wait->iter = *run;
	atomic_inc(&io->pending);
	llist_add(&wait->node, &part->waiters);
	/* Two who join under different locks may lose one of these. */
	WRITE_ONCE(part->wanted, READ_ONCE(part->wanted) + run->bi_size);
	return 0;
}

/*
 * The most blocks of a fill. If there may be more parts that is RXC_FILL_BYTES: the
 * first one is copied while the origin still reads the others. A fill that must not
 * wait is all of its read, and what the origin takes as one request: it would not
 * split it.
 */
static u64 fill_most(const struct rxc_map *map, bool whole)
{
	struct request_queue *q = bdev_get_queue(map->origin.bdev);

	if (!whole)
		return RXC_FILL_BYTES >> map->block_shift;
	return min3((u64)RXC_PART_VECS, (u64)queue_max_segments(q),
		    (u64)queue_max_sectors(q) >> (map->block_shift - SECTOR_SHIFT));
}

/* How many blocks from the front of @iter are missing, the first one taken as such. */
u64 rxc_count_missing(struct rxc_map *map, struct bvec_iter iter, u64 most)
{
	u64 block = rxc_iter_first(map, iter);
	u64 end = block + min(rxc_iter_last(map, iter) - block + 1, most);
	u64 first = block, ahead = first + 1;

	while (++block < end) {
		rxc_prefetch(map, block, end - 1, &ahead);
		if (rxc_index_has(map->pool.index, rxc_map_key(map, block)))
			break;
	}
	return block - first;
}

/* A fill for up to @blocks, with as many pages as there are: maybe none. */
static struct rxc_part *fill_new(struct rxc_io *io, u64 first, u64 blocks,
				 gfp_t gfp)
{
	const blk_opf_t inherit = REQ_SYNC | REQ_META | REQ_PRIO | REQ_IDLE |
				  REQ_NOWAIT;
	struct rxc_map *map = io->map;
	struct page *pages[RXC_BATCH] __uninitialized;
	unsigned int i, want, got;
	struct rxc_part *part;
	u64 nr;

	part = rxc_part_new(map, io->bio, blocks,
			    REQ_OP_READ | (io->bio->bi_opf & inherit), gfp);
	if (!part)
		return NULL;
	part->io = io;
	part->bio.bi_iter.bi_sector =
		first << (map->block_shift - SECTOR_SHIFT);
	part->bio.bi_end_io = fill_end;
	part->share = rxc_share_of(io->bio);
	init_llist_head(&part->waiters);
	for (nr = 0; nr < blocks; nr += got) {
		want = min_t(u64, blocks - nr, RXC_BATCH);
		got = rxc_pool_pages(map, pages, want);
		for (i = 0; i < got; i++)
			__bio_add_page(&part->bio, pages[i],
				       rxc_block_bytes(map, first + nr + i), 0);
		if (got < want)
			break;
	}
	return part;
}

/* Gives the pages from the @keep-th on back; nothing was sent, nobody has them. */
static void fill_trim(struct rxc_part *part, unsigned int keep)
{
	struct bio *bio = &part->bio;
	struct bio_vec *bv;

	while (bio->bi_vcnt > keep) {
		bv = &bio->bi_io_vec[--bio->bi_vcnt];
		bio->bi_iter.bi_size -= bv->bv_len;
		rxd_pool_free(part->map->pool.memory, bv->bv_page,
			      part->map->pool.order);
	}
}

/*
 * Step 2, under the lock: @part has at least one page, blocks from @first to
 * @last are free.
 */
static void fill_enter(struct rxc_part *part, struct bvec_iter run,
		       u64 first, u64 last)
{
	struct rxc_io *io = part->io;

	part->busy.first = first;
	part->busy.last = last;
	part->first.io = io;
	part->first.iter = run;
	part->wanted = run.bi_size;
	atomic_inc(&io->pending);
	rxc_busy_enter_fill(&part->map->busy, &part->busy);
}

/*
 * Enters a fill for the front of @iter, *@run, up to *@last or as far as there are
 * pages. Returns false if there is none, or not for all of @iter though it has to
 * be @whole. Context: any, under the lock.
 */
static bool fill_begin(struct rxc_part *part, struct bvec_iter iter, bool whole,
		       u64 *last, struct bvec_iter *run)
{
	struct rxc_map *map = part->map;
	u64 first = rxc_iter_first(map, iter);

	if (!part->bio.bi_vcnt)
		return false;
	*last = min_t(u64, *last, first + part->bio.bi_vcnt - 1);
	*run = rxc_iter_until(map, iter, *last);
	if (whole && run->bi_size < iter.bi_size)
		return false;
	fill_enter(part, *run, first, *last);
	return true;
}

/*
 * Serves the front of *@iter, whose first block is not cached, and moves it
 * on. Context: process, sleeps as @gfp says; if it does not let it sleep it serves
 * all of *@iter or nothing. Returns 0, or if nothing was begun -EEXIST: the first
 * block is cached by now, look there again, or -EAGAIN: that would need to wait.
 */
int rxc_read_miss(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp)
{
	struct rxc_map *map = io->map;
	u64 first = rxc_iter_first(map, *iter);
	struct rxc_part *part = NULL;
	struct rxc_busy_held held;
	struct bvec_iter run;
	bool entered = false, whole = !(gfp & __GFP_DIRECT_RECLAIM);
	u64 last = first, end = rxc_iter_last(map, *iter), blocks, most;
	int met = -ENOENT, err = 0;

	/*
	 * Twice: first to see whether a fill is called for, unless nothing seems to
	 * be in flight there, then with it, and with another look into the index,
	 * where the block was missed a moment ago.
	 */
	for (;;) {
		if (part || !rxc_busy_quiet(&map->busy, first, end)) {
			rxc_busy_lock(&map->busy, first, end, &held);
			met = meet_busy(io, *iter, part, whole, &run, &last);
			entered = met == -ENOENT && part &&
				  fill_begin(part, *iter, whole, &last, &run);
			rxc_busy_unlock(&map->busy, &held);
		}
		if (met != -ENOENT || part)
			break;
		most = fill_most(map, whole);
		blocks = rxc_count_missing(map, *iter, whole ? U64_MAX : most);
		if (whole && blocks < rxc_iter_blocks(map, *iter))
			return -EAGAIN;
		last = first + blocks - 1;
		/* A fill would be split, so refused; the read itself may not be. */
		if (blocks > most)
			break;
		part = fill_new(io, first, last - first + 1, gfp);
		if (!part)
			return -EAGAIN;
	}
	if (entered) {
		fill_trim(part, last - first + 1);
		rxc_io_count(io, RXC_READ_MISS, rxc_iter_blocks(map, run),
			     run.bi_size);
		trace_rxcache_miss(map, first, last - first + 1);
		rxc_origin_read(part);
	} else {
		if (part) {
			fill_trim(part, 0);
			rxc_part_free(part);
		}
		if (met == -EEXIST || met == -EAGAIN)
			return met;
		if (met == -ENOENT) {
			met = RXC_READ_BYPASS_MEMORY;
			run = rxc_iter_until(map, *iter, last);
			if (whole && run.bi_size < iter->bi_size)
				return -EAGAIN;
		}
		if (met)
			err = rxc_bypass_read(io, &run, RXC_BYPASS_UNCACHED, gfp);
		if (err)
			return err;
		blocks = rxc_iter_blocks(map, run);
		rxc_io_count(io, met ?: RXC_READ_JOIN, blocks, run.bi_size);
		if (met)
			trace_rxcache_bypass(map, first, blocks, met);
		else
			trace_rxcache_join(map, first, blocks);
	}
	bio_advance_iter(io->bio, iter, run.bi_size);
	return 0;
}
