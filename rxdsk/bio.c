// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other way in: disks without requests. A bio is served in the context of
 * who submits it, and nothing lies between; no tags, no queues, no merging, no
 * scheduler.
 *
 * As with requests nothing sleeps here but for one limit: what needs memory that
 * isn't there at once, or clears a wide range, goes to a worker. That the
 * submitter may sleep does not make it wise: bios that he has submitted before,
 * to us or to others, may lie on his own list until he comes back, and memory
 * may depend on them.
 * Two things remain that a bio driver has to see to by itself:
 *
 * - What the worker is told needs memory, when there is none, and somebody has
 *   to stop who submits faster than memory comes back. The worker has at most
 *   as many bios of a disk as the other kind has requests, and there is a
 *   reserve for all of them. Who has one more waits until one of those has
 *   ended, which takes the worker, a grace period at times and memory that is
 *   waited for a second at most, but no other bio; with REQ_NOWAIT he gets
 *   EAGAIN.
 * - The block layer counts a bio as being in the queue only until submit_bio
 *   returns. A bio that stays longer holds a reference of its own, as nbd's
 *   worker does: a count of ours would let a freeze go on while bios are
 *   served, and a freeze, as the end of the disk, waits for requests too.
 *
 * A bio is never split, and so none is ever submitted from here; one that is
 * longer than a request may be is the worker's, who lets others run in between.
 * Polled bios don't come this far, the block layer ends or changes them for a
 * disk that has not asked for them.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/mempool.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "rxdsk.h"

enum { SLOW_BIOS = 128 };

/* A bio that the worker has, and whether it is counted, since when. */
struct slow_bio {
	struct work_struct work;
	struct bio *bio;
	bool counted;
	unsigned long start;
};

static struct rxd_disk *disk_of(const struct bio *bio)
{
	return bio->bi_bdev->bd_disk->private_data;
}

static void end(struct bio *bio, blk_status_t status, bool counted,
		unsigned long start)
{
	if (counted)
		bio_end_io_acct(bio, start);
	/* A bio that others are chained to may have the status of one of them. */
	if (status)
		bio->bi_status = status;
	bio_endio(bio);
}

static void slow_work(struct work_struct *work)
{
	struct slow_bio *slow = container_of(work, struct slow_bio, work);
	struct rxd_disk *d = disk_of(slow->bio);
	struct request_queue *q = bdev_get_queue(slow->bio->bi_bdev);
	struct slow_bio s = *slow;
	int err;

	err = rxd_io_serve_slowly(d, s.bio);
	mempool_free(slow, &d->slow);
	up(&d->slow_left);
	end(s.bio, errno_to_blk_status(err), s.counted, s.start);
	/* The disk may be gone after this. */
	percpu_ref_put(&q->q_usage_counter);
}

/*
 * For a bio that could not be served at once, for the reason @err. Return:
 * whether it is the worker's now; if not it is to end with EAGAIN.
 */
static bool serve_later(struct rxd_disk *d, struct bio *bio, int err,
			bool counted, unsigned long start)
{
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	struct slow_bio *slow;

	if (nowait && (err == -ENOMEM || down_trylock(&d->slow_left)))
		return false;
	if (!nowait)
		down(&d->slow_left);
	/* The reserve has one, so this does not wait. */
	slow = mempool_alloc(&d->slow, GFP_NOIO);
	if (err == -ENOMEM)
		atomic_long_inc(&d->slow_writes);
	slow->bio = bio;
	slow->counted = counted;
	slow->start = start;
	/* Others have one as long as submit_bio has not returned. */
	percpu_ref_get(&bdev_get_queue(bio->bi_bdev)->q_usage_counter);
	INIT_WORK(&slow->work, slow_work);
	rxd_io_defer(&slow->work);
	return true;
}

/* The method of the block device. Context: process. */
void rxd_bio_submit(struct bio *bio)
{
	struct rxd_disk *d = disk_of(bio);
	bool counted = blk_queue_io_stat(bdev_get_queue(bio->bi_bdev));
	unsigned long start = counted ? bio_start_io_acct(bio) : 0;
	int err;

	err = rxd_io_check(d, bio->bi_iter.bi_sector, bio_sectors(bio),
			   bio_op(bio));
	if (!err && bio_has_data(bio) && bio->bi_iter.bi_size > RXD_REQUEST_MAX)
		err = -EAGAIN;
	else if (!err)
		err = rxd_io_serve(d, bio, RXD_GFP_NOWAIT);
	if (unlikely(err == -ENOMEM || err == -EAGAIN)) {
		if (serve_later(d, bio, err, counted, start))
			return;
		bio_set_flag(bio, BIO_QUIET);
		end(bio, BLK_STS_AGAIN, counted, start);
	} else {
		end(bio, errno_to_blk_status(err), counted, start);
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

/* After put_disk(): no bio is under way. */
void rxd_bio_free(struct rxd_disk *d)
{
	mempool_exit(&d->slow);
}
