// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes, discards, write-zeroes and flushes: all go to the origin, and the
 * bio ends when the origin has ended it.
 *
 *  1. The range of blocks enters the tree of ranges in flight (busy.h). From
 *     now on no fill of these blocks can be kept.
 *  2. For each block the write decides whether the cache will hold it afterwards.
 *     If so, the user's bytes are copied once into fresh pool pages. A cached
 *     block that is written in part has its other bytes copied from the cache.
 *     The origin is written from these pages, so the cache keeps the bytes that
 *     were sent. If the cache will not hold the block, a cached copy is dropped
 *     now, and the origin is written from the user's own pages.
 *  3. The part is sent. Readers find the old copy or, if there is none, go to the
 *     origin. No reader finds the old copy after another went there (busy.h).
 *  4. At the part's end, if it succeeded and was not raced, the fresh pages take
 *     their place in the index; otherwise all blocks of the range are dropped.
 *     Only then does the range leave the tree and the user's bio end.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>
#include <rx/pages.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/busy.h"
#include "cache.h"
#include "compat.h"
#include "figures/sampler.h"
#include "figures/stats.h"
#include "io/bounce.h"
#include "io/fill.h"
#include "io/io.h"
#include "io/keep.h"
#include "io/origin.h"
#include "io/part.h"
#include "io/segments.h"
#include "io/write.h"
#include "memory/pool.h"
#include "trace.h"

/*
 * Returns whether the origin has found out that it has no WRITE SAME. Then only the
 * origin's limits change, not the cache's. So the status alone would be an error to a
 * caller that could write zeroes itself.
 */
static bool zeroes_refused(const struct rxc_part *part)
{
	return bio_op(&part->bio) == REQ_OP_WRITE_ZEROES &&
	       part->bio.bi_status == BLK_STS_TARGET &&
	       !bdev_write_zeroes_sectors(part->cache->origin.bdev);
}

/*
 * Ends a part that is not in the tree, and with the last part the bio. Nothing else
 * refers to an io within a part: the submitter has not used the io since the part was
 * sent, and there is no other part.
 */
static void write_done(struct rxc_part *part, blk_status_t status)
{
	struct rxc_io *io = part->io;

	/* The writer may come back at once, and want as many pages. */
	rxc_part_unhold(part, part->held);
	if (io == &part->own) {
		rxc_io_end(io, status);
		rxc_part_free(part);
	} else {
		rxc_part_free(part);
		rxc_io_put(io, status);
	}
}

/* A write of more bytes that keeps blocks does not end with interrupts off. */
enum { IRQ_BYTES_MAX = SZ_128K };

/* Step 4. Context: any. */
static void write_finish(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct bio *bio = &part->bio;
	bool kept = !rx_pages_empty(&part->kept);
	u64 block;

	if (zeroes_refused(part))
		bio->bi_status = BLK_STS_NOTSUPP;
	if (!kept || !rxc_keep_end(part)) {
		/*
		 * Without kept pages all copies were dropped before the part was
		 * sent, and none has come back. With kept pages, new copies may
		 * have been stored before another write raced this one. A write
		 * that enters only from now on drops the blocks of the overlap,
		 * because it is raced, too.
		 */
		if (kept && (bio->bi_status || READ_ONCE(part->busy.raced)))
			for (block = part->busy.first; block <= part->busy.last;
			     block++)
				rxc_pool_drop(cache, block);
		rxc_busy_leave(&cache->busy, &part->busy);
	}
	/* A refused write comes again. */
	if (part->bypassed && bio->bi_status != BLK_STS_AGAIN)
		rxc_count(cache, RXC_WRITE_BYPASS, part->bypassed);
	write_done(part, bio->bi_status);
}

static void write_end_work(struct work_struct *work)
{
	write_finish(container_of(work, struct rxc_part, work));
}

