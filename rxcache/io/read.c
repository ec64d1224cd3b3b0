// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads: hits, the way through a read, and bypass mode.
 *
 * A bio that memory can serve is copied and ended here, in the submitter's
 * context, and takes no reference to the cache. Any other bio becomes an io (io.c),
 * and each run of missing blocks goes to miss.c. Nothing here waits for I/O,
 * because parts may still be on the submitter's own list.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/sampler.h"
#include "figures/source.h"
#include "figures/stats.h"
#include "figures/unread.h"
#include "io/ahead.h"
#include "io/bypass.h"
#include "io/copy.h"
#include "io/io.h"
#include "io/miss.h"
#include "io/read.h"
#include "memory/pool.h"
#include "packed/unpack.h"
#include "trace.h"

/*
 * Copies cached blocks from the front of @iter, and returns their number. A block with
 * a memory error does not count as cached, and leaves the cache. The policy knows already
 * that the first @used blocks are read: a hit more would make them dearer than blocks that
 * were read when their reader came.
 */
static __always_inline unsigned int copy_hits(struct rxc_cache *cache, struct bio *bio,
					      struct bvec_iter *iter, unsigned int used)
{
	u64 first = rxc_iter_first(cache, *iter), last = rxc_iter_last(cache, *iter);
	unsigned int mask = (1U << cache->block_shift) - 1;
	u64 block = first, ahead = first + 1;
	unsigned int offset, len;
	struct page *page;
	bool whole;

	/* The index needs it. A section for each block would make hits dearer. */
	rcu_read_lock();
	for (; iter->bi_size; block++) {
		rxc_prefetch(cache, block, last, &ahead);
		page = block - first < used ?
		       rxc_index_peek(cache->index, rxc_cache_key(cache, block)) :
		       rxc_index_get(cache->index, rxc_cache_key(cache, block));
		if (!page)
			break;
		offset = rxc_iter_pos(*iter) & mask;
		len = min(iter->bi_size, mask + 1 - offset);
		whole = rxc_copy_hit(bio, iter, page, offset, len);
		rxc_page_put(page);
		if (unlikely(!whole)) {
			rxc_pool_drop_bad(cache, block);
			break;
		}
	}
	rcu_read_unlock();
	return block - first;
}

/*
 * Copies cached blocks from the front of @iter on, the first one of which is not plain, and
 * returns their number. *@packed becomes the number of those that were compressed.
 */
static noinline unsigned int copy_packed(struct rxc_cache *cache, struct bio *bio,
					 struct bvec_iter *iter, unsigned int *packed)
{
	unsigned int hits = 0, more;

	*packed = 0;
	if (likely(!rxc_index_has_packed(cache->index, cache->key)))
		return 0;
	while (iter->bi_size) {
		more = rxc_unpack_hits(cache, bio, iter);
		if (!more)
			break;
		hits += more;
		*packed += more;
		if (iter->bi_size)
			hits += copy_hits(cache, bio, iter, 0);
	}
	return hits;
}

/* Counts the hits at the front of a bio, up to @iter. Context: process. */
static __always_inline void count_hits(struct rxc_cache *cache, const struct bio *bio,
				       struct bvec_iter iter, unsigned int hits)
{
	rxc_count(cache, RXC_READ_HIT, hits);
	rxc_count(cache, RXC_READ_HIT_BYTES, bio->bi_iter.bi_size - iter.bi_size);
	trace_rxcache_hit(cache, rxc_iter_first(cache, bio->bi_iter), hits);
}

/* Counts the hits that were compressed. */
static void count_packed(struct rxc_cache *cache, unsigned int packed)
{
	if (packed)
		rxc_count(cache, RXC_READ_HIT_COMPRESSED, packed);
}

/* Copies the next hits of a read that has missed a block. Counts them in @io->late. */
static unsigned int late_hits(struct rxc_io *io, struct bvec_iter *iter, unsigned int used)
{
	u64 first = rxc_iter_first(io->cache, *iter);
	unsigned int size = iter->bi_size;
	unsigned int hits = copy_hits(io->cache, io->bio, iter, used), packed;

	if (iter->bi_size) {
		hits += copy_packed(io->cache, io->bio, iter, &packed);
		io->late.packed += packed;
	}
	if (!hits)
		return 0;
	io->late.hits += hits;
	io->late.hit_bytes += size - iter->bi_size;
	trace_rxcache_hit(io->cache, first, hits);
	return hits;
}

