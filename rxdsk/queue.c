// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request's life. queue_rq serves it on the spot in the submitter's context,
 * which may not sleep; what needs memory that isn't there at once, or clears a
 * wide range, is served a second time, from its start, by a worker that may.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/mm.h>
#include <linux/workqueue.h>
#include "rxdsk.h"

struct rxd_cmd {
	struct work_struct work;
};

static struct workqueue_struct *slow_wq;

/* Buffers are aligned to 4 bytes only, so segments may end inside a sector. */
static int transfer(struct rxd_disk *d, struct request *rq, gfp_t gfp)
{
	u64 pos = (u64)blk_rq_pos(rq) << SECTOR_SHIFT;
	bool write = op_is_write(req_op(rq));
	struct req_iterator iter;
	struct bio_vec bv;
	int err;

	rq_for_each_segment(bv, rq, iter) {
		unsigned int off = bv.bv_offset, left = bv.bv_len, nr;

		for (; left; left -= nr, off += nr, pos += nr) {
			nr = min_t(unsigned int, left,
				   PAGE_SIZE - offset_in_page(pos));
			if (!write) {
				rxd_store_read(d, pos, bv.bv_page, off, nr);
				continue;
			}
			err = rxd_store_write(d, pos, bv.bv_page, off, nr, gfp);
			if (err)
				return err;
		}
	}
	return 0;
}

/*
 * Return: 0, an errno for the caller, or with a @gfp that may not sleep
 * -ENOMEM or -EAGAIN: serve it again with one that may.
 */
static int serve(struct rxd_disk *d, struct request *rq, gfp_t gfp)
{
	u64 pos = (u64)blk_rq_pos(rq) << SECTOR_SHIFT;
	bool sleep = gfpflags_allow_blocking(gfp);

	switch (req_op(rq)) {
	case REQ_OP_READ:
	case REQ_OP_WRITE:
		return transfer(d, rq, gfp);
	case REQ_OP_DISCARD:
		return rxd_store_discard(d, pos, blk_rq_bytes(rq), sleep);
	case REQ_OP_WRITE_ZEROES:
		return rxd_store_zero(d, pos, blk_rq_bytes(rq),
				      rq->cmd_flags & REQ_NOUNMAP, sleep);
	case REQ_OP_FLUSH:
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

/*
 * The block layer checks a bio against its partition only, and a partition
 * read before a shrink may reach beyond the disk; it warns of writes to a
 * read-only disk but lets them through.
 */
static blk_status_t check(struct rxd_disk *d, struct request *rq)
{
	if (blk_rq_pos(rq) + blk_rq_sectors(rq) > get_capacity(d->gd))
		return BLK_STS_IOERR;
	if (d->read_only && op_is_write(req_op(rq)))
		return BLK_STS_IOERR;
	return BLK_STS_OK;
}

/* The request's flags are those of its first bio; others may be merged in. */
static bool all_nowait(struct request *rq)
{
	struct bio *bio;

	__rq_for_each_bio(bio, rq)
		if (!(bio->bi_opf & REQ_NOWAIT))
			return false;
	return true;
}

static void slow_work(struct work_struct *work)
{
	struct rxd_cmd *cmd = container_of(work, struct rxd_cmd, work);
	struct request *rq = blk_mq_rq_from_pdu(cmd);
	struct rxd_disk *d = rq->q->queuedata;
	unsigned int round = 0;
	int err;

	do {
		err = serve(d, rq, RXD_GFP_SLEEP);
	} while (err == -ENOMEM && rxd_mem_wait(round++));

	if (err == -ENOMEM) {
		atomic_long_inc(&d->no_space);
		err = -ENOSPC;
	}
	blk_mq_end_request(rq, errno_to_blk_status(err));
}

static blk_status_t rxd_queue_rq(struct blk_mq_hw_ctx *hctx,
				 const struct blk_mq_queue_data *bd)
{
	struct request *rq = bd->rq;
	struct rxd_disk *d = rq->q->queuedata;
	struct rxd_cmd *cmd = blk_mq_rq_to_pdu(rq);
	blk_status_t status;
	int err;

	blk_mq_start_request(rq);
	status = check(d, rq);
	if (status != BLK_STS_OK)
		goto out_end;

	err = serve(d, rq, RXD_GFP_NOWAIT);
	if (err == -ENOMEM && all_nowait(rq)) {
		/* An answer the caller asked for, not an error to log. */
		rq->rq_flags |= RQF_QUIET;
		status = BLK_STS_AGAIN;
		goto out_end;
	}
	if (err == -ENOMEM || err == -EAGAIN) {
		if (err == -ENOMEM)
			atomic_long_inc(&d->slow_writes);
		INIT_WORK(&cmd->work, slow_work);
		queue_work(slow_wq, &cmd->work);
		return BLK_STS_OK;
	}
	status = errno_to_blk_status(err);
out_end:
	blk_mq_end_request(rq, status);
	return BLK_STS_OK;
}

const struct blk_mq_ops rxd_mq_ops = {
	.queue_rq	= rxd_queue_rq,
};

unsigned int rxd_queue_pdu_size(void)
{
	return sizeof(struct rxd_cmd);
}

int rxd_queue_init(void)
{
	slow_wq = alloc_workqueue("rxdsk", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	return slow_wq ? 0 : -ENOMEM;
}

void rxd_queue_exit(void)
{
	destroy_workqueue(slow_wq);
}
