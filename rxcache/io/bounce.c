// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts with pages that can't be sent to the origin.
 *
 * A device splits bios to its own limits, between logical blocks. A split does not
 * help if one logical block is in more buffers than the device has segments, or if
 * there is a gap between two buffers where the device takes none (its virt_boundary).
 * The device answers with EINVAL. The cache takes these buffers: a hit is a copy, to
 * which no limit of the origin matters, and the success of a request may not depend
 * on the cached blocks. So the rare part with these buffers is sent in pieces, each
 * from a buffer of the cache's own, and the bytes are copied.
 *
 * Memory: first a piece and then its buffer are taken, from two mempools. A task that
 * waits for either must have sent all earlier pieces, or it might wait for itself.
 * Within submit_bio() a submitted bio only joins the submitter's list, so there the
 * cache's queue of retries does the work. Neither that queue's other work nor
 * the end of a piece waits for this work.
 */
#include <linux/ioprio.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include "cache.h"
#include "compat.h"
#include "io/bounce.h"
#include "io/copy.h"
#include "io/part.h"

/**
 * struct rxc_bounce - a piece of a part that is sent from a buffer of the cache's own
 * @part: the part; its bio ends with the last of its pieces
 * @page: the buffer, 2^rxc_bounces.order pages
 * @iter: the bytes of the part's bio that go through the buffer
 * @vec: the buffer, for @bio
 * @bio: goes to the origin
 */
struct rxc_bounce {
	struct rxc_part *part;
	struct page *page;
	struct bvec_iter iter;
	struct bio_vec vec;
	struct bio bio;
};

/* The buffers of a cache have at most this many bytes together. */
#define ROOM_BYTES SZ_8M

static void *buffer_alloc(gfp_t gfp, void *bounces)
{
	unsigned int order = ((struct rxc_bounces *)bounces)->order;

	/* Compound: an origin's driver may take references on each page. */
	return alloc_pages(gfp | (order ? __GFP_COMP : 0), order);
}

static void buffer_free(void *page, void *bounces)
{
	__free_pages(page, ((struct rxc_bounces *)bounces)->order);
}

int rxc_bounce_init(struct rxc_cache *cache)
{
	struct rxc_bounces *bounces = &cache->bounces;
	unsigned int lbs = bdev_logical_block_size(cache->origin.bdev);
	int err;

	bounces->order = get_order(lbs);
	sema_init(&bounces->room, ROOM_BYTES >> (PAGE_SHIFT + bounces->order));
	err = mempool_init_kmalloc_pool(&bounces->pieces, BIO_POOL_SIZE,
					sizeof(struct rxc_bounce));
	return err ?: mempool_init(&bounces->pages, BIO_POOL_SIZE, buffer_alloc,
				   buffer_free, bounces);
}

/*
 * Also called for a cache that never began. All pieces have ended, because each part
 * holds rxc_cache.users until then.
 */
void rxc_bounce_exit(struct rxc_cache *cache)
{
	mempool_exit(&cache->bounces.pages);
	mempool_exit(&cache->bounces.pieces);
}

/* A device with a virt_boundary takes gaps only at multiples of that boundary. */
static bool gap_between(const struct bio_vec *prev, const struct bio_vec *next,
			unsigned long boundary)
{
	return (prev->bv_offset + prev->bv_len) & boundary ||
	       next->bv_offset & boundary;
}

/*
 * Returns whether the origin may find no place to split a part between two logical
 * blocks. A part in a single buffer is always sent whole, because the origin takes the
 * buffer as it would take it from the user's bio. Otherwise each buffer counts as two
 * segments in its logical block, because it may cross a limit there. Context: any.
 */
bool rxc_bounce_wanted(const struct rxc_part *part)
{
	struct request_queue *q = bdev_get_queue(part->bio.bi_bdev);
	unsigned int lbs = queue_logical_block_size(q), most = queue_max_segments(q);
	unsigned long boundary = queue_virt_boundary(q);
	unsigned int at = 0, pieces = 0, end;
	struct bio_vec bv, prev = {};
	struct bvec_iter iter;

	/* An atomic write in pieces would not be atomic, so the origin may refuse it. */
	if (rx_bio_atomic(&part->bio) ||
	    (bio_op(&part->bio) != REQ_OP_READ && bio_op(&part->bio) != REQ_OP_WRITE))
		return false;
	bio_for_each_bvec(bv, &part->bio, iter) {
		/* The buffer begins at byte @at of a logical block. */
		pieces = at ? pieces + 1 : 1;
		if (at && (2 * pieces > most || gap_between(&prev, &bv, boundary)))
			return true;
		end = at + bv.bv_len;
		/* The logical block at the buffer's end has no other buffer so far. */
		if (end > lbs)
			pieces = 1;
		at = end % lbs;
		prev = bv;
	}
	return false;
}

