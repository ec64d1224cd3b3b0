// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts, the bios that go to the origin, and the simplest of them: a read past
 * the cache, into the user's own pages.
 *
 * They come from the mapping's bioset, which has a rescuer, so that a part on
 * the submitter's list can't be what the next one waits for.
 */
#include <linux/ktime.h>
#include <trace/events/block.h>
#include "rxcache.h"

static struct rxc_part *part_of(struct rxc_map *map, struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);

	part->map = map;
	part->uncounted = 0;
	part->users_pages = false;
	percpu_ref_get(&map->users);
	return part;
}

/*
 * A part that carries the user's own pages. Its io is for the caller to set, as of
 * the next. NULL if @gfp does not wait.
 */
struct rxc_part *rxc_part_clone(struct rxc_map *map, struct bio *user,
				struct bvec_iter iter, struct bio_set *parts,
				gfp_t gfp)
{
	struct bio *bio = bio_alloc_clone(map->origin.bdev, user, gfp, parts);
	struct rxc_part *part;

	if (!bio)
		return NULL;
	bio->bi_iter = iter;
	bio->bi_opf &= ~REQ_POLLED;
	part = part_of(map, bio);
	part->users_pages = true;
	return part;
}

/* A part that carries pages to be added, for the same cgroup and priority. */
struct rxc_part *rxc_part_new(struct rxc_map *map, struct bio *user,
			      unsigned int vecs, blk_opf_t opf, gfp_t gfp)
{
	/* With a device it would be charged to the submitter's cgroup first. */
	struct bio *bio = bio_alloc_bioset(NULL, vecs, opf, gfp, &map->parts);

	if (!bio)
		return NULL;
	bio->bi_bdev = map->origin.bdev;
	bio_clone_blkg_association(bio, user);
	bio->bi_ioprio = user->bi_ioprio;
	rx_bio_copy_hint(bio, user);
	return part_of(map, bio);
}

/*
 * The part has ended and left the tree, or never entered it, so that no reader
 * can find it; its waiters have been taken away; it is not on a workqueue, for
 * that is where we are or it was not queued. Context: any.
 */
void rxc_part_free(struct rxc_part *part)
{
	struct rxc_map *map = part->map;

	bio_put(&part->bio);
	percpu_ref_put(&map->users);
}

/* Sets the range of a part to the blocks that @iter touches. */
void rxc_part_range(struct rxc_part *part, struct bvec_iter iter)
{
	part->busy.first = rxc_iter_first(part->map, iter);
	part->busy.last = rxc_iter_last(part->map, iter);
}

static void count_read(const struct rxc_part *part, unsigned int bytes)
{
	rxc_count(part->map, RXC_ORIGIN_READS, 1);
	rxc_count(part->map, RXC_ORIGIN_READ_BYTES, bytes);
}

/* Takes down what the origin's answer says of it, whatever becomes of the part. */
void rxc_part_answered(struct rxc_part *part)
{
	blk_status_t status = part->bio.bi_status;

	if (part->uncounted && status != BLK_STS_AGAIN)
		count_read(part, part->uncounted);
	/* A refusal to wait is none of the origin's errors, as in bio_finish(). */
	if (status && status != BLK_STS_AGAIN)
		rxc_count_error(part->map, op_is_write(bio_op(&part->bio)) ?
				RXC_ORIGIN_WRITE_ERRORS : RXC_ORIGIN_READ_ERRORS);
	else if (!status && bio_op(&part->bio) == REQ_OP_READ)
		rxc_latency_add(part->map, RXC_LATENCY_ORIGIN,
				ktime_get_ns() - part->began);
	if (rx_claim_lost(&part->map->origin, status))
		rxc_map_note_dead(part->map);
}

/* What is sent for requests of ours is shown to block tracing as theirs. */
void rxc_origin_submit(struct rxc_map *map, struct bio *bio)
{
	trace_block_bio_remap(bio, disk_devt(map->disk), bio->bi_iter.bi_sector);
	submit_bio_noacct(bio);
}

/* Sends a part to the origin, which may not take all buffers that the device takes. */
void rxc_part_send(struct rxc_part *part)
{
	if (part->users_pages && rxc_bounce_wanted(part))
		rxc_bounce_part(part);
	else
		rxc_origin_submit(part->map, &part->bio);
}

