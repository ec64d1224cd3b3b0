/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a mapping's blocks the iterator of a bio covers; part of rxcache.h. */
#ifndef _RXC_ITER_H
#define _RXC_ITER_H

static inline u64 rxc_iter_pos(struct bvec_iter iter)
{
	return (u64)iter.bi_sector << SECTOR_SHIFT;
}

static inline u64 rxc_iter_first(const struct rxc_map *map,
				 struct bvec_iter iter)
{
	return rxc_iter_pos(iter) >> map->block_shift;
}

static inline u64 rxc_iter_last(const struct rxc_map *map,
				struct bvec_iter iter)
{
	return (rxc_iter_pos(iter) + iter.bi_size - 1) >> map->block_shift;
}

/*
 * Moves @iter on by @bytes within one segment, but for its sector. Where the
 * origin takes buffers at any address, a segment ends anywhere in a sector, and
 * bio_advance_iter_single() would lose what is less than one each time. Who has
 * moved on by whole sectors adds them up with rxc_iter_moved().
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

/* Cuts @iter to what lies in blocks up to @last. */
static inline struct bvec_iter rxc_iter_until(const struct rxc_map *map,
					      struct bvec_iter iter, u64 last)
{
	u64 end = (last + 1) << map->block_shift;

	iter.bi_size = min_t(u64, iter.bi_size, end - rxc_iter_pos(iter));
	return iter;
}

static inline u64 rxc_iter_blocks(const struct rxc_map *map,
				  struct bvec_iter iter)
{
	return rxc_iter_last(map, iter) - rxc_iter_first(map, iter) + 1;
}

#endif
