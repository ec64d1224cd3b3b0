// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a bio: dispatch, hits, and its end.
 *
 * A bio that memory can serve is copied and ended here, in the submitter's
 * context, and touches nothing else. Otherwise it becomes an io whose parts
 * go to the origin; the last part to end ends the bio. Nothing here waits for
 * I/O: parts may still sit on the submitter's own list.
 *
 * Memory: one io per bio from the mapping's mempool, and parts, see part.c. A
 * write of one part has the io in that; with more, it would keep the first one
 * from those who wait for it until all have ended. Everything else is taken
 * without waiting and done without.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include "copy.h"
#include "rxcache.h"
#include "trace.h"

gfp_t rxc_bio_gfp(const struct bio *bio)
{
	return bio->bi_opf & REQ_NOWAIT ? GFP_NOWAIT | __GFP_NOWARN : GFP_NOIO;
}

void rxc_io_init(struct rxc_io *io, struct rxc_map *map, struct bio *bio,
		 unsigned long start, u64 began)
{
	io->map = map;
	io->bio = bio;
	io->start = start;
	io->began = began;
	io->late.blocks = 0;
	io->late.through = false;
	io->status = BLK_STS_OK;
	atomic_set(&io->pending, 1);
}

struct rxc_io *rxc_io_begin(struct rxc_map *map, struct bio *bio,
			    unsigned long start, gfp_t gfp)
{
	u64 began = ktime_get_ns();
	struct rxc_io *io = mempool_alloc(&map->ios, gfp);

	if (!io)
		return NULL;
	percpu_ref_get(&map->users);
	rxc_io_init(io, map, bio, start, began);
	return io;
}

static void bio_finish(struct rxc_map *map, struct bio *bio,
		       unsigned long start)
{
	/* A refusal to wait is no error: the caller comes back and waits. */
	if (bio->bi_status && bio->bi_status != BLK_STS_AGAIN)
		rxc_count_error(map, op_is_write(bio_op(bio)) ?
				RXC_WRITE_ERRORS : RXC_READ_ERRORS);
	bio_end_io_acct(bio, start);
	bio_endio(bio);
}

/* Ends the bio: nothing of the io is under way any more. Context: any. */
void rxc_io_end(struct rxc_io *io, blk_status_t status)
{
	if (io->bio->bi_opf & REQ_NOWAIT && bio_op(io->bio) == REQ_OP_READ)
		rxc_io_count_late(io, status);
	if (status)
		io->bio->bi_status = status;
	else
		rxc_latency_add_io(io);
	bio_finish(io->map, io->bio, io->start);
}

/* Ends one part or wait of an io, and with the last the bio. Context: any. */
void rxc_io_put(struct rxc_io *io, blk_status_t status)
{
	struct rxc_map *map = io->map;

	if (status)
		cmpxchg(&io->status, BLK_STS_OK, status);
	if (!atomic_dec_and_test(&io->pending))
		return;
	rxc_io_end(io, io->status);
	/*
	 * Nobody else knows the io: each part and each wait has dropped its
	 * share. The mapping, and so the mempool, lives until the last put.
	 */
	mempool_free(io, &map->ios);
	percpu_ref_put(&map->users);
}

/*
 * Copies cached blocks from the front of @iter. Returns how many. A block with a
 * memory error is none, and leaves the cache.
 */
static unsigned int read_hits(struct rxc_map *map, struct bio *bio,
			      struct bvec_iter *iter)
{
	u64 first = rxc_iter_first(map, *iter), last = rxc_iter_last(map, *iter);
	unsigned int mask = (1U << map->block_shift) - 1;
	u64 block = first, ahead = first + 1;
	unsigned int offset, len;
	struct page *page;
	bool whole;

	for (; iter->bi_size; block++) {
		rxc_prefetch(map, block, last, &ahead);
		page = rxc_index_get(map->pool.index, rxc_map_key(map, block), true);
		if (!page)
			break;
		offset = rxc_iter_pos(*iter) & mask;
		len = min(iter->bi_size, mask + 1 - offset);
		whole = rxc_copy_to_bio(bio, iter, page, offset, len, false);
		rxc_page_put(page);
		if (unlikely(!whole)) {
			rxc_pool_drop_bad(map, block);
			break;
		}
	}
	return block - first;
}

/*
 * Copies cached blocks from the front of @iter, and counts them. Returns whether
 * there were any. Context: process.
 */
bool rxc_read_hits(struct rxc_map *map, struct bio *bio, struct bvec_iter *iter)
{
	u64 first = rxc_iter_first(map, *iter);
	unsigned int size = iter->bi_size, hits = read_hits(map, bio, iter);

	if (!hits)
		return false;
	rxc_count(map, RXC_READ_HIT, hits);
	rxc_count(map, RXC_READ_HIT_BYTES, size - iter->bi_size);
	trace_rxcache_hit(map, first, hits);
	return true;
}

/* A read that must not wait, of which nothing was sent. Context: any. */
void rxc_read_refuse(struct rxc_map *map, struct bio *bio, unsigned long start)
{
	rxc_count(map, RXC_READ_AGAIN, 1);
	bio->bi_status = BLK_STS_AGAIN;
	bio_finish(map, bio, start);
}

