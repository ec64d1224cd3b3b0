/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Only this folder knows how kernel versions differ. Each wrapper has one meaning on
 * every kernel. rx_have.h says which forms the kernel offers; probe.sh compiles
 * probe/have_*.c and then writes rx_have.h. Nothing outside this folder tests RX_HAVE_*.
 */
#ifndef _RX_COMPAT_H
#define _RX_COMPAT_H

#include <linux/bitops.h>
#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/mempolicy.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/shrinker.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include "rx_have.h"

/* The code relies on 64 bits for block numbers, cache sizes and page addresses. */
#ifndef CONFIG_64BIT
#error "rxdsk and rxcache need a 64-bit kernel"
#endif

/*
 * For an array that is written before it is read: the compiler does not zero the
 * array where it zeroes the stack for the kernel. Older kernels (6.1.20, 6.6.9, 6.8)
 * lack the name, but not the compiler's attribute.
 */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* Kernels that have WQ_PERCPU require either WQ_PERCPU or WQ_UNBOUND. */
#ifdef RX_HAVE_WQ_PERCPU
#define RX_WQ_PERCPU WQ_PERCPU
#else
#define RX_WQ_PERCPU 0
#endif

/* Waits until a timer is neither queued nor running. Context: may sleep, or spin. */
#ifdef RX_HAVE_TIMER_DELETE
#define rx_timer_delete_sync timer_delete_sync
#else
#define rx_timer_delete_sync del_timer_sync
#endif

/* Prepares a timer that calls @ends. Context: any. */
#ifdef RX_HAVE_HRTIMER_SETUP
#define rx_hrtimer_setup hrtimer_setup
#else
#define rx_hrtimer_setup(timer, ends, clock, mode) do {	\
	hrtimer_init(timer, clock, mode);		\
	(timer)->function = (ends);			\
} while (0)
#endif

/* On kernels that have the flag, a tag set has to ask for merging. */
#ifdef RX_HAVE_SHOULD_MERGE
#define RX_MQ_F_MERGE BLK_MQ_F_SHOULD_MERGE
#else
#define RX_MQ_F_MERGE 0
#endif

/*
 * RX_DEFINE_OPEN(name) { ... } defines a block_device_operations open method;
 * its body sees "struct gendisk *disk".
 */
#ifdef RX_HAVE_OPEN_GENDISK
#define RX_DEFINE_OPEN(name) \
	static int name(struct gendisk *disk, blk_mode_t mode)
#else
#define RX_DEFINE_OPEN(name)						\
	static int name##_disk(struct gendisk *disk);			\
	static int name(struct block_device *bdev, fmode_t mode)	\
	{								\
		return name##_disk(bdev->bd_disk);			\
	}								\
	static int name##_disk(struct gendisk *disk)
#endif

/* Freezes a queue. rx_unfreeze_queue() needs the returned value. May sleep. */
static inline unsigned int rx_freeze_queue(struct request_queue *q)
{
#ifdef RX_HAVE_FREEZE_MEMFLAGS
	return blk_mq_freeze_queue(q);
#else
	blk_mq_freeze_queue(q);
	return 0;
#endif
}

static inline void rx_unfreeze_queue(struct request_queue *q,
				     unsigned int memflags)
{
#ifdef RX_HAVE_FREEZE_MEMFLAGS
	blk_mq_unfreeze_queue(q, memflags);
#else
	blk_mq_unfreeze_queue(q);
#endif
}

/* Copies the expected lifetime of the written data, on kernels where bios have it. */
static inline void rx_bio_copy_hint(struct bio *to, const struct bio *from)
{
#ifdef RX_HAVE_WRITE_HINT
	to->bi_write_hint = from->bi_write_hint;
#endif
}

/* The type of a list of requests for rq_list_pop(), and whether a list is empty. */
#ifdef RX_HAVE_RQ_LIST
typedef struct rq_list rx_rq_list;

static inline bool rx_rq_list_empty(const rx_rq_list *list)
{
	return rq_list_empty(list);
}
#else
typedef struct request *rx_rq_list;

static inline bool rx_rq_list_empty(const rx_rq_list *list)
{
	return rq_list_empty(*list);
}
#endif

/*
 * Enters a request that queue_rqs() was given into the table of requests in flight. From
 * 6.7 on blk_mq_start_request() does that. On older kernels, code that counts or waits for
 * requests would not see the request without this.
 */
static inline void rx_rq_enter(struct request *rq)
{
	rq->mq_hctx->tags->rqs[rq->tag] = rq;
}

/*
 * Adds a request that has been served with success to a batch, which ends all of its
 * requests so. Return: true if the batch has the request, false if the caller has to end
 * it. "false" is success with each kernel, while the value that means failure has changed:
 * first any number but 0, then a negative number (6.12.16 to 6.12.19, 6.13.4 to 6.13.7),
 * then true.
 */
static inline bool rx_add_to_batch(struct request *rq,
				   struct io_comp_batch *batch,
				   void (*complete)(struct io_comp_batch *))
{
	return blk_mq_add_to_batch(rq, batch, false, complete);
}

#include "compat_claim.h"
#include "compat_disk.h"
#include "compat_mem.h"
#include "compat_shrinker.h"

#endif
