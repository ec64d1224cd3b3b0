/* SPDX-License-Identifier: GPL-2.0-only */
/* A cache's blocks, and the blocks that the iterator of a bio covers. */
#ifndef _RXC_BLOCK_H
#define _RXC_BLOCK_H

#include <linux/bvec.h>
#include <linux/minmax.h>
#include "blocks/index.h"
#include "cache.h"

/* The index sets of this many blocks ahead are prefetched. */
enum { RXC_PREFETCH = 4 };

static inline u64 rxc_cache_key(const struct rxc_cache *cache, u64 block)
{
	return rxc_key(cache->key, block);
}

/* Whether an origin of @bytes has more blocks than there are keys for them. */
static inline bool rxc_block_too_many(const struct rxc_cache *cache, u64 bytes)
{
	return (bytes - 1) >> cache->block_shift > RXC_BLOCK_LAST;
}

/*
 * Prefetches the index sets of the blocks after @block, up to @last, because neighbours
 * lie in sets far apart. *@ahead is the next block to prefetch, at first the one after
 * the first block. Context: as rxc_index_prefetch().
 */
static inline void rxc_prefetch(struct rxc_cache *cache, u64 block, u64 last,
				u64 *ahead)
{
	for (; *ahead <= min(last, block + RXC_PREFETCH); ++*ahead)
		rxc_index_prefetch(cache->index, rxc_cache_key(cache, *ahead));
}

/* Returns how many bytes of a block lie within the origin. */
static inline unsigned int rxc_block_bytes(const struct rxc_cache *cache, u64 block)
{
	u64 begin = block << cache->block_shift;

	return min_t(u64, 1U << cache->block_shift, READ_ONCE(cache->bytes) - begin);
}

static inline u64 rxc_iter_pos(struct bvec_iter iter)
{
	return (u64)iter.bi_sector << SECTOR_SHIFT;
}

static inline u64 rxc_iter_first(const struct rxc_cache *cache,
				 struct bvec_iter iter)
{
	return rxc_iter_pos(iter) >> cache->block_shift;
}

static inline u64 rxc_iter_last(const struct rxc_cache *cache,
				struct bvec_iter iter)
{
	return (rxc_iter_pos(iter) + iter.bi_size - 1) >> cache->block_shift;
}

/*
 * Moves @iter on by @bytes within one segment, except for its sector. If the origin
 * takes buffers at any address, a segment may end within a sector, and
 * bio_advance_iter_single() would lose the rest of a sector each time. The caller moves
 * the sector on with rxc_iter_moved(), by whole sectors.
 */
static inline void rxc_iter_step(const struct bio *bio, struct bvec_iter *iter,
				 unsigned int bytes)
{
	bvec_iter_advance_single(bio->bi_io_vec, iter, bytes);
}

static inline void rxc_iter_moved(struct bvec_iter *iter, unsigned int bytes)
{
	iter->bi_sector += bytes >> SECTOR_SHIFT;
}

/* Returns @iter, cut to the blocks up to @last. */
static inline struct bvec_iter rxc_iter_until(const struct rxc_cache *cache,
					      struct bvec_iter iter, u64 last)
{
	u64 end = (last + 1) << cache->block_shift;

	iter.bi_size = min_t(u64, iter.bi_size, end - rxc_iter_pos(iter));
	return iter;
}

static inline u64 rxc_iter_blocks(const struct rxc_cache *cache,
				  struct bvec_iter iter)
{
	return rxc_iter_last(cache, iter) - rxc_iter_first(cache, iter) + 1;
}

#endif
