// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads that must not wait, as io_uring and RWF_NOWAIT send them.
 *
 * Such a read is served whole or refused with EAGAIN, and is refused before any part
 * of it was sent. Hits may have been copied by then, which does no harm. What is
 * missing therefore comes by one part, or by one fill of another reader: a second
 * part could be refused by the origin when the first one is under way. The caller
 * comes back and may wait then.
 *
 * The origin gets to know that the part must not wait, and may refuse it: that ends
 * the read with EAGAIN, when this code has returned. Only the end of the read
 * tells whether it was one, so that is when it is counted. A read that is refused
 * comes again, and must be one miss in the counters and one read in the shadow.
 */
#include "rxcache.h"

void rxc_io_count(struct rxc_io *io, unsigned int how, u64 blocks,
		  unsigned int bytes)
{
	if (io->bio->bi_opf & REQ_NOWAIT) {
		io->late.how = how;
		io->late.blocks = blocks;
		io->late.bytes = bytes;
	} else {
		rxc_count(io->map, how, blocks);
		rxc_count(io->map, RXC_READ_OTHER_BYTES, bytes);
	}
}

void rxc_io_count_late(const struct rxc_io *io, blk_status_t status)
{
	const struct rxc_late *late = &io->late;
	struct rxc_map *map = io->map;

	if (status == BLK_STS_AGAIN) {
		rxc_count(map, RXC_READ_AGAIN, 1);
		return;
	}
	rxc_count(map, late->kind, 1);
	if (late->blocks) {
		rxc_count(map, late->how, late->blocks);
		rxc_count(map, RXC_READ_OTHER_BYTES, late->bytes);
	}
	if (late->through) {
		rxc_read_note(map, io->bio, late->kind, 0);
		rxc_sample_read(map, io->bio, late->run);
	}
}

static bool all_cached(struct rxc_map *map, struct bvec_iter iter)
{
	u64 block, last = rxc_iter_last(map, iter);

	for (block = rxc_iter_first(map, iter); block <= last; block++)
		if (!rxc_index_has(map->pool.index, rxc_map_key(map, block)))
			return false;
	return true;
}

/*
 * Cuts *@iter, which begins with a block that is not cached, to all that lack, and
 * copies what is cached behind. Returns false if more lack behind that. Adds to
 * *@any_hit whether there were hits.
 */
static bool cut_to_missing(struct rxc_map *map, struct bio *bio,
			   struct bvec_iter *iter, bool *any_hit)
{
	u64 blocks = rxc_count_missing(map, *iter, U64_MAX);
	u64 end = (rxc_iter_first(map, *iter) + blocks) << map->block_shift;
	u64 lack = min_t(u64, iter->bi_size, end - rxc_iter_pos(*iter));
	struct bvec_iter rest = *iter;

	iter->bi_size = lack;
	if (lack == rest.bi_size)
		return true;
	bio_advance_iter(bio, &rest, lack);
	if (!all_cached(map, rest))
		return false;
	*any_hit |= rxc_read_hits(map, bio, &rest);
	return !rest.bi_size;
}

void rxc_read_nowait(struct rxc_map *map, struct bio *bio, struct bvec_iter iter,
		     unsigned long start, bool any_hit)
{
	gfp_t gfp = rxc_bio_gfp(bio);
	struct rxc_io *io = rxc_io_begin(map, bio, start, gfp);
	int err;

	if (!io) {
		rxc_read_refuse(map, bio, start);
		return;
	}
	do {
		err = -EAGAIN;
		if (cut_to_missing(map, bio, &iter, &any_hit))
			err = rxc_read_miss(io, &iter, gfp);
		if (err == -EEXIST)
			any_hit |= rxc_read_hits(map, bio, &iter);
	} while (err == -EEXIST && iter.bi_size);
	if (err)
		io->late.kind = RXC_READ_FULL;
	else
		io->late.kind = any_hit ? RXC_READ_PARTIAL : RXC_READ_NONE;
	io->late.through = true;
	io->late.run = err != -EAGAIN && rxc_sample_run(map, bio);
	rxc_io_put(io, err == -EAGAIN ? BLK_STS_AGAIN : BLK_STS_OK);
}