/*
 * Storing 256 blocks, about the maximum, and evicting as many takes up to 186,000
 * instructions, too long for an interrupt. The bound holds for one write: if an origin
 * ends several in one interrupt, their costs add up, as with any stacked driver. A
 * refusal to wait ends the write where the origin answered, see retry.c. Context: any.
 */
static void write_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);
	u64 blocks = part->busy.last - part->busy.first + 1;

	rxc_origin_answered(part);
	if (irqs_disabled() && !rx_pages_empty(&part->kept) &&
	    bio->bi_status != BLK_STS_AGAIN &&
	    blocks << part->cache->block_shift > IRQ_BYTES_MAX) {
		INIT_WORK(&part->work, write_end_work);
		queue_work(rxc_end_wq, &part->work);
	} else {
		write_finish(part);
	}
}

static void flush_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);

	rxc_origin_answered(part);
	write_done(part, bio->bi_status);
}

/* Traces a part that is no flush, before it is sent. */
static void trace_write(const struct rxc_part *part)
{
	enum rxc_write_kind kind = rx_pages_empty(&part->kept) ? RXC_WRITE_PAST :
								 RXC_WRITE_KEEP;

	if (bio_op(&part->bio) == REQ_OP_DISCARD)
		kind = RXC_WRITE_DISCARD;
	else if (bio_op(&part->bio) == REQ_OP_WRITE_ZEROES)
		kind = RXC_WRITE_ZEROES;
	trace_rxcache_write(part->cache, part->busy.first,
			    part->busy.last - part->busy.first + 1, kind);
}

static void write_send(struct rxc_part *part)
{
	part->bio.bi_end_io = part->bio.bi_iter.bi_size ? write_end : flush_end;
	if (part->bio.bi_end_io == write_end)
		trace_write(part);
	rxc_origin_write(part);
}

/* Step 1. */
static void write_enter(struct rxc_part *part, struct bvec_iter iter)
{
	part->kept = (struct rx_pages){};
	rxc_part_range(part, iter);
	rxc_busy_enter_write(&part->cache->busy, &part->busy);
}

/**
 * struct write - a write that is being sent
 * @cache: the cache
 * @bio: the user's bio
 * @start: for I/O accounting
 * @began: as in rxc_io
 * @gfp: whether the write may wait
 * @io: the io of all its parts, or NULL if the write is one part
 * @iter: the rest of @bio, which has not been sent
 * @run: the front of @iter that the next part takes
 * @vecs: bio_vecs of the next part; 0: it carries the user's own pages
 */
struct write {
	struct rxc_cache *cache;
	struct bio *bio;
	unsigned long start;
	u64 began;
	gfp_t gfp;
	struct rxc_io *io;
	struct bvec_iter iter;
	struct bvec_iter run;
	unsigned int vecs;
};

static struct rxc_span span_first(const struct rxc_cache *cache, struct bvec_iter iter)
{
	unsigned int mask = (1U << cache->block_shift) - 1;
	struct rxc_span span;

	span.block = rxc_iter_first(cache, iter);
	span.offset = rxc_iter_pos(iter) & mask;
	span.len = min(iter.bi_size, mask + 1 - span.offset);
	span.whole = !span.offset && span.len == rxc_block_bytes(cache, span.block);
	return span;
}

/* Counts the segments of the user's bio in the next @len bytes, and moves @iter on. */
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
 * Returns whether a write that must not wait may fit into one request if its @blocks blocks
 * are kept. A kept block takes segments of its own, whatever the user's buffers are. The
 * pages of two blocks are two segments, unless they lie together by chance.
 */
static bool plan_fits(const struct write *w, unsigned int blocks)
{
	const struct request_queue *q = bdev_get_queue(w->cache->origin.bdev);

	return blocks * rxc_segments_block(w->cache) <= queue_max_segments(q) &&
	       rxc_segments_hold(w->cache, w->bio);
}

