// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes, discards, write-zeroes and flushes: all go to the origin, and the
 * bio ends when the origin has ended it.
 *
 *  1. The range of blocks enters the tree of what is in flight (busy.h). From
 *     now on no fill of them can be kept.
 *  2. For each block it is decided whether the cache will hold it afterwards.
 *     If so, the user's bytes are copied once into fresh pool pages (around
 *     them, for a block that is written in part and cached, what the cache
 *     has), and the origin is written from these: what is kept is what was
 *     sent. If not, a cached copy is dropped now and the origin is written
 *     from the user's own pages.
 *  3. The part is sent. Readers find the old copy or, where there is none,
 *     go to the origin; never some this way and some that (busy.h).
 *  4. At its end, if it succeeded and was not raced, the fresh pages take
 *     their place in the index; otherwise all blocks of the range are dropped.
 *     Only then does the range leave the tree and the user's bio end.
 */
#include "rxcache.h"
#include "trace.h"

/* Takes a block out of the cache. Context: any. Returns whether it was there. */
static bool drop_block(struct rxc_map *map, u64 block)
{
	struct rxc_pool *pool = &map->pool;
	struct page *page = rxc_index_remove(pool->index, rxc_map_key(map, block));

	if (!page)
		return false;
	trace_rxcache_invalidate(map, block, 1);
	rxd_pool_free_rcu(pool->memory, page, pool->order);
	return true;
}

bool rxc_invalidate_block(struct rxc_map *map, u64 block)
{
	bool there = drop_block(map, block);

	if (there)
		rxc_count(map, RXC_INVALIDATE, 1);
	return there;
}

/*
 * Drops blocks from the cache, at a cost of min(range, cache). Context:
 * process, may sleep.
 */
static void invalidate(struct rxc_map *map, u64 first, u64 last)
{
	struct rxc_pool *pool = &map->pool;
	u64 block, steps = 0, cursor = 0, dropped = 0;
	struct page *page;

	/* The range is in flight by now: what is not there can't come. */
	if (!rxc_index_may_hold(pool->index, rxc_map_key(map, first),
				rxc_map_key(map, last)))
		return;
	/* Looking one block up costs about as much as looking through one set. */
	if (last - first < rxc_index_sets(pool->index)) {
		for (block = first; block <= last; block++) {
			dropped += drop_block(map, block);
			if (!(++steps % 1024))
				cond_resched();
		}
	} else {
		while (cursor < rxc_index_sets(pool->index)) {
			page = rxc_index_remove_next(pool->index,
						     rxc_map_key(map, first),
						     rxc_map_key(map, last),
						     &cursor);
			if (page) {
				rxd_pool_free_rcu(pool->memory, page,
						  pool->order);
				dropped++;
			}
			cond_resched();
		}
		trace_rxcache_invalidate(map, first, last - first + 1);
	}
	if (dropped)
		rxc_count(map, RXC_INVALIDATE, dropped);
}

/*
 * Empties the cache. What is in flight counts as raced, so that no fill brings
 * back what the origin held before. Context: process, may sleep.
 */
void rxc_drop_all(struct rxc_map *map)
{
	struct rxc_busy all = {
		.last = (map->bytes - 1) >> map->block_shift,
	};

	rxc_busy_enter_write(&map->busy, &all);
	invalidate(map, all.first, all.last);
	rxc_busy_leave(&map->busy, &all);
}

/*
 * A disk that finds out that it has no WRITE SAME says so by its limits, which
 * are not ours; the status alone would be an error to who could write zeroes.
 */
static bool zeroes_refused(const struct rxc_part *part)
{
	return bio_op(&part->bio) == REQ_OP_WRITE_ZEROES &&
	       part->bio.bi_status == BLK_STS_TARGET &&
	       !bdev_write_zeroes_sectors(part->map->origin.bdev);
}

/*
 * Step 4. Context: any. For 256 blocks, which is about the most, some 15 us: less
 * than it takes to have a worker do it.
 */
