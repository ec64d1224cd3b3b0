// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a request. It is served at once in the submitter's context, which may
 * not sleep, alone (queue_rq) or with others (queue_rqs). A request that needs memory
 * which is not free at once, or that clears a wide range, is served by a worker, which
 * may sleep, from the first bio on that could not be served.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/part_stat.h>
#include <linux/workqueue.h>
#include "compat.h"
#include "rxdsk.h"

/* @status: the first error of a bio, for the end_io of a request that is not from bios */
struct rxd_cmd {
	struct work_struct work;
	blk_status_t status;
};

enum {
	/*
	 * A task with a plug collects up to 32 requests before it sends the first.
	 * Two of these tasks on one CPU must not wait for each other's tags, nor for
	 * those of another CPU. So each queue has its own tags, and by default each
	 * CPU has a queue. Polled requests are the exception: the block layer reuses
	 * none of the tags that a plug has collected for them, because the queues are
	 * of the default type, so a batch of 32 takes 63.
	 *
	 * The price is memory, 320 bytes a tag: 20 KiB for a CPU with its own queue.
	 * Beyond 16 CPUs, CPUs share queues, which have 128 tags, enough for tasks on
	 * four CPUs. An empty disk has 40 KiB of tags on 2 CPUs, 160 KiB on 8, 320
	 * KiB on 16 and 640 KiB on more, so 1,000 disks have 0.6 GiB there. The
	 * block layer needs about as much again, mostly for debugfs and sysfs.
	 */
	TAGS_PER_CPU	= 64,
	TAGS_MAX	= 128,		/* of a queue */
	QUEUES_DEFAULT	= 16,		/* at most */
	/* Completes the batch after this many bytes. */
	BATCH_BYTES	= 256 << 10,
};

/*
 * Ends the first bio of the request with its own result. The block layer merges bios of
 * any submitters into one request, and an error of one is no error of the others.
 * Return: whether the request has more bios.
 */
static bool end_first(struct request *rq, int err)
{
	blk_status_t status = rxd_io_status(rq->q->queuedata, rq->bio, err);
	struct rxd_cmd *cmd = blk_mq_rq_to_pdu(rq);
	bool more;

	if (!cmd->status)
		cmd->status = status;
	/* The submitter asked for this answer, so it is no error to log. */
	if (status == BLK_STS_AGAIN)
		rq->rq_flags |= RQF_QUIET;
	more = blk_update_request(rq, status, rq->bio->bi_iter.bi_size);
	rq->rq_flags &= ~RQF_QUIET;
	return more;
}

/*
 * Ends a request whose first bio found no memory, and with it the use of its tag, while
 * the bios may go on to wait. If writers without memory held all tags of a queue, reads
 * and overwrites would wait behind them. Unlike blk_steal_bios(), this leaves the bios'
 * flags alone, because they stay in this queue. The block layer adds the bytes of a bio
 * to its counters when the bio ends within the request, so here they are added.
 *
 * Not for a request with an end_io: its bios refer to what that ends, as those of dm's
 * clones do.
 */
static void serve_without_tag(struct request *rq)
{
	struct rxd_disk *d = rq->q->queuedata;
	struct bio *bio = rq->bio, *next;
	int err = -ENOMEM;

	if (rq->rq_flags & RQF_IO_STAT) {
		part_stat_lock();
		part_stat_add(rq->part, sectors[op_stat_group(req_op(rq))],
			      blk_rq_sectors(rq));
		part_stat_unlock();
	}
	rq->bio = NULL;
	rq->biotail = NULL;
	rq->__data_len = 0;
	for (; bio; bio = next) {
		next = bio->bi_next;
		bio->bi_next = NULL;
		rxd_wait_serve(d, bio, err);
		err = 0;
	}
	__blk_mq_end_request(rq, BLK_STS_OK);
}

