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
 * Memory: first a piece and then its buffer are taken, from two mempools, whose reserve
 * comes back when pieces end at the origin.
 * Within submit_bio() a submitted bio only joins the submitter's list, so the pieces are
 * sent by works. A work may sleep in the origin, for as long as this holds the bio's cgroup
 * back (io.cost). A part that finds no room for its next piece waits without a work. So a
 * holder (inflight.h) leaves room and works to others: it has half of the pieces at most,
 * and each processor may have more works than there are pieces. Only where no threads can
 * be made, the queue's single rescuer is held back with what it sends.
 */
#include <linux/ioprio.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include "cache.h"
#include "compat.h"
#include "io/bounce.h"
#include "io/copy.h"
#include "io/part.h"
#include "speed.h"

/**
 * struct rxc_bounce - a piece of a part that is sent from a buffer of the cache's own
 * @part: the part; its bio ends with the last of its pieces
 * @holder: counts the piece
 * @page: the buffer, 2^rxc_bounces.order pages
 * @iter: the bytes of the part's bio that go through the buffer
 * @vec: the buffer, for @bio
 * @bio: goes to the origin
 */
struct rxc_bounce {
	struct rxc_part *part;
	struct rxc_holder *holder;
	struct page *page;
	struct bvec_iter iter;
	struct bio_vec vec;
	struct bio bio;
};

enum {
	/* Of a cache: buffers of 1 MiB together, or of 16 MiB if pages or logical blocks have 64 KiB. */
	PIECES_MAX = 256,
	/* Of a processor. Of an unbound queue, kernels from 6.9 on share the bound out to nodes. */
	WORKS_MAX = 2 * PIECES_MAX,
	/* How many parts get room while interrupts are off. */
	MORE_MAX = 32,
};

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

static u32 kind_of(const struct rxc_part *part, const struct rxc_speed *speed)
{
	return rxc_inflight_kind(0, speed->class, op_is_write(bio_op(&part->bio)));
}

/* Returns the holder that counts one more piece of a part, or NULL. */
static struct rxc_holder *room_take(struct rxc_part *part, const struct rxc_speed *speed)
{
	struct rxc_bounces *bounces = &part->cache->bounces;
	struct rxc_holder *holder;

	lockdep_assert_held(&bounces->lock);
	return rxc_inflight_take(&bounces->inflight, speed->cgroup, kind_of(part, speed), 1, 0,
				 PIECES_MAX, &holder) ? holder : NULL;
}

/*
 * Returns the line of a holder. If it has none, that is an empty one, which the holder gets
 * if it NEEDS one, or the last one.
 */
static struct rxc_line *line_of(struct rxc_bounces *bounces, const void *cgroup, u32 kind,
				bool needs)
{
	struct rxc_line *line = bounces->line, *last = line + RXC_LINES - 1, *empty = last;

	lockdep_assert_held(&bounces->lock);
	for (; line < last; line++) {
		if (line->kind == kind && line->cgroup == cgroup)
			return line;
		if (!line->kind && empty == last && needs)
			empty = line;
	}
	return empty;
}

static void line_add(struct rxc_line *line, struct bio *bio, const void *cgroup, u32 kind)
{
	line->cgroup = cgroup;
	line->kind = kind;
	bio_list_add(&line->parts, bio);
}

static struct bio *line_pop(struct rxc_line *line)
{
	struct bio *bio = bio_list_pop(&line->parts);

	if (bio_list_empty(&line->parts))
		line->kind = 0;
	return bio;
}

/*
 * Returns the holder that counts the next piece of a part. If there is no room, or others
 * of the same holder wait for it, the part joins them, and this returns NULL: the part may
 * go on at once, and then be gone. While somebody waits in the last line, nobody passes it
 * by a new one. Context: process.
 */
static struct rxc_holder *room_get(struct rxc_part *part)
{
	struct rxc_bounces *bounces = &part->cache->bounces;
	struct rxc_speed speed = rxc_speed_of(&part->bio);
	u32 kind = kind_of(part, &speed);
	struct rxc_holder *holder = NULL;
	struct rxc_line *line;

	spin_lock_irq(&bounces->lock);
	line = line_of(bounces, speed.cgroup, kind, !bounces->line[RXC_LINES - 1].kind);
	if (!line->kind)
		holder = room_take(part, &speed);
	if (!holder) {
		line_add(line, &part->bio, speed.cgroup, kind);
		bounces->waits++;
	}
	spin_unlock_irq(&bounces->lock);
	return holder;
}

/*
 * The end of a piece, whose part still keeps the cache. A part that waits was refused under
 * the lock: either it saw the end of this piece, or it is seen here. So whoever waits is
 * waiting for a piece whose end will be noticed. Context: any.
 */
static void room_give(struct rxc_bounces *bounces, struct rxc_holder *holder)
{
	unsigned long flags;
	bool wanted;

	rxc_inflight_give(holder, 1, 0);
	spin_lock_irqsave(&bounces->lock, flags);
	wanted = bounces->waits;
	spin_unlock_irqrestore(&bounces->lock, flags);
	if (wanted)
		queue_work(rxc_end_wq, &bounces->more);
}

/* Lets the first part of a line go on. Returns false if there is none, or no room for it. */
static bool line_advance(struct rxc_bounces *bounces, struct rxc_line *line)
{
	struct bio *bio = bio_list_peek(&line->parts);
	struct rxc_speed speed;
	struct rxc_part *part;

	lockdep_assert_held(&bounces->lock);
	if (!bio)
		return false;
	part = container_of(bio, struct rxc_part, bio);
	speed = rxc_speed_of(bio);
	bio->bi_private = room_take(part, &speed);
	if (!bio->bi_private)
		return false;
	line_pop(line);
	bounces->waits--;
	queue_work(bounces->wq, &part->work);
	return true;
}