/* In bypass mode: as if there were no cache. */
static void read_past(struct rxc_map *map, struct bio *bio)
{
	unsigned long start = bio_start_io_acct(bio);
	struct bvec_iter iter = bio->bi_iter;
	u64 first = rxc_iter_first(map, iter);
	u64 blocks = rxc_iter_last(map, iter) - first + 1;
	gfp_t gfp = rxc_bio_gfp(bio);
	struct rxc_io *io = rxc_io_begin(map, bio, start, gfp);

	if (!io) {
		rxc_read_refuse(map, bio, start);
		return;
	}
	if (rxc_bypass_read(io, &iter, RXC_BYPASS_ALL, gfp)) {
		rxc_io_put(io, BLK_STS_AGAIN);
		return;
	}
	if (bio->bi_opf & REQ_NOWAIT)
		io->late.kind = RXC_READ_NONE;
	else
		rxc_count(map, RXC_READ_NONE, 1);
	rxc_io_count(io, RXC_READ_BYPASS_MODE, blocks, iter.bi_size);
	trace_rxcache_bypass(map, first, blocks, RXC_READ_BYPASS_MODE);
	rxc_io_put(io, BLK_STS_OK);
}

/* When a hit that is to be timed begins, else 0. The read may be no hit. */
static u64 hit_began(const struct rxc_map *map)
{
	return this_cpu_read(map->stats->count[RXC_READ_FULL]) %
	       RXC_HITS_TIMED ? 0 : ktime_get_ns();
}

/*
 * What is looked at of a few reads alone: of those that memory served whole the
 * ones that are timed, of the others as many.
 */
void rxc_read_note(struct rxc_map *map, const struct bio *bio,
		   enum rxc_stat kind, u64 began)
{
	if (kind != RXC_READ_FULL) {
		if (this_cpu_read(map->stats->count[kind]) % RXC_HITS_TIMED == 1)
			rxc_source_look(map, bio);
	} else if (unlikely(began)) {
		rxc_latency_add(map, RXC_LATENCY_HIT, ktime_get_ns() - began);
		rxc_source_look(map, bio);
	}
}

static void read_through(struct rxc_map *map, struct bio *bio)
{
	u64 began = hit_began(map);
	unsigned long start = bio_start_io_acct(bio);
	struct bvec_iter iter = bio->bi_iter;
	enum rxc_stat kind = RXC_READ_FULL;
	bool any_hit = false;
	struct rxc_io *io = NULL;

	while (iter.bi_size) {
		any_hit |= rxc_read_hits(map, bio, &iter);
		if (!iter.bi_size)
			break;
		if (bio->bi_opf & REQ_NOWAIT) {
			rxc_read_nowait(map, bio, iter, start, any_hit);
			return;
		}
		if (!io)
			io = rxc_io_begin(map, bio, start, GFP_NOIO);
		/* It waits if need be, and then has begun something or finds a hit. */
		if (!rxc_read_miss(io, &iter, GFP_NOIO))
			kind = RXC_READ_NONE;
	}
	if (kind == RXC_READ_NONE && any_hit)
		kind = RXC_READ_PARTIAL;
	rxc_count(map, kind, 1);
	/* Most hits are neither timed nor looked at. */
	if (unlikely(began) || kind != RXC_READ_FULL)
		rxc_read_note(map, bio, kind, began);
	rxc_sample_served(map, bio);
	if (io)
		rxc_io_put(io, BLK_STS_OK);
	else
		bio_finish(map, bio, start);
}

static void bio_fail(struct bio *bio, blk_status_t status)
{
	bio->bi_status = status;
	bio_endio(bio);
}

/*
 * Context: process, may sleep. The block layer holds the queue's usage counter
 * for the time of this call, so the mapping can't be freed under it.
 */
void rxc_submit_bio(struct bio *bio)
{
	struct rxc_map *map = bio->bi_bdev->bd_disk->private_data;

	if (unlikely(READ_ONCE(map->dead)) || rx_claim_gone(&map->origin)) {
		rxc_origin_note_dead(map);
		rxc_count(map, op_is_write(bio_op(bio)) ? RXC_WRITE_ERRORS :
							  RXC_READ_ERRORS, 1);
		bio_io_error(bio);
		return;
	}
	rxc_recent_note(map);
	/* A request without data, a flush, has nothing to split. */
	if (bio->bi_iter.bi_size) {
		bio = bio_split_to_limits(bio);
		if (!bio)
			return;
	}
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		if (READ_ONCE(map->mode) == RXCACHE_MODE_BYPASS)
			read_past(map, bio);
		else
			read_through(map, bio);
		return;
	case REQ_OP_WRITE:
	case REQ_OP_FLUSH:
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
		/* 6.1 only warns of a write to a disk that is read-only. */
		if (map->read_only && bio->bi_iter.bi_size)
			bio_io_error(bio);
		else
			rxc_write(map, bio);
		return;
	default:
		bio_fail(bio, BLK_STS_NOTSUPP);
	}
}