static void slow_request_work(struct work_struct *work)
{
	struct rxd_cmd *cmd = container_of(work, struct rxd_cmd, work);
	struct request *rq = blk_mq_rq_from_pdu(cmd);
	struct rxd_disk *d = rq->q->queuedata;
	bool after = false;
	struct rxd_wait wait;
	int err;

	rxd_wait_begin(&wait);
	for (;;) {
		err = after ? rxd_io_serve_after(d, rq->bio) :
			      rxd_io_serve(d, rq->bio, RXD_GFP_SLEEP);
		if (err == -ENOMEM && !rxd_bio_nowait(rq->bio) &&
		    rxd_wait_hope(&wait, d)) {
			if (!rq->end_io) {
				serve_without_tag(rq);
				return;
			}
			if (rxd_wait_memory(&wait, d))
				continue;
		}
		after |= err == -ENOMEM;
		if (!end_first(rq, err))
			break;
		/* The bios of a request that keeps its tag share one wait. */
		if (!rq->end_io || !after)
			rxd_wait_begin(&wait);
	}
	__blk_mq_end_request(rq, cmd->status);
}

/* Hands the request to a worker, because its first bio could not be served for @err. */
static void serve_later(struct request *rq, int err)
{
	struct rxd_disk *d = rq->q->queuedata;
	struct rxd_cmd *cmd = blk_mq_rq_to_pdu(rq);
	struct bio *bio;

	if (err == -ENOMEM)
		__rq_for_each_bio(bio, rq)
			atomic_long_inc(&d->slow_writes);
	INIT_WORK(&cmd->work, slow_request_work);
	rxd_io_defer(&cmd->work);
}

/*
 * Ends the bios of the request one by one, up to the first that a worker has to serve.
 * Those before @bio have been served, and @bio could not be, for @err. A request has the
 * flags of its first bio, so each bio is asked whether it may wait.
 */
static noinline void serve_apart(struct request *rq, const struct bio *bio, int err)
{
	struct rxd_cmd *cmd = blk_mq_rq_to_pdu(rq);

	cmd->status = BLK_STS_OK;
	while (rq->bio != bio)
		end_first(rq, 0);
	while (err != -EAGAIN && (err != -ENOMEM || rxd_bio_nowait(rq->bio))) {
		if (!end_first(rq, err)) {
			/* Only an end_io looks at the status: the bios have their own. */
			__blk_mq_end_request(rq, cmd->status);
			return;
		}
		err = rxd_io_serve(rq->q->queuedata, rq->bio, RXD_GFP_NOWAIT);
	}
	serve_later(rq, err);
}

/*
 * Serves the request if that can be done at once. Return: true if the caller has to
 * complete the request, with success, false if it is complete or a worker has it now.
 */
static bool serve_now(struct request *rq)
{
	struct rxd_disk *d = rq->q->queuedata;
	struct bio *bio;
	int err;

	blk_mq_start_request(rq);
	for (bio = rq->bio; bio; bio = bio->bi_next) {
		err = rxd_io_serve(d, bio, RXD_GFP_NOWAIT);
		if (unlikely(err)) {
			serve_apart(rq, bio, err);
			return false;
		}
	}
	return true;
}

static blk_status_t rxd_queue_rq(struct blk_mq_hw_ctx *hctx,
				 const struct blk_mq_queue_data *bd)
{
	if (serve_now(bd->rq))
		blk_mq_end_request(bd->rq, BLK_STS_OK);
	return BLK_STS_OK;
}

/* Completes the requests of the batch and leaves the batch empty. */
static void batch_end(struct io_comp_batch *batch)
{
	if (!rx_rq_list_empty(&batch->req_list))
		blk_mq_end_request_batch(batch);
	*batch = (struct io_comp_batch){ 0 };
}

/* Prefetches the memory of the next request while the present one is served. */
static void prefetch_next(const struct request *next)
{
	if (bio_has_data(next->bio))
		rxd_store_prefetch(next->q->queuedata,
				   (u64)blk_rq_pos(next) << SECTOR_SHIFT,
				   blk_rq_bytes(next));
}