/*
 * Plans the next part, if blocks are to be kept. The part takes the longest front that
 * fits, whether a block will be kept (one vec) or not (as many vecs as in the user's
 * bio). If not even the first block fits, the whole rest goes from the user's pages. So
 * does a write that must not wait, if the origin may not take the kept pages as one
 * request: the bare disk might serve it.
 */
static void write_plan(struct write *w)
{
	struct bvec_iter next = w->iter;
	struct rxc_span span;
	unsigned int need, blocks = 0;

	w->run = w->iter;
	w->run.bi_size = 0;
	w->vecs = 0;
	while (next.bi_size) {
		span = span_first(w->cache, next);
		need = count_segments(w->bio, &next, span.len);
		if (w->vecs + need > RXC_PART_VECS)
			break;
		w->run.bi_size += span.len;
		w->vecs += need;
		blocks++;
	}
	/* Such a write is one part, if necessary of the user's own pages. */
	if ((rx_bio_atomic(w->bio) || w->bio->bi_opf & REQ_NOWAIT) &&
	    w->run.bi_size < w->iter.bi_size)
		w->vecs = 0;
	if (w->bio->bi_opf & REQ_NOWAIT && !plan_fits(w, blocks))
		w->vecs = 0;
	if (!w->vecs)
		w->run = w->iter;
}

/*
 * Step 2 for one block; moves @iter on. Returns false, with nothing done, if the block
 * can't be kept and the write is atomic: a part with both fresh pages and the user's
 * own might need a split.
 */
static bool write_add_block(struct rxc_part *part, struct bvec_iter *iter,
			    const struct rxc_span *span, struct rxc_hand *hand)
{
	struct rxc_cache *cache = part->cache;
	struct bio *user = part->io->bio;
	unsigned int left = span->len;

	/* A write that was raced from the start can keep no block. */
	if (!READ_ONCE(part->busy.raced) && rxc_keep_block(part, iter, span, hand))
		return true;
	if (rx_bio_atomic(user))
		return false;
	rxc_pool_drop(cache, span->block);
	part->bypassed++;
	part->users_pages = true;
	rxc_iter_moved(iter, left);
	while (left) {
		struct bio_vec bv = bio_iter_iovec(user, *iter);
		unsigned int n = min(left, bv.bv_len);

		__bio_add_page(&part->bio, bv.bv_page, n, bv.bv_offset);
		rxc_iter_step(user, iter, n);
		left -= n;
	}
	return true;
}

static void write_set_io(struct rxc_part *part, const struct write *w)
{
	part->bypassed = 0;
	part->io = w->io ?: &part->own;
	if (w->io)
		atomic_inc(&w->io->pending);
	else
		rxc_io_init(&part->own, w->cache, w->bio, w->start, w->began);
}

/*
 * Makes the next part, from fresh pages where it can. Returns NULL if it would have to
 * wait, or with @w->vecs at 0 if the write has to be one request and can't be kept so.
 */
static struct rxc_part *write_keep(struct write *w)
{
	struct rxc_cache *cache = w->cache;
	struct bvec_iter run = w->run;
	struct rxc_hand hand __uninitialized;
	struct rxc_part *part;
	struct rxc_span span;
	bool all = true;
	u64 ahead;

	part = rxc_part_new(cache, w->bio, w->vecs, w->bio->bi_opf & ~REQ_POLLED,
			    w->gfp, &cache->parts);
	if (!part)
		return NULL;
	write_set_io(part, w);
	part->bio.bi_iter.bi_sector = run.bi_sector;
	write_enter(part, run);
	part->was_frozen = READ_ONCE(cache->frozen);
	bio_advance_iter(w->bio, &w->iter, run.bi_size);
	part->head_whole = span_first(cache, run).whole;
	ahead = part->busy.first + 1;
	rxc_hand_begin(&hand);
	while (run.bi_size && all) {
		span = span_first(cache, run);
		rcu_read_lock();
		rxc_prefetch(cache, span.block, part->busy.last, &ahead);
		rcu_read_unlock();
		all = write_add_block(part, &run, &span, &hand);
	}
	part->tail_whole = span.whole;
	rxc_hand_end(part, &hand);
	if (all && (!(w->bio->bi_opf & REQ_NOWAIT) || rxc_segments_fit(cache, &part->bio)))
		return part;
	rxc_keep_undo(part);
	w->iter = w->run;
	w->vecs = 0;
	return NULL;
}

