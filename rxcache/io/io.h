/* SPDX-License-Identifier: GPL-2.0-only */
/* Ios: a user's bio that memory can't serve at once. */
#ifndef _RXC_IO_H
#define _RXC_IO_H

#include <linux/atomic.h>
#include <linux/blk_types.h>
#include <linux/llist.h>
#include "figures/stats.h"

struct kmem_cache;

/**
 * struct rxc_late - the counts of a read that must not wait, kept until its end, when
 *	it is known whether the origin refused it
 * @kind: the counter of the request
 * @hits: how many blocks were cached
 * @packed: how many of these were compressed
 * @hit_bytes: how many of their bytes the read wanted
 * @how: the counter of the blocks that were not cached
 * @blocks: how many blocks were not cached
 * @bytes: how many of their bytes the read wanted
 * @through: its source is sampled and the shadow gets the read, too
 * @run: with @through, whether the read continues a long sequential run
 */
struct rxc_late {
	u8 kind;
	u8 how;
	u16 hits;
	u16 packed;
	u16 blocks;
	u32 hit_bytes;
	u32 bytes;
	bool through;
	bool run;
};

/**
 * struct rxc_io - a user's bio that could not be served from memory at once
 * @start: for I/O accounting
 * @began: in ns, for the histograms; 0: memory served all of it, so this is no time of
 *	the origin
 * @late: of a read that must not wait
 * @ahead: some of its blocks were read ahead, or are just being
 * @used: blocks at the front of the rest that were read ahead and count as read by now; set
 *	by rxc_miss_read()
 * @pending: parts and waits that have not ended, and one for the submitter; not
 *	used for a write of one part
 * @status: the first error
 */
struct rxc_io {
	struct rxc_cache *cache;
	struct bio *bio;
	unsigned long start;
	u64 began;
	struct rxc_late late;
	bool ahead;
	u32 used;
	atomic_t pending;
	blk_status_t status;
};

/**
 * struct rxc_wait - a piece of an io that waits for a fill
 * @node: of rxc_part.waiters
 * @io: the io, which counts it as pending
 * @iter: the bytes of its bio that are to be copied
 */
struct rxc_wait {
	struct llist_node node;
	struct rxc_io *io;
	struct bvec_iter iter;
};

/* The result of an attempt to serve a piece of an io. */
enum rxc_begun {
	RXC_BEGUN,			/* the piece is under way */
	RXC_CACHED,			/* nothing was done: the first block is cached */
	RXC_WOULD_WAIT,			/* nothing was done: a wait would be needed */
};

extern struct kmem_cache *rxc_io_cache;
extern struct kmem_cache *rxc_wait_cache;

/* Context: any; process for rxc_io_count(), and for rxc_io_begin(), which may sleep. */
gfp_t rxc_bio_gfp(const struct bio *bio);
bool rxc_bio_may_go(const struct rxc_cache *cache, const struct bio *bio);
void rxc_bio_end(struct rxc_cache *cache, struct bio *bio, unsigned long start);
void rxc_io_init(struct rxc_io *io, struct rxc_cache *cache, struct bio *bio,
		 unsigned long start, u64 began);
struct rxc_io *rxc_io_begin(struct rxc_cache *cache, struct bio *bio,
			    unsigned long start, gfp_t gfp);
void rxc_io_refuse(struct rxc_cache *cache, struct bio *bio, unsigned long start);
void rxc_io_count(struct rxc_io *io, enum rxc_stat how, u64 blocks,
		  unsigned int bytes);
void rxc_io_end(struct rxc_io *io, blk_status_t status);
void rxc_io_put(struct rxc_io *io, blk_status_t status);

#endif