static void write_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);
	struct rxc_io *io = part->io;
	struct rxc_map *map = part->map;
	bool kept = !rx_pages_empty(&part->kept);
	blk_status_t status;
	u64 block;

	rxc_part_answered(part);
	if (zeroes_refused(part))
		bio->bi_status = BLK_STS_NOTSUPP;
	status = bio->bi_status;
	if (kept)
		rxc_keep_end(part);
	/*
	 * Without kept pages everything was dropped before it was sent, and
	 * nothing has come back. Else the old copies are still there where the
	 * new ones were not stored. If the race begins only now, its other side
	 * drops what it overlaps, for it is raced too.
	 */
	if (kept && (status || READ_ONCE(part->busy.raced)))
		for (block = part->busy.first; block <= part->busy.last; block++)
			rxc_invalidate_block(map, block);
	rxc_busy_leave(&map->busy, &part->busy);
	rxc_part_free(part);
	rxc_io_put(io, status);
}

static void flush_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);
	struct rxc_io *io = part->io;
	blk_status_t status = bio->bi_status;

	rxc_part_answered(part);
	rxc_part_free(part);
	rxc_io_put(io, status);
}

/* Of a part that is no flush, before it is sent. */
static void trace_write(const struct rxc_part *part)
{
	enum rxc_write_kind kind = rx_pages_empty(&part->kept) ? RXC_WRITE_PAST :
								 RXC_WRITE_KEEP;

	if (bio_op(&part->bio) == REQ_OP_DISCARD)
		kind = RXC_WRITE_DISCARD;
	else if (bio_op(&part->bio) == REQ_OP_WRITE_ZEROES)
		kind = RXC_WRITE_ZEROES;
	trace_rxcache_write(part->map, part->busy.first,
			    part->busy.last - part->busy.first + 1, kind);
}

static void part_send(struct rxc_part *part, bio_end_io_t *end)
{
	if (end == write_end)
		trace_write(part);
	part->bio.bi_end_io = end;
	atomic_inc(&part->io->pending);
	rxc_count(part->map, RXC_ORIGIN_WRITES, 1);
	if (bio_op(&part->bio) == REQ_OP_WRITE)
		rxc_count(part->map, RXC_ORIGIN_WRITE_BYTES,
			  part->bio.bi_iter.bi_size);
	submit_bio_noacct(&part->bio);
}

/* Step 1. */
static void enter(struct rxc_part *part, struct bvec_iter iter)
{
	part->kept = (struct rx_pages){};
	rxc_part_range(part, iter);
	rxc_busy_enter_write(&part->map->busy, &part->busy);
}

/* Writes past the cache, from the user's pages. 0 or -EAGAIN. */
static int write_pass(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp)
{
	struct rxc_part *part = rxc_part_clone(io, *iter, &io->map->parts, gfp);

	if (!part)
		return -EAGAIN;
	enter(part, *iter);
	invalidate(io->map, part->busy.first, part->busy.last);
	if (bio_op(io->bio) == REQ_OP_WRITE)
		rxc_count(io->map, RXC_WRITE_BYPASS,
			  part->busy.last - part->busy.first + 1);
	part_send(part, write_end);
	iter->bi_size = 0;
	return 0;
}

static struct rxc_span span_first(const struct rxc_map *map, struct bvec_iter iter)
{
	unsigned int mask = (1U << map->block_shift) - 1;
	struct rxc_span span;

	span.block = rxc_iter_first(map, iter);
	span.offset = rxc_iter_pos(iter) & mask;
	span.len = min(iter.bi_size, mask + 1 - span.offset);
	span.whole = !span.offset && span.len == rxc_block_bytes(map, span.block);
	return span;
}

/* Segments of the user's bio under the next @len bytes; moves on. */
static unsigned int count_segments(struct bio *bio, struct bvec_iter *iter,
				   unsigned int len)
{
	unsigned int n, segments = 0;

	rxc_iter_moved(iter, len);
	for (; len; len -= n, segments++) {
		n = min(len, bio_iter_len(bio, *iter));
		rxc_iter_step(bio, iter, n);
	}
	return segments;
}

/*
 * The longest front of @iter that fits one part, whether its blocks are kept
 * (one vec each) or not (as many as the user's). Sets *@vecs to what it needs.
 */
static struct bvec_iter plan(struct rxc_io *io, struct bvec_iter iter,
			     unsigned int *vecs)
{
	struct bvec_iter run = iter, next = iter;
	struct rxc_span span;
	unsigned int need;

	*vecs = 0;
	run.bi_size = 0;
	while (next.bi_size) {
		span = span_first(io->map, next);
		need = count_segments(io->bio, &next, span.len);
		if (*vecs && *vecs + need > RXC_PART_VECS)
			break;
		*vecs += need;
		run.bi_size += span.len;
	}
	*vecs = min_t(unsigned int, *vecs, RXC_PART_VECS);
	return run;
}