/*
 * Returns whether the origin is known to refuse the part. Then nothing is sent, so that no
 * cached block has to be dropped for it. A driver that gets bios may take more than its
 * limits say.
 */
static bool write_is_refused(const struct write *w, const struct rxc_part *part)
{
	return w->bio->bi_opf & REQ_NOWAIT && w->iter.bi_size &&
	       bio_op(w->bio) == REQ_OP_WRITE &&
	       queue_is_mq(bdev_get_queue(w->cache->origin.bdev)) &&
	       !rxc_bounce_wanted(part) && !rxc_segments_fit(w->cache, &part->bio);
}

/*
 * Makes the last part, which writes the user's pages past the cache; a flush has no
 * blocks. Returns NULL if it would have to wait.
 */
static struct rxc_part *write_pass(struct write *w)
{
	struct rxc_cache *cache = w->cache;
	struct rxc_part *part = rxc_part_clone(cache, w->bio, w->iter,
					       &cache->parts, w->gfp);

	if (!part)
		return NULL;
	if (write_is_refused(w, part)) {
		rxc_part_free(part);
		return NULL;
	}
	write_set_io(part, w);
	if (!w->iter.bi_size)
		return part;
	write_enter(part, w->iter);
	rxc_pool_drop_range(cache, part->busy.first, part->busy.last);
	if (bio_op(w->bio) == REQ_OP_WRITE)
		part->bypassed = part->busy.last - part->busy.first + 1;
	w->iter.bi_size = 0;
	return part;
}

static bool write_keeps(const struct rxc_cache *cache, const struct bio *bio)
{
	return bio_op(bio) == REQ_OP_WRITE &&
	       READ_ONCE(cache->mode) == RXCACHE_MODE_WRITE_THROUGH;
}

/* Serves a write. Context: process, sleeps unless the bio is REQ_NOWAIT. */
void rxc_write(struct rxc_cache *cache, struct bio *bio)
{
	struct write w = {
		.cache = cache,
		.bio = bio,
		.start = bio_start_io_acct(bio),
		.began = ktime_get_ns(),
		.gfp = rxc_bio_gfp(bio),
		.iter = bio->bi_iter,
		.run = bio->bi_iter,
	};
	struct rxc_part *part;
	bool sent = false;

	/* If it must not wait, it counts at its end, which tells whether it was refused. */
	if (!(bio->bi_opf & REQ_NOWAIT))
		rxc_count_write(cache, bio);
	if (!rxc_bio_may_go(cache, bio))
		goto would_block;
	if (write_keeps(cache, bio))
		write_plan(&w);
	if (w.run.bi_size < w.iter.bi_size)
		w.io = rxc_io_begin(cache, bio, w.start, w.gfp);
	do {
		part = w.vecs ? write_keep(&w) : NULL;
		if (!w.vecs)
			part = write_pass(&w);
		if (!part)
			goto would_block;
		if (!sent)
			rxc_sample_write(cache, bio);
		sent = true;
		/* The bio may end with the last part, and be gone. */
		write_send(part);
		if (w.iter.bi_size)
			write_plan(&w);
	} while (w.iter.bi_size);
	if (w.io)
		rxc_io_put(w.io, BLK_STS_OK);
	return;

would_block:
	if (w.io) {
		rxc_io_put(w.io, BLK_STS_AGAIN);
	} else {
		bio_end_io_acct(bio, w.start);
		bio_wouldblock_error(bio);
	}
}