/* Moves parts of the last line to lines of their own. Returns how many. */
static unsigned int last_divide(struct rxc_bounces *bounces)
{
	struct rxc_line *line, *last = &bounces->line[RXC_LINES - 1];
	struct rxc_speed speed;
	struct rxc_part *part;
	unsigned int moved;
	struct bio *bio;

	for (moved = 0; moved < MORE_MAX; moved++) {
		bio = bio_list_peek(&last->parts);
		if (!bio)
			break;
		part = container_of(bio, struct rxc_part, bio);
		speed = rxc_speed_of(bio);
		line = line_of(bounces, speed.cgroup, kind_of(part, &speed), true);
		if (line == last)
			break;
		line_add(line, line_pop(last), speed.cgroup, kind_of(part, &speed));
	}
	return moved;
}

/*
 * Gives room to the lines in turn. Never sleeps, on a queue of such works: whoever waits
 * depends on it.
 */
static void more_work(struct work_struct *work)
{
	struct rxc_bounces *bounces = container_of(work, struct rxc_bounces, more);
	unsigned int refused = 0, given = 0, line;
	bool moved;

	spin_lock_irq(&bounces->lock);
	moved = last_divide(bounces) == MORE_MAX;
	while (refused < RXC_LINES && given < MORE_MAX) {
		line = bounces->turn;
		bounces->turn = (line + 1) % RXC_LINES;
		if (line_advance(bounces, &bounces->line[line])) {
			given++;
			refused = 0;
		} else {
			refused++;
		}
	}
	if (moved || given == MORE_MAX)
		queue_work(rxc_end_wq, &bounces->more);
	spin_unlock_irq(&bounces->lock);
}

int rxc_bounce_init(struct rxc_cache *cache)
{
	struct rxc_bounces *bounces = &cache->bounces;
	unsigned int lbs = bdev_logical_block_size(cache->origin.bdev);
	int err;

	bounces->order = get_order(lbs);
	spin_lock_init(&bounces->lock);
	/* An empty list of bios and a free line are zeroes, as the cache is. */
	INIT_WORK(&bounces->more, more_work);
	bounces->wq = alloc_workqueue("%s_bounce", WQ_MEM_RECLAIM | RX_WQ_PERCPU, WORKS_MAX,
				      cache->name);
	if (!bounces->wq)
		return -ENOMEM;
	err = mempool_init_kmalloc_pool(&bounces->pieces, BIO_POOL_SIZE,
					sizeof(struct rxc_bounce));
	return err ?: mempool_init(&bounces->pages, BIO_POOL_SIZE, buffer_alloc,
				   buffer_free, bounces);
}

/*
 * Also called for a cache that never began. All pieces have ended and no part waits,
 * because each part holds rxc_cache.users until then. Works that have no part any more
 * end with the queue, and "more", which only pieces queue, after them.
 */
void rxc_bounce_exit(struct rxc_cache *cache)
{
	struct rxc_bounces *bounces = &cache->bounces;

	if (bounces->wq) {
		destroy_workqueue(bounces->wq);
		cancel_work_sync(&bounces->more);
	}
	mempool_exit(&bounces->pages);
	mempool_exit(&bounces->pieces);
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
	room_give(&cache->bounces, bounce->holder);
	mempool_free(bounce, &cache->bounces.pieces);
	/* The part ends with its last piece, and may then be gone. */
	bio_endio(&part->bio);
}

/*
 * Makes the next piece, which @holder counts, and moves the part on. Context: process,
 * sleeps; not within submit_bio(), so that no bio of the cache waits on the task's list.
 */
static struct rxc_bounce *bounce_new(struct rxc_part *part, struct rxc_holder *holder)
{
	struct rxc_cache *cache = part->cache;
	struct bio *whole = &part->bio;
	struct bvec_iter *iter = &whole->bi_iter;
	unsigned int len = min_t(unsigned int, iter->bi_size,
				 PAGE_SIZE << cache->bounces.order);
	struct rxc_bounce *bounce;

	bounce = mempool_alloc(&cache->bounces.pieces, GFP_NOIO);
	bounce->part = part;
	bounce->holder = holder;
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

/* Sends pieces of a part for as long as there is room. more_work() has it run again. */
static void bounce_work(struct work_struct *work)
{
	struct rxc_part *part = container_of(work, struct rxc_part, work);
	struct rxc_holder *holder = part->bio.bi_private;
	struct rxc_bounce *bounce;

	part->bio.bi_private = NULL;
	while (part->bio.bi_iter.bi_size) {
		holder = holder ?: room_get(part);
		if (!holder)
			return;
		bounce = bounce_new(part, holder);
		holder = NULL;
		bio_inc_remaining(&part->bio);
		rxc_part_submit(part, &bounce->bio);
	}
	bio_endio(&part->bio);
}

/*
 * Sends a part in pieces: its bio is not submitted, but ends as if it had been. Until then
 * its bi_next and bi_private are ours.
 */
void rxc_bounce_part(struct rxc_part *part)
{
	INIT_WORK(&part->work, bounce_work);
	part->bio.bi_private = NULL;
	/* Otherwise the block layer would give the pieces the worker's priority. */
	if (IOPRIO_PRIO_CLASS(part->bio.bi_ioprio) == IOPRIO_CLASS_NONE)
		part->bio.bi_ioprio = get_current_ioprio();
	queue_work(part->cache->bounces.wq, &part->work);
}