/* Step 2 for one block. @iter moves on. */
static void add_block(struct rxc_part *part, struct bvec_iter *iter,
		      const struct rxc_span *span, struct rxc_hand *hand)
{
	struct rxc_map *map = part->map;
	struct bio *user = part->io->bio;
	unsigned int left = span->len;

	/* Raced from the start: nothing of it can be kept. */
	if (!READ_ONCE(part->busy.raced) && rxc_keep_block(part, iter, span, hand))
		return;
	rxc_invalidate_block(map, span->block);
	rxc_count(map, RXC_WRITE_BYPASS, 1);
	rxc_iter_moved(iter, left);
	while (left) {
		struct bio_vec bv = bio_iter_iovec(user, *iter);
		unsigned int n = min(left, bv.bv_len);

		__bio_add_page(&part->bio, bv.bv_page, n, bv.bv_offset);
		rxc_iter_step(user, iter, n);
		left -= n;
	}
}

/*
 * Writes through, keeping what can be kept. Moves *@iter on. Returns 0, or
 * -EAGAIN if waiting is not allowed and nothing was sent.
 */
static int write_keep(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp)
{
	struct rxc_map *map = io->map;
	struct rxc_hand hand __uninitialized;
	u64 ahead;
	struct bvec_iter run;
	struct rxc_part *part;
	struct rxc_span span;
	unsigned int vecs;

	hand.nr = hand.used = hand.next = 0;
	run = plan(io, *iter, &vecs);
	/*
	 * A bio that may not wait is sent whole or not at all. And a single
	 * block in more pieces than a part has room for goes as it is.
	 */
	if (!(gfp & __GFP_DIRECT_RECLAIM) && run.bi_size < iter->bi_size)
		return -EAGAIN;
	span = span_first(map, run);
	if (span.len == run.bi_size && vecs == RXC_PART_VECS)
		return write_pass(io, iter, gfp);

	part = rxc_part_new(io, vecs, io->bio->bi_opf & ~REQ_POLLED, gfp);
	if (!part)
		return -EAGAIN;
	part->bio.bi_iter.bi_sector = run.bi_sector;
	enter(part, run);
	bio_advance_iter(io->bio, iter, run.bi_size);
	ahead = part->busy.first + 1;
	while (run.bi_size) {
		span = span_first(map, run);
		rxc_prefetch(map, span.block, part->busy.last, &ahead);
		add_block(part, &run, &span, &hand);
	}
	rxc_hand_end(map, &hand);
	part_send(part, write_end);
	return 0;
}

static int send_flush(struct rxc_io *io, gfp_t gfp)
{
	struct rxc_part *part = rxc_part_clone(io, io->bio->bi_iter,
					       &io->map->parts, gfp);

	if (!part)
		return -EAGAIN;
	part_send(part, flush_end);
	return 0;
}

static bool keeps(const struct rxc_map *map, const struct bio *bio)
{
	return bio_op(bio) == REQ_OP_WRITE &&
	       READ_ONCE(map->mode) == RXCACHE_MODE_WRITE_THROUGH;
}

/* Context: process, sleeps unless the bio is REQ_NOWAIT. */
void rxc_write(struct rxc_map *map, struct bio *bio)
{
	unsigned long start = bio_start_io_acct(bio);
	struct bvec_iter iter = bio->bi_iter;
	gfp_t gfp = rxc_bio_gfp(bio);
	struct rxc_io *io;
	int err = 0;

	rxc_count_write(map, bio);
	io = rxc_io_begin(map, bio, start, gfp);
	if (!io) {
		bio_end_io_acct(bio, start);
		bio_wouldblock_error(bio);
		return;
	}
	if (!iter.bi_size)
		err = send_flush(io, gfp);
	while (iter.bi_size && !err)
		err = keeps(map, bio) ? write_keep(io, &iter, gfp) :
					write_pass(io, &iter, gfp);
	if (!err)
		rxc_sample_write(map, bio);
	rxc_io_put(io, err ? BLK_STS_AGAIN : BLK_STS_OK);
}
