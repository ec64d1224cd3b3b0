/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts: the bios that go to the origin. */
#ifndef _RXC_PART_H
#define _RXC_PART_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/llist.h>
#include <linux/workqueue.h>
#include <rx/pages.h>
#include "blocks/busy.h"
#include "io/io.h"
#include "speed.h"

struct rxc_holder;
struct rxc_cache;

enum {
	/* A user's bio is cut to RXC_MAX_SECTORS; a part holds up to RXC_PART_VECS. */
	RXC_MAX_SECTORS = 1024 * 1024 / SECTOR_SIZE,
	RXC_PART_VECS = BIO_MAX_VECS,
};

/**
 * struct rxc_part - one bio sent to the origin
 * @io: the io that the part belongs to; unused for a fill, which has waiters instead
 * @busy: its range; entered, except for a flush
 * @work: the end of a fill or a write, or the sending of a part by bounce.c
 * @holder: of @held; see inflight.h
 * @held: pages for how many blocks the part may have
 * @began: of a read: the time when it was sent, in ns
 * @uncounted: it is not counted yet, because the origin may refuse it: its bytes; else 0
 * @beside: of a read: which read-ahead was in flight when it was sent, bits of rxc_distance
 * @ahead: it is a fill that reads ahead, without a reader of its own (ahead.h)
 * @ahead_bytes: of such a fill: its bytes
 * @distance: of such a fill: enum rxc_distance
 * @replaced: of such a fill: blocks of the reads of its reader
 * @users_pages: it carries pages of the user's bio; constant once it is sent
 * @first: the wait of the reader that began the fill; its io is NULL once the
 *	origin has refused the fill, and if the fill reads ahead
 * @waiters: the other waits of a fill. They are added under any one of the locks of the
 *	fill's range, and taken away under all of them
 * @wanted: bytes that the waiters of a fill want; a hint, READ_ONCE/WRITE_ONCE
 * @speed: of a fill: that of the reader that began it; constant
 * @kept: pages of a write that will be stored; keep.c describes their page->private
 * @head_whole: of a write that keeps pages: it covers its first block whole
 * @tail_whole: likewise for its last block; the blocks between are always covered whole
 * @bypassed: of a write: blocks of it that are not kept; the end counts them
 * @was_frozen: of a write that keeps pages: the cache was frozen when it began
 * @own: of a write with a single part: the io that @io points to
 */
struct rxc_part {
	struct rxc_cache *cache;
	struct rxc_io *io;
	struct rxc_busy busy;
	struct work_struct work;
	struct rxc_holder *holder;
	unsigned int held;
	u64 began;
	unsigned int uncounted;
	u32 ahead_bytes;
	u32 replaced;
	u8 beside;
	u8 distance;
	bool ahead;
	bool users_pages;
	union {
		struct {
			struct llist_head waiters;
			struct rxc_wait first;
			u64 wanted;
			struct rxc_speed speed;
		};
		struct {
			struct rx_pages kept;
			bool head_whole;
			bool tail_whole;
			bool was_frozen;
			u32 bypassed;
			struct rxc_io own;
		};
	};
	struct bio bio;			/* last: the bioset puts vecs behind it */
};

/* For ends too long for interrupts, and for what others wait for: its works never wait. */
extern struct workqueue_struct *rxc_end_wq;

struct rxc_part *rxc_part_clone(struct rxc_cache *cache, struct bio *user,
				struct bvec_iter iter, struct bio_set *parts,
				gfp_t gfp);
struct rxc_part *rxc_part_new(struct rxc_cache *cache, struct bio *user,
			      unsigned int vecs, blk_opf_t opf, gfp_t gfp,
			      struct bio_set *parts);
void rxc_part_free(struct rxc_part *part);	/* any context */
unsigned int rxc_part_hold(struct rxc_part *part, const struct rxc_speed *speed,
			   unsigned int nr);
void rxc_part_unhold(struct rxc_part *part, unsigned int nr);	/* any context */
void rxc_part_range(struct rxc_part *part, struct bvec_iter iter);
void rxc_part_submit(const struct rxc_part *part, struct bio *bio);

#endif