/* Context: any. Copies at most one buffer, the larger of a page and a logical block. */
static void bounce_end(struct bio *bio)
{
	struct rxc_bounce *bounce = container_of(bio, struct rxc_bounce, bio);
	struct rxc_part *part = bounce->part;
	struct rxc_cache *cache = part->cache;
	unsigned int len = bounce->iter.bi_size;

	if (bio->bi_status)
		cmpxchg(&part->bio.bi_status, BLK_STS_OK, bio->bi_status);
	else if (bio_op(bio) == REQ_OP_READ &&
		 !rxc_copy_to_bio(&part->bio, &bounce->iter, bounce->page, 0, len))
		cmpxchg(&part->bio.bi_status, BLK_STS_OK, BLK_STS_IOERR);
	/* The origin has ended the piece, and nothing else refers to it. */
	bio_uninit(bio);
	mempool_free(bounce->page, &cache->bounces.pages);
	mempool_free(bounce, &cache->bounces.pieces);
	up(&cache->bounces.room);
	/* The part ends with its last piece, and may then be gone. */
	bio_endio(&part->bio);
}

/*
 * Makes the next piece and moves @iter on. Context: process, sleeps; not within
 * submit_bio(), so that no bio of the cache waits on the task's list.
 */
static struct rxc_bounce *bounce_new(struct rxc_part *part, struct bvec_iter *iter)
{
	struct rxc_cache *cache = part->cache;
	struct bio *whole = &part->bio;
	unsigned int len = min_t(unsigned int, iter->bi_size,
				 PAGE_SIZE << cache->bounces.order);
	struct rxc_bounce *bounce;

	/* A holder of room waits only for the origin, which may take long. */
	while (down_timeout(&cache->bounces.room, 5 * HZ))
		;
	bounce = mempool_alloc(&cache->bounces.pieces, GFP_NOIO);
	bounce->part = part;
	bounce->page = mempool_alloc(&cache->bounces.pages, GFP_NOIO);
	bounce->iter = *iter;
	bounce->iter.bi_size = len;
	/* This task may wait, so the origin must not refuse a piece for waiting. */
	bio_init(&bounce->bio, NULL, &bounce->vec, 1, whole->bi_opf & ~REQ_NOWAIT);
	bounce->bio.bi_bdev = whole->bi_bdev;
	bio_clone_blkg_association(&bounce->bio, whole);
	bounce->bio.bi_ioprio = whole->bi_ioprio;
	rx_bio_copy_hint(&bounce->bio, whole);
	bounce->bio.bi_iter.bi_sector = iter->bi_sector;
	bounce->bio.bi_end_io = bounce_end;
	__bio_add_page(&bounce->bio, bounce->page, len, 0);
	if (bio_op(whole) == REQ_OP_WRITE)
		rxc_copy_from_bio(whole, iter, bounce->page, 0, len);
	else
		bio_advance_iter(whole, iter, len);
	return bounce;
}

static void bounce_work(struct work_struct *work)
{
	struct rxc_part *part = container_of(work, struct rxc_part, work);
	struct bvec_iter iter = part->bio.bi_iter;
	struct rxc_bounce *bounce;

	while (iter.bi_size) {
		bounce = bounce_new(part, &iter);
		bio_inc_remaining(&part->bio);
		rxc_part_submit(part, &bounce->bio);
	}
	bio_endio(&part->bio);
}

/*
 * Sends a part in pieces: its bio is not submitted, but ends as if it had been.
 * Context: process; sleeps only outside submit_bio(), where it holds no bio back.
 */
void rxc_bounce_part(struct rxc_part *part)
{
	INIT_WORK(&part->work, bounce_work);
	/* Otherwise the block layer would give the pieces the worker's priority. */
	if (IOPRIO_PRIO_CLASS(part->bio.bi_ioprio) == IOPRIO_CLASS_NONE)
		part->bio.bi_ioprio = get_current_ioprio();
	if (current->bio_list)
		queue_work(part->cache->retry_wq, &part->work);
	else
		bounce_work(&part->work);
}