static bool all_cached(struct rxc_cache *cache, struct bvec_iter iter)
{
	u64 block, last = rxc_iter_last(cache, iter);

	for (block = rxc_iter_first(cache, iter); block <= last; block++)
		if (!rxc_index_has(cache->index, rxc_cache_key(cache, block)))
			return false;
	return true;
}

/*
 * Cuts *@iter, which begins with a block that is not cached, to the missing blocks at
 * its front, and copies the cached blocks behind them. Returns false if not all blocks
 * behind the front are cached.
 */
static bool cut_to_missing(struct rxc_io *io, struct bvec_iter *iter)
{
	struct rxc_cache *cache = io->cache;
	struct bio *bio = io->bio;
	u64 blocks = rxc_miss_count(cache, *iter, U64_MAX);
	u64 end = (rxc_iter_first(cache, *iter) + blocks) << cache->block_shift;
	u64 lack = min_t(u64, iter->bi_size, end - rxc_iter_pos(*iter));
	struct bvec_iter rest = *iter;

	iter->bi_size = lack;
	if (lack == rest.bi_size)
		return true;
	bio_advance_iter(bio, &rest, lack);
	if (!all_cached(cache, rest))
		return false;
	while (rest.bi_size) {
		u64 used = rxc_unread_use(cache, rxc_iter_first(cache, rest),
					  rxc_iter_last(cache, rest));

		if (!late_hits(io, &rest, used))
			return false;
	}
	return true;
}

/*
 * A read that must not wait, as io_uring and RWF_NOWAIT send them, is served whole or
 * refused with EAGAIN. The cache refuses it before any part is sent. Hits may have
 * been copied by then, which does no harm. All missing blocks come by one part, or by
 * one fill of another reader, because the origin could refuse a second part when the
 * first one is under way. The caller comes back and may wait then.
 *
 * The origin may refuse the part, too, because the part must not wait either. Then the
 * read ends with EAGAIN after this function has returned. So io.c counts the read at
 * its end.
 *
 * Serves a read from @iter on, which begins with a block that is not cached, behind @hits
 * blocks that were, @packed of them compressed. Context: process, does not sleep.
 */
static void read_nowait(struct rxc_cache *cache, struct bio *bio, struct bvec_iter iter,
			unsigned long start, unsigned int hits, unsigned int packed)
{
	gfp_t gfp = rxc_bio_gfp(bio);
	struct rxc_io *io = rxc_io_begin(cache, bio, start, gfp);
	u64 missed = rxc_iter_first(cache, iter);
	enum rxc_begun begun;

	if (!io) {
		rxc_io_refuse(cache, bio, start);
		return;
	}
	io->late.hits = hits;
	io->late.packed = packed;
	io->late.hit_bytes = bio->bi_iter.bi_size - iter.bi_size;
	do {
		begun = RXC_WOULD_WAIT;
		if (cut_to_missing(io, &iter))
			begun = rxc_miss_read(io, &iter, gfp);
		if (begun == RXC_CACHED)
			late_hits(io, &iter, io->used);
	} while (begun == RXC_CACHED && iter.bi_size);
	if (begun != RXC_BEGUN) {
		io->late.kind = RXC_READ_FULL;
		io->began = 0;
	} else {
		io->late.kind = io->late.hits ? RXC_READ_PARTIAL : RXC_READ_NONE;
	}
	io->late.through = true;
	io->late.run = begun != RXC_WOULD_WAIT && rxc_sample_run(cache, bio);
	if (begun != RXC_WOULD_WAIT)
		rxc_ahead_read(cache, bio, missed, begun == RXC_BEGUN && !io->ahead);
	rxc_io_put(io, begun == RXC_WOULD_WAIT ? BLK_STS_AGAIN : BLK_STS_OK);
}

/* Returns the time if the read is to be timed, should it be a hit, else 0. */
static u64 hit_began(const struct rxc_cache *cache)
{
	return this_cpu_read(cache->stats->count[RXC_READ_FULL]) %
	       RXC_HITS_TIMED ? 0 : ktime_get_ns();
}

