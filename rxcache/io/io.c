// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ios: a user's bio that memory can't serve becomes an io, whose parts go to the
 * origin. The bio ends with the last part or wait.
 *
 * Memory: a bio takes one io from the cache's mempool, and parts, see part.c. A write
 * of one part has its io in the part. With several parts, the part with the io would
 * have to stay until all parts have ended, while other tasks wait for a part. Except for
 * pieces (bounce.c), all other memory is taken without waiting and is optional.
 */
#include <linux/ktime.h>
#include "cache.h"
#include "figures/latency.h"
#include "figures/recent.h"
#include "figures/sampler.h"
#include "figures/source.h"
#include "figures/stats.h"
#include "io/io.h"

struct kmem_cache *rxc_io_cache;
struct kmem_cache *rxc_wait_cache;

/* Returns how to allocate memory for @bio: with waiting, unless the bio is REQ_NOWAIT. */
gfp_t rxc_bio_gfp(const struct bio *bio)
{
	return bio->bi_opf & REQ_NOWAIT ? GFP_NOWAIT | __GFP_NOWARN : GFP_NOIO;
}

void rxc_io_init(struct rxc_io *io, struct rxc_cache *cache, struct bio *bio,
		 unsigned long start, u64 began)
{
	io->cache = cache;
	io->bio = bio;
	io->start = start;
	io->began = began;
	io->late.hits = 0;
	io->late.packed = 0;
	io->late.hit_bytes = 0;
	io->late.blocks = 0;
	io->late.through = false;
	io->ahead = false;
	io->used = 0;
	io->status = BLK_STS_OK;
	atomic_set(&io->pending, 1);
}

/*
 * Returns whether a bio can go to the origin at all. If the origin has lost the ability to
 * refuse what has to wait, the cache refuses what must not. Context: any.
 */
bool rxc_bio_may_go(const struct rxc_cache *cache, const struct bio *bio)
{
	return !(bio->bi_opf & REQ_NOWAIT) || bdev_nowait(cache->origin.bdev);
}

/* Returns NULL if the bio would need to wait and must not. */
struct rxc_io *rxc_io_begin(struct rxc_cache *cache, struct bio *bio,
			    unsigned long start, gfp_t gfp)
{
	u64 began = ktime_get_ns();
	struct rxc_io *io;

	if (!rxc_bio_may_go(cache, bio))
		return NULL;
	io = mempool_alloc(&cache->ios, gfp);
	if (!io)
		return NULL;
	percpu_ref_get(&cache->users);
	rxc_io_init(io, cache, bio, start, began);
	return io;
}

/*
 * Counts blocks of a read that memory did not serve; @how is their counter. For a read
 * that must not wait this is called once at most, and the end of the read counts the
 * blocks. Context: process.
 */
void rxc_io_count(struct rxc_io *io, enum rxc_stat how, u64 blocks,
		  unsigned int bytes)
{
	if (io->bio->bi_opf & REQ_NOWAIT) {
		io->late.how = how;
		io->late.blocks = blocks;
		io->late.bytes = bytes;
	} else {
		rxc_count(io->cache, how, blocks);
		rxc_count(io->cache, RXC_READ_BYTES, bytes);
	}
}

/* Ends a user's bio, whose status is set. Context: any. */
void rxc_bio_end(struct rxc_cache *cache, struct bio *bio, unsigned long start)
{
	/* A refusal to wait is no error: the caller comes back and waits. */
	if (bio->bi_status && bio->bi_status != BLK_STS_AGAIN)
		rxc_recent_error(cache, op_is_write(bio_op(bio)) ?
				 RXC_WRITE_ERRORS : RXC_READ_ERRORS);
	bio_end_io_acct(bio, start);
	bio_endio(bio);
}

/* Refuses a read that must not wait; no part of it was sent. Context: any. */
void rxc_io_refuse(struct rxc_cache *cache, struct bio *bio, unsigned long start)
{
	rxc_count(cache, RXC_READ_AGAIN, 1);
	bio->bi_status = BLK_STS_AGAIN;
	rxc_bio_end(cache, bio, start);
}

/*
 * Adds the time of an io that did not fail to its histogram. A flush, which has no data,
 * does not count. The user's bio still has its size, because parts move iterators of
 * their own.
 */
static void io_count_time(const struct rxc_io *io)
{
	u64 ns = ktime_get_ns() - io->began;

	if (!io->began)
		return;
	if (bio_op(io->bio) == REQ_OP_READ)
		rxc_latency_add(io->cache, RXC_LATENCY_MISS, ns);
	else if (bio_op(io->bio) == REQ_OP_WRITE && io->bio->bi_iter.bi_size)
		rxc_latency_add(io->cache, RXC_LATENCY_WRITE, ns);
}

/*
 * Counts a read that must not wait and has ended with @status. Only the end tells whether
 * the origin refused the read. A refused read comes again, and must be one read with the
 * same hits and misses in the counters, and one in the shadow. Context: any.
 */
static void io_count_late(const struct rxc_io *io, blk_status_t status)
{
	const struct rxc_late *late = &io->late;
	struct rxc_cache *cache = io->cache;

	if (status == BLK_STS_AGAIN) {
		rxc_count(cache, RXC_READ_AGAIN, 1);
		return;
	}
	rxc_count(cache, late->kind, 1);
	if (late->hits) {
		rxc_count(cache, RXC_READ_HIT, late->hits);
		rxc_count(cache, RXC_READ_HIT_BYTES, late->hit_bytes);
	}
	if (late->packed)
		rxc_count(cache, RXC_READ_HIT_COMPRESSED, late->packed);
	if (late->blocks) {
		rxc_count(cache, late->how, late->blocks);
		rxc_count(cache, RXC_READ_BYTES, late->bytes);
	}
	if (late->through) {
		rxc_source_note(cache, io->bio, late->kind, 0);
		rxc_sample_read(cache, io->bio, late->run);
	}
}

/* Ends the bio: no part or wait of the io is under way any more. Context: any. */
void rxc_io_end(struct rxc_io *io, blk_status_t status)
{
	if (io->bio->bi_opf & REQ_NOWAIT) {
		if (bio_op(io->bio) == REQ_OP_READ)
			io_count_late(io, status);
		else if (status != BLK_STS_AGAIN)
			rxc_count_write(io->cache, io->bio);
	}
	if (status)
		io->bio->bi_status = status;
	else
		io_count_time(io);
	rxc_bio_end(io->cache, io->bio, io->start);
}

/* Ends one part or wait of an io, and with the last one the bio. Context: any. */
void rxc_io_put(struct rxc_io *io, blk_status_t status)
{
	struct rxc_cache *cache = io->cache;

	if (status)
		cmpxchg(&io->status, BLK_STS_OK, status);
	if (!atomic_dec_and_test(&io->pending))
		return;
	rxc_io_end(io, io->status);
	/*
	 * Nothing else refers to the io: each part and wait, and the submitter, has
	 * dropped its share. The cache, with the mempool, lives until the last put.
	 */
	mempool_free(io, &cache->ios);
	percpu_ref_put(&cache->users);
}