/*
 * Serves all requests that a task has collected. Completing them together costs less,
 * but the first must not wait long for the last, so the batch is completed after
 * every BATCH_BYTES.
 */
static void rxd_queue_rqs(rx_rq_list *list)
{
	DEFINE_IO_COMP_BATCH(batch);
	unsigned int bytes = 0;
	struct request *rq;

	while ((rq = rq_list_pop(list))) {
		bool last = rx_rq_list_empty(list);

		rx_rq_enter(rq);
		if (!last)
			prefetch_next(rq_list_peek(list));
		if (bio_has_data(rq->bio))
			bytes += blk_rq_bytes(rq);
		/* A single request costs less without a batch. */
		if (serve_now(rq) &&
		    ((last && rx_rq_list_empty(&batch.req_list)) ||
		     !rx_add_to_batch(rq, &batch, blk_mq_end_request_batch)))
			blk_mq_end_request(rq, BLK_STS_OK);
		if (bytes >= BATCH_BYTES) {
			batch_end(&batch);
			bytes = 0;
		}
	}
	batch_end(&batch);
}

/*
 * Reads and polled requests use the same queues as all others: the disk has no interrupts,
 * so it would do nothing else in separate queues. Their maps are copies, because a second
 * blk_mq_map_queues() could differ if a CPU has come online meanwhile, and requests would
 * then be looked for in the wrong queue. The block layer has set the length of each map,
 * so a map that is left empty leads all CPUs to queue 0.
 */
static void rxd_map_queues(struct blk_mq_tag_set *set)
{
	struct blk_mq_queue_map *all = &set->map[HCTX_TYPE_DEFAULT];
	unsigned int cpu, type;

	all->nr_queues = set->nr_hw_queues;
	blk_mq_map_queues(all);
	/* A kdump kernel has one map only. */
	for (type = HCTX_TYPE_READ; type < set->nr_maps; type++) {
		set->map[type].nr_queues = all->nr_queues;
		for_each_possible_cpu(cpu)
			set->map[type].mq_map[cpu] = all->mq_map[cpu];
	}
}

/* Finds nothing: a polled request has ended already, or a worker will end it. */
static int rxd_poll(struct blk_mq_hw_ctx *hctx, struct io_comp_batch *batch)
{
	return 0;
}

static const struct blk_mq_ops rxd_mq_ops = {
	.queue_rq	= rxd_queue_rq,
	.queue_rqs	= rxd_queue_rqs,
	.map_queues	= rxd_map_queues,
	.poll		= rxd_poll,
};

/* @queues: 0 for the default. Return: the disk, or ERR_PTR. */
struct gendisk *rxd_queue_alloc(struct rxd_disk *d, u32 queues,
				const struct rx_ram_limits *lim)
{
	unsigned int cpus = num_online_cpus();
	struct gendisk *gd;
	int err;

	if (!queues)
		queues = QUEUES_DEFAULT;
	d->tags.ops = &rxd_mq_ops;
	d->tags.nr_hw_queues = min(queues, cpus);
	d->tags.queue_depth = min_t(u32, TAGS_MAX, TAGS_PER_CPU *
				    DIV_ROUND_UP(cpus, d->tags.nr_hw_queues));
	d->tags.nr_maps = HCTX_MAX_TYPES;
	d->tags.numa_node = NUMA_NO_NODE;
	d->tags.cmd_size = sizeof(struct rxd_cmd);
	d->tags.flags = BLK_MQ_F_NO_SCHED_BY_DEFAULT | RX_MQ_F_MERGE;
	err = blk_mq_alloc_tag_set(&d->tags);
	if (err)
		return ERR_PTR(err);
	gd = rx_alloc_mq_disk(&d->tags, lim, d);
	if (IS_ERR(gd))
		blk_mq_free_tag_set(&d->tags);
	return gd;
}

/* The caller has called put_disk(), so no request uses the tags. */
void rxd_queue_free(struct rxd_disk *d)
{
	blk_mq_free_tag_set(&d->tags);
}