/*
 * Serves a read from @iter on, which begins with a block that is not cached, behind @hits
 * blocks that were, @packed of them compressed. Context: as rxc_read().
 */
static noinline void read_rest(struct rxc_cache *cache, struct bio *bio,
			       struct bvec_iter iter, unsigned long start,
			       unsigned int hits, unsigned int packed, u64 began)
{
	u64 missed = rxc_iter_first(cache, iter);
	enum rxc_stat kind = RXC_READ_FULL;
	struct rxc_io *io;
	bool asked;

	if (bio->bi_opf & REQ_NOWAIT) {
		read_nowait(cache, bio, iter, start, hits, packed);
		return;
	}
	if (hits)
		count_hits(cache, bio, iter, hits);
	io = rxc_io_begin(cache, bio, start, GFP_NOIO);
	do {
		/* This waits if necessary, so it either begins I/O or finds a hit. */
		asked = rxc_miss_read(io, &iter, GFP_NOIO) == RXC_BEGUN;
		if (asked)
			kind = RXC_READ_NONE;
		if (iter.bi_size && late_hits(io, &iter, io->used))
			asked = false;
	} while (iter.bi_size);
	if (io->late.hits) {
		rxc_count(cache, RXC_READ_HIT, io->late.hits);
		rxc_count(cache, RXC_READ_HIT_BYTES, io->late.hit_bytes);
	}
	count_packed(cache, packed + io->late.packed);
	if (kind == RXC_READ_NONE && (hits || io->late.hits))
		kind = RXC_READ_PARTIAL;
	if (kind == RXC_READ_FULL)
		io->began = 0;
	rxc_count(cache, kind, 1);
	if (began || kind != RXC_READ_FULL)
		rxc_source_note(cache, bio, kind, began);
	rxc_sample_served(cache, bio);
	if (io->ahead && kind == RXC_READ_FULL)
		rxc_ahead_saved(cache);
	rxc_ahead_read(cache, bio, missed, asked && !io->ahead);
	rxc_io_put(io, BLK_STS_OK);
}

/* Serves a read. Context: process, sleeps unless the bio is REQ_NOWAIT. */
void rxc_read(struct rxc_cache *cache, struct bio *bio)
{
	u64 began = hit_began(cache);
	unsigned long start = bio_start_io_acct(bio);
	struct bvec_iter iter = bio->bi_iter;
	unsigned int hits = copy_hits(cache, bio, &iter, 0), packed;

	if (iter.bi_size) {
		hits += copy_packed(cache, bio, &iter, &packed);
		if (iter.bi_size) {
			read_rest(cache, bio, iter, start, hits, packed, began);
			return;
		}
		count_packed(cache, packed);
	}
	count_hits(cache, bio, iter, hits);
	rxc_count(cache, RXC_READ_FULL, 1);
	/* Most hits are neither timed nor sampled for their source. */
	if (unlikely(began))
		rxc_source_note(cache, bio, RXC_READ_FULL, began);
	rxc_sample_served(cache, bio);
	rxc_bio_end(cache, bio, start);
}

/* Serves a read in bypass mode, as if there were no cache. Context: as rxc_read(). */
void rxc_read_past(struct rxc_cache *cache, struct bio *bio)
{
	unsigned long start = bio_start_io_acct(bio);
	struct bvec_iter iter = bio->bi_iter;
	u64 first = rxc_iter_first(cache, iter);
	u64 blocks = rxc_iter_last(cache, iter) - first + 1;
	gfp_t gfp = rxc_bio_gfp(bio);
	struct rxc_io *io = rxc_io_begin(cache, bio, start, gfp);

	if (!io) {
		rxc_io_refuse(cache, bio, start);
		return;
	}
	if (rxc_bypass_read(io, &iter, RXC_BYPASS_ALL, gfp) != RXC_BEGUN) {
		rxc_io_put(io, BLK_STS_AGAIN);
		return;
	}
	if (bio->bi_opf & REQ_NOWAIT)
		io->late.kind = RXC_READ_NONE;
	else
		rxc_count(cache, RXC_READ_NONE, 1);
	rxc_io_count(io, RXC_READ_BYPASS_MODE, blocks, iter.bi_size);
	trace_rxcache_bypass(cache, first, blocks, RXC_READ_BYPASS_MODE);
	rxc_io_put(io, BLK_STS_OK);
}
