/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place where kernel versions differ. Each wrapper has one meaning
 * on every kernel; rx_have.h says, as found by compiling probe/have_*.c, which
 * form the kernel offers. Nothing outside this folder tests RX_HAVE_*.
 */
#ifndef _RX_COMPAT_H
#define _RX_COMPAT_H

#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/mempolicy.h>
#include <linux/mmzone.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/shrinker.h>
#include <linux/workqueue.h>
#include "rx_have.h"

/* Block numbers, sizes of caches and addresses of pages are taken for 64 bits. */
#ifndef CONFIG_64BIT
#error "rxdsk and rxcache need a 64-bit kernel"
#endif

/*
 * For an array that is written before it is read: where the kernel has the
 * compiler zero the stack, this one is left out. Older kernels (6.1.20, 6.6.9,
 * 6.8) lack the name, not the compiler's attribute.
 */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* Workqueue flags: kernels that know the flag want one of the two said. */
#ifdef RX_HAVE_WQ_PERCPU
#define RX_WQ_PERCPU WQ_PERCPU
#else
#define RX_WQ_PERCPU 0
#endif

/* Waits until a timer is neither queued nor runs. Context: may sleep, or spin. */
#ifdef RX_HAVE_TIMER_DELETE
#define rx_timer_delete_sync timer_delete_sync
#else
#define rx_timer_delete_sync del_timer_sync
#endif

/* Tag set flags: merging must be asked for while the flag exists. */
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

/* Freeze and thaw of a queue; what freeze returns goes to thaw. May sleep. */
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

/* The expected lifetime of what is written, where bios carry it. */
static inline void rx_bio_copy_hint(struct bio *to, const struct bio *from)
{
#ifdef RX_HAVE_WRITE_HINT
	to->bi_write_hint = from->bi_write_hint;
#endif
}

/* A list of requests, and whether there is one in it; rq_list_pop() takes it. */
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
 * Enters a request that queue_rqs() was given among those in flight. From 6.7 on
 * blk_mq_start_request() does it; before, code that counts or waits for requests
 * would not see it.
 */
static inline void rx_rq_enter(struct request *rq)
{
	rq->mq_hctx->tags->rqs[rq->tag] = rq;
}

/*
 * Adds a request that has been served to a batch. Return: whether it is there; if
 * not, it is to be ended by itself. A failed one never is: a batch ends all it
 * holds with success. What the kernel's function takes for a failure has changed
 * and is not asked for: any number but 0, then a negative one (6.12.16 to 6.12.19,
 * 6.13.4 to 6.13.7), for which a blk_status_t or true is none, then true.
 */
static inline bool rx_add_to_batch(struct request *rq,
				   struct io_comp_batch *batch, bool failed,
				   void (*complete)(struct io_comp_batch *))
{
	return !failed && blk_mq_add_to_batch(rq, batch, false, complete);
}

#include "compat_claim.h"
#include "compat_disk.h"
#include "compat_mem.h"
#include "compat_shrinker.h"

#endif
