// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits for memory, after an allocation has failed that was allowed to sleep.
 *
 * A wait goes on while pages are on their way back to the kernel that can be enough, or
 * while the floor is not reached and reclaim may find some. It tries again each time that
 * pages have been freed, and it has an end: other disks may discard pages for ever, and
 * other writers may take all of them. A disk at its limit waits for its own pages only:
 * see rxd_limit_hope().
 *
 * A bio waits without a tag, and without one of the workers that serve other bios. It is
 * on a list of its disk, with a reference to the queue, as bios have that a disk without
 * requests serves later. One work serves the list. For the block layer's counters such a
 * bio has ended when it begins to wait. Block tracing shows its end when it really
 * ends, with its error (block_bio_complete). The log has no line about it, as for all
 * drivers without requests.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "freed.h"
#include "rxdsk.h"

enum {
	/* For the first pages: a grace period may take long on a busy machine. */
	FIRST_WAIT	= 7 * HZ,
	/* From then on. */
	MORE_WAIT	= HZ,
	/* Pages that the kernel's counters of free memory may be late by, for each processor. */
	CPU_LATE	= 128,
};

static struct workqueue_struct *wait_wq;

/* To be called before an attempt to get memory, after which there may be others. */
void rxd_wait_begin(struct rxd_wait *w)
{
	w->seq = rxd_freed_seq();
	w->end = jiffies + FIRST_WAIT;
	w->room_end = jiffies + MORE_WAIT;
	w->round = 0;
}

/* Returns until when to wait for a disk at its limit: longer while a shrink frees its pages. */
static unsigned long room_end(const struct rxd_wait *w, const struct rxd_disk *d)
{
	return rxd_clear_counts(d) ? w->end : w->room_end;
}

/*
 * Returns whether one more attempt may find memory for the disk, at once or after a wait.
 * Context: any.
 */
bool rxd_wait_hope(const struct rxd_wait *w, const struct rxd_disk *d)
{
	long coming = rxd_freed_coming();

	/* The attempt itself tells when there is no hope: see no_room() in io.c. */
	if (rxd_limit_reached(d))
		return time_before(jiffies, room_end(w, d));
	if (rxd_freed_seq() != w->seq)
		return true;
	if (coming)
		return rxd_mem_left(d->node) + coming +
		       (long)num_online_cpus() * CPU_LATE >= 0;
	return rxd_mem_above_floor(d->node);
}

/*
 * Waits after an attempt to get memory for the disk has failed. Context: process, may
 * sleep. Return: whether to try again.
 */
bool rxd_wait_memory(struct rxd_wait *w, const struct rxd_disk *d)
{
	long left = w->end - jiffies, pause;
	unsigned long seq;

	if (left <= 0 || !rxd_wait_hope(w, d))
		return false;
	if (rxd_limit_reached(d)) {
		/* Doubts end within microseconds, or when reclaim does. */
		schedule_timeout_uninterruptible(1);
		/* What other disks free does not shorten this wait. */
		w->seq = rxd_freed_seq();
		return true;
	}
	if (rxd_freed_coming()) {
		rxd_freed_wait(w->seq, left);
	} else if (rxd_freed_seq() == w->seq) {
		/* The remaining page cache is dirty or busy, so it cannot be reclaimed. */
		pause = msecs_to_jiffies(8) << min(w->round++, 6U);
		schedule_timeout_uninterruptible(min(pause, left));
	}
	seq = rxd_freed_seq();
	if (seq != w->seq && time_after(w->end, jiffies + MORE_WAIT))
		w->end = jiffies + MORE_WAIT;
	w->seq = seq;
	return true;
}

/*
 * Each bio that is served here holds a reference to the queue, so the disk is there up to
 * the last of them. rxd_wait_end() cancels this work if it is queued once more.
 */
static void wait_work(struct work_struct *work)
{
	struct rxd_waiting *waiting = container_of(work, struct rxd_waiting, work);
	struct rxd_disk *d = container_of(waiting, struct rxd_disk, waiting);
	struct request_queue *q = d->gd->queue;
	struct bio_list bios;
	struct rxd_wait wait;
	bool over = false;
	struct bio *bio;
	int err;

	spin_lock(&waiting->lock);
	bios = waiting->bios;
	bio_list_init(&waiting->bios);
	spin_unlock(&waiting->lock);

	rxd_wait_begin(&wait);
	while ((bio = bio_list_peek(&bios))) {
		/*
		 * All wait for the same memory. So when the first has waited in vain, each
		 * of the others is tried once more.
		 */
		err = over ? rxd_io_serve_after(d, bio) :
			     rxd_io_serve(d, bio, RXD_GFP_SLEEP);
		if (err == -ENOMEM && !over) {
			over = !rxd_wait_memory(&wait, d);
			if (!over)
				continue;
		}
		/* Memory comes, so the next bio has a whole wait, too. */
		if (!err && !over)
			rxd_wait_begin(&wait);
		bio_list_pop(&bios);
		rxd_io_end(bio, rxd_io_status(d, bio, err));
		percpu_ref_put(&q->q_usage_counter);
	}
}

void rxd_wait_init(struct rxd_disk *d)
{
	spin_lock_init(&d->waiting.lock);
	INIT_WORK(&d->waiting.work, wait_work);
}

/* No bio of the disk is under way. The work may be queued, but finds nothing to do. */
void rxd_wait_end(struct rxd_disk *d)
{
	cancel_work_sync(&d->waiting.work);
}

/*
 * Serves a bio that is in no request any more, and ends it, now or after a wait for memory.
 * @err: -ENOMEM if it was tried already, or 0 if it comes after one that was. The caller
 * holds a reference to the queue. Context: process, may sleep.
 */
void rxd_wait_serve(struct rxd_disk *d, struct bio *bio, int err)
{
	if (!err) {
		err = rxd_io_serve_after(d, bio);
		if (err != -ENOMEM || rxd_bio_nowait(bio)) {
			rxd_io_end(bio, rxd_io_status(d, bio, err));
			return;
		}
	}
	percpu_ref_get(&d->gd->queue->q_usage_counter);
	spin_lock(&d->waiting.lock);
	bio_list_add(&d->waiting.bios, bio);
	spin_unlock(&d->waiting.lock);
	queue_work(wait_wq, &d->waiting.work);
}

int rxd_wait_module_init(void)
{
	/* A queue of its own, because each disk's work may sleep for seconds. */
	wait_wq = alloc_workqueue("rxdsk-wait", WQ_MEM_RECLAIM | WQ_UNBOUND, WQ_MAX_ACTIVE);
	return wait_wq ? 0 : -ENOMEM;
}

void rxd_wait_module_exit(void)
{
	destroy_workqueue(wait_wq);
}
