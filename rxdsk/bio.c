// SPDX-License-Identifier: GPL-2.0-only
/*
 * Disks without requests (queue mode bio). Each bio is served in the context of
 * its submitter, without tags, queues, merging or a scheduler in between.
 *
 * A bio that needs memory which is not free at once, or that clears a wide range,
 * goes to a worker, as with requests. The submitter may sleep but should not: bios
 * that it has submitted before, to this disk or to others, may stay on its own
 * list until submit_bio returns, and the memory may depend on them. It sleeps in one
 * case only, the first of these two matters that a bio driver has to handle itself:
 *
 * - Queueing work allocates exactly when memory is short, so submitters are
 *   throttled. The worker has at most SLOW_BIOS bios of a disk, as many as a queue
 *   of requests has tags, and a reserve covers all of them. The submitter of one
 *   more waits until one of those has ended; a REQ_NOWAIT bio ends with EAGAIN
 *   instead. That wait depends on the worker, sometimes on a grace period, but on no
 *   other bio. A bio for which the worker finds no memory waits elsewhere: wait.c.
 * - The block layer counts a bio as being in the queue only until submit_bio
 *   returns. A bio that stays longer therefore holds a reference of its own to the
 *   queue, as nbd's worker does. A counter of this driver would not do: a freeze
 *   of the queue, and the end of the disk, have to wait for these bios too.
 *
 * A bio is never split, so none is ever submitted from here. One that is longer
 * than RXD_REQUEST_MAX goes to the worker, which reschedules in between.
 *
 * Polled bios need no method that polls: a bio that is served here has ended before
 * its submitter can poll, and a bio that the worker has ends without being polled.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/mempool.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "rxdsk.h"

enum { SLOW_BIOS = 128 };

/* A bio that the worker has; @counted: in I/O accounting, since @start. */
struct slow_bio {
	struct work_struct work;
	struct bio *bio;
	bool counted;
	unsigned long start;
};

static struct rxd_disk *bio_disk(const struct bio *bio)
{
	return bio->bi_bdev->bd_disk->private_data;
}

static void end_bio(struct bio *bio, blk_status_t status, bool counted,
		    unsigned long start)
{
	if (counted)
		bio_end_io_acct(bio, start);
	rxd_io_end(bio, status);
}

static void slow_bio_work(struct work_struct *work)
{
	struct slow_bio *slow = container_of(work, struct slow_bio, work);
	struct rxd_disk *d = bio_disk(slow->bio);
	struct request_queue *q = bdev_get_queue(slow->bio->bi_bdev);
	struct slow_bio s = *slow;
	struct rxd_wait wait;
	int err;

	rxd_wait_begin(&wait);
	err = rxd_io_serve(d, s.bio, RXD_GFP_SLEEP);
	mempool_free(slow, &d->slow);
	up(&d->slow_left);
	if (err == -ENOMEM && !rxd_bio_nowait(s.bio) && rxd_wait_hope(&wait, d)) {
		if (s.counted)
			bio_end_io_acct(s.bio, s.start);
		rxd_wait_serve(d, s.bio, -ENOMEM);
	} else {
		end_bio(s.bio, rxd_io_status(d, s.bio, err), s.counted, s.start);
	}
	/* The disk may be gone after this. */
	percpu_ref_put(&q->q_usage_counter);
}

/*
 * Hands a bio to the worker that could not be served at once, for the reason
 * @err. Return: false if the caller has to end the bio with EAGAIN.
 */
static bool serve_later(struct rxd_disk *d, struct bio *bio, int err,
			bool counted, unsigned long start)
{
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	struct slow_bio *slow;

	if (err == -ENOMEM && rxd_bio_nowait(bio))
		return false;
	if (nowait && down_trylock(&d->slow_left))
		return false;
	if (!nowait)
		down(&d->slow_left);
	/* slow_left counts the reserve's elements, so this does not wait. */
	slow = mempool_alloc(&d->slow, GFP_NOIO);
	if (err == -ENOMEM)
		atomic_long_inc(&d->slow_writes);
	slow->bio = bio;
	slow->counted = counted;
	slow->start = start;
	/* The block layer has one until submit_bio returns, so the queue is live. */
	percpu_ref_get(&bdev_get_queue(bio->bi_bdev)->q_usage_counter);
	INIT_WORK(&slow->work, slow_bio_work);
	rxd_io_defer(&slow->work);
	return true;
}

/* The submit_bio method of the block device. Context: process. */
void rxd_bio_submit(struct bio *bio)
{
	struct rxd_disk *d = bio_disk(bio);
	bool counted = blk_queue_io_stat(bdev_get_queue(bio->bi_bdev));
	unsigned long start = counted ? bio_start_io_acct(bio) : 0;
	int err;

	if (bio_has_data(bio) && bio->bi_iter.bi_size > RXD_REQUEST_MAX)
		err = -EAGAIN;
	else
		err = rxd_io_serve(d, bio, RXD_GFP_NOWAIT);
	if (unlikely(err == -ENOMEM || err == -EAGAIN)) {
		if (serve_later(d, bio, err, counted, start))
			return;
		end_bio(bio, BLK_STS_AGAIN, counted, start);
	} else {
		end_bio(bio, errno_to_blk_status(err), counted, start);
	}
}

/* Return: the disk, or ERR_PTR. */
struct gendisk *rxd_bio_alloc(struct rxd_disk *d,
			      const struct rx_ram_limits *lim)
{
	struct gendisk *gd;
	int err;

	sema_init(&d->slow_left, SLOW_BIOS);
	err = mempool_init_kmalloc_pool(&d->slow, SLOW_BIOS,
					sizeof(struct slow_bio));
	if (err)
		return ERR_PTR(err);
	gd = rx_alloc_bio_disk(lim, NUMA_NO_NODE);
	if (IS_ERR(gd))
		mempool_exit(&d->slow);
	return gd;
}

/* The caller has called put_disk(), so no bio is under way. */
void rxd_bio_free(struct rxd_disk *d)
{
	mempool_exit(&d->slow);
}
