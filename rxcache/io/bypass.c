// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads past the cache, into the user's own pages. The reason is the mode, a freeze, a
 * range in flight, a fill that can't be made, or a fill that did not serve the reader.
 */
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "io/bypass.h"
#include "io/io.h"
#include "io/origin.h"
#include "io/part.h"
#include "memory/pool.h"

static void bypass_end(struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);
	struct rxc_io *io = part->io;
	blk_status_t status;

	rxc_origin_answered(part);
	status = bio->bi_status;
	rxc_busy_leave(&part->cache->busy, &part->busy);
	rxc_part_free(part);
	rxc_io_put(io, status);
}

/* Returns @iter, cut to the blocks at its front that are not cached. */
static struct bvec_iter bypass_uncached(struct rxc_cache *cache,
					struct bvec_iter iter)
{
	u64 block = rxc_iter_first(cache, iter), last = rxc_iter_last(cache, iter);
	u64 begin = rxc_iter_pos(iter);

	for (; block <= last; block++)
		if (rxc_index_has(cache->index, rxc_cache_key(cache, block)))
			break;
	if (block <= last)
		iter.bi_size = max(block << cache->block_shift, begin) - begin;
	return iter;
}

/* Cuts *@iter for RXC_BYPASS_UNCACHED, see rxc_bypass_read(). */
static enum rxc_begun bypass_cut(struct rxc_cache *cache, struct bvec_iter *iter,
				 gfp_t gfp)
{
	struct bvec_iter cut = bypass_uncached(cache, *iter);

	if (!cut.bi_size)
		return RXC_CACHED;
	if (cut.bi_size < iter->bi_size && !(gfp & __GFP_DIRECT_RECLAIM))
		return RXC_WOULD_WAIT;
	*iter = cut;
	return RXC_BEGUN;
}

static void bypass_drop(struct rxc_cache *cache, struct bvec_iter iter)
{
	u64 block, last = rxc_iter_last(cache, iter);

	if (!rxc_index_used_by(cache->index, cache->key))
		return;
	for (block = rxc_iter_first(cache, iter); block <= last; block++)
		rxc_pool_drop(cache, block);
}

/*
 * Reads past the cache, with the flags of the user's bio. No later read may get an older
 * copy from the cache, see busy.h. So RXC_BYPASS_UNCACHED cuts *@iter before the first
 * cached block, and RXC_BYPASS_ALL and _AGAIN drop cached blocks. With _RETRY, the range
 * of the failed fill is still in the tree and makes writes drop them. _RETRY and _AGAIN
 * may wait. Context: process, sleeps as @gfp says; if @gfp does not allow that, *@iter
 * is never cut.
 */
enum rxc_begun rxc_bypass_read(struct rxc_io *io, struct bvec_iter *iter,
			       enum rxc_bypass how, gfp_t gfp)
{
	struct rxc_busy_tree *busy = &io->cache->busy;
	struct rxc_cache *cache = io->cache;
	bool retry = how == RXC_BYPASS_RETRY || how == RXC_BYPASS_AGAIN;
	struct rxc_part *part = rxc_part_clone(cache, io->bio, *iter,
					       retry ? &cache->retries : &cache->parts,
					       gfp);
	enum rxc_begun begun = RXC_BEGUN;

	if (!part)
		return RXC_WOULD_WAIT;
	part->io = io;
	part->bio.bi_end_io = bypass_end;
	if (retry) {
		/* Else the reads of one fill would merge into one request, and fail as one. */
		part->bio.bi_opf |= REQ_NOMERGE;
		/* This runs in a worker, so waiting here holds up no submitter. */
		part->bio.bi_opf &= ~REQ_NOWAIT;
	}
	rxc_part_range(part, *iter);
	rxc_busy_enter_bypass(busy, &part->busy);
	/* In this order, see busy.h. A range wider than the cut read does no harm. */
	if (how == RXC_BYPASS_UNCACHED)
		begun = bypass_cut(cache, iter, gfp);
	else if (how != RXC_BYPASS_RETRY)
		bypass_drop(cache, *iter);
	if (begun != RXC_BEGUN) {
		rxc_busy_leave(busy, &part->busy);
		rxc_part_free(part);
		return begun;
	}
	part->bio.bi_iter.bi_size = iter->bi_size;
	atomic_inc(&io->pending);
	rxc_origin_read(part);
	return RXC_BEGUN;
}