/* Sends a read to the origin. One that it refuses to wait for does not count. */
void rxc_part_read(struct rxc_part *part)
{
	if (part->bio.bi_opf & REQ_NOWAIT)
		part->uncounted = part->bio.bi_iter.bi_size;
	else
		count_read(part, part->bio.bi_iter.bi_size);
	part->began = ktime_get_ns();
	rxc_part_send(part);
}

static void bypass_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);
	struct rxc_io *io = part->io;
	blk_status_t status = bio->bi_status;

	rxc_part_answered(part);
	rxc_busy_leave(&part->map->busy, &part->busy);
	rxc_part_free(part);
	rxc_io_put(io, status);
}

/* Cuts @iter to the blocks at its front that are not cached. */
static struct bvec_iter iter_uncached(struct rxc_map *map,
				      struct bvec_iter iter)
{
	u64 block = rxc_iter_first(map, iter), last = rxc_iter_last(map, iter);
	u64 begin = rxc_iter_pos(iter);

	for (; block <= last; block++)
		if (rxc_index_has(map->pool.index, rxc_map_key(map, block)))
			break;
	if (block <= last)
		iter.bi_size = max(block << map->block_shift, begin) - begin;
	return iter;
}

/* As rxc_read_bypass() says. */
static int cut_cached(struct rxc_map *map, struct bvec_iter *iter, gfp_t gfp)
{
	struct bvec_iter cut = iter_uncached(map, *iter);

	if (!cut.bi_size)
		return -EEXIST;
	if (cut.bi_size < iter->bi_size && !(gfp & __GFP_DIRECT_RECLAIM))
		return -EAGAIN;
	*iter = cut;
	return 0;
}

static void drop_cached(struct rxc_map *map, struct bvec_iter iter)
{
	u64 block, last = rxc_iter_last(map, iter);

	if (!rxc_index_used(map->pool.index))
		return;
	for (block = rxc_iter_first(map, iter); block <= last; block++)
		rxc_pool_drop(map, block);
}

/*
 * Reads past the cache, with the flags of the user's bio. No cached block is
 * read past, see busy.h: with RXC_BYPASS_UNCACHED *@iter is cut to what comes
 * before the first of them, with RXC_BYPASS_ALL they are dropped; a retry has
 * a range in the tree that makes writes drop them, and may wait. Context: process,
 * sleeps as @gfp says; if it does not let it sleep *@iter is never cut. 0, or, if
 * nothing was done, -EAGAIN, or -EEXIST: the first block is cached.
 */
int rxc_read_bypass(struct rxc_io *io, struct bvec_iter *iter,
		    enum rxc_bypass how, gfp_t gfp)
{
	struct rxc_busy_tree *busy = &io->map->busy;
	struct rxc_map *map = io->map;
	struct rxc_part *part = rxc_part_clone(map, io->bio, *iter,
					       how == RXC_BYPASS_RETRY ?
					       &map->retries : &map->parts, gfp);
	int err = 0;

	if (!part)
		return -EAGAIN;
	part->io = io;
	part->bio.bi_end_io = bypass_end;
	if (how == RXC_BYPASS_RETRY) {
		/* Else the readers of one fill become one request again, and fail as one. */
		part->bio.bi_opf |= REQ_NOMERGE;
		/* The caller has gone long since, and nobody waits here for him. */
		part->bio.bi_opf &= ~REQ_NOWAIT;
	}
	rxc_part_range(part, *iter);
	rxc_busy_enter_bypass(busy, &part->busy);
	/* In this order, see busy.h. A range that is then too wide does no harm. */
	if (how == RXC_BYPASS_UNCACHED)
		err = cut_cached(map, iter, gfp);
	else if (how == RXC_BYPASS_ALL)
		drop_cached(map, *iter);
	if (err) {
		rxc_busy_leave(busy, &part->busy);
		rxc_part_free(part);
		return err;
	}
	part->bio.bi_iter.bi_size = iter->bi_size;
	atomic_inc(&io->pending);
	rxc_part_read(part);
	return 0;
}
