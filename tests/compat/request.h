/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of kernel.h: requests, lists of them, batches, bios. */
struct bio {
	unsigned int bi_opf;
#if SINCE(6, 9)
	int bi_write_hint;
#endif
};

struct blk_mq_tags { struct request **rqs; };
struct blk_mq_hw_ctx { struct blk_mq_tags *tags; };

struct request {
	struct request *rq_next;
	struct blk_mq_hw_ctx *mq_hctx;
	int tag;
};

#if !SINCE(6, 14)
#define BLK_MQ_F_SHOULD_MERGE 1u
#endif

/* Debian's 6.12.107 has rq_list, too, as later ones of that series may. */
#if SINCE(6, 13) || STABLE(6, 12, 107, 999)
#define RXT_RQ_LIST 1
struct rq_list { struct request *head, *tail; };
#define RXT_LIST struct rq_list

__unused_fn int rq_list_empty(const struct rq_list *list)
{
	return !list->head;
}

__unused_fn void rq_list_add_tail(struct rq_list *list, struct request *rq)
{
	list->head = list->tail = rq;
}
#else
#define RXT_LIST struct request *
#define rq_list_empty(list) ((list) == (struct request *)NULL)
#define rq_list_add_tail(list, rq) (*(list) = (rq))
#endif

struct io_comp_batch {
	RXT_LIST req_list;
	void (*complete)(struct io_comp_batch *batch);
};

/* A failure: true; or a negative number, in a few; or any that is not 0. */
#if SINCE(6, 14) || STABLE(6, 13, 8, 999) || STABLE(6, 12, 20, 999)
#define RXT_FAILURE bool
#define RXT_FAILED(error) (error)
#elif STABLE(6, 13, 4, 7) || STABLE(6, 12, 16, 19)
#define RXT_FAILURE int
#define RXT_FAILED(error) ((error) < 0)
#else
#define RXT_FAILURE int
#define RXT_FAILED(error) ((error) != 0)
#endif

__unused_fn bool blk_mq_add_to_batch(struct request *rq,
				     struct io_comp_batch *batch,
				     RXT_FAILURE error,
				     void (*complete)(struct io_comp_batch *))
{
	if (!batch || RXT_FAILED(error))
		return false;
	if (!batch->complete)
		batch->complete = complete;
	else if (batch->complete != complete)
		return false;
	rq_list_add_tail(&batch->req_list, rq);
	return true;
}

#if SINCE(6, 14)
__unused_fn unsigned int blk_mq_freeze_queue(struct request_queue *q)
{
	q->frozen++;
	return 0x1234;
}

__unused_fn void blk_mq_unfreeze_queue(struct request_queue *q,
				       unsigned int memflags)
{
	if (memflags != 0x1234)
		bug("other flags than freeze gave");
	q->frozen--;
}
#else
__unused_fn void blk_mq_freeze_queue(struct request_queue *q)
{
	q->frozen++;
}

__unused_fn void blk_mq_unfreeze_queue(struct request_queue *q)
{
	q->frozen--;
}
#endif
