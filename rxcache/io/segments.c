// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the origin takes as one request. The block layer refuses to split a request that
 * must not wait, so what the cache sends for it has to fit.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include "cache.h"
#include "compat.h"
#include "io/segments.h"

/*
 * Returns how many segments of the origin a block takes. No segment crosses a segment
 * boundary, and the memory of a block begins at one, because both sizes are powers of
 * two. The longest segment need not be one. queue_segment_boundary() returns a mask.
 */
unsigned int rxc_segments_block(const struct rxc_cache *cache)
{
	const struct request_queue *q = bdev_get_queue(cache->origin.bdev);
	unsigned long block = 1UL << cache->block_shift;
	unsigned long window = min(block - 1, queue_segment_boundary(q)) + 1;

	return block / window * DIV_ROUND_UP(window, queue_max_segment_size(q));
}

/*
 * Returns how many sectors the origin takes from @sector on as one request: its maximum,
 * but no more than the rest of its chunk. A request ends at a physical block if it can.
 */
unsigned int rxc_segments_room(const struct rxc_cache *cache, u64 sector)
{
	const struct request_queue *q = bdev_get_queue(cache->origin.bdev);
	unsigned int chunk = q->limits.chunk_sectors, room = queue_max_sectors(q);
	unsigned int block = queue_physical_block_size(q) >> SECTOR_SHIFT;
	unsigned int start, end;
	u32 in_chunk;

	/* The limits are those of the whole disk, and the origin may be a partition. */
	sector += get_start_sect(cache->origin.bdev);
	start = sector & (block - 1);
	if (chunk) {
		div_u64_rem(sector, chunk, &in_chunk);
		room = min(room, chunk - in_chunk);
	}
	end = round_down(start + room, block);
	return end > start ? end - start : room;
}

/*
 * Returns whether the origin takes as many sectors as @bio has as one request. For an
 * atomic write other limits hold, which the block layer has tested when it came: those of
 * the cache's device are no wider than the origin's. Context: any.
 */
bool rxc_segments_hold(const struct rxc_cache *cache, const struct bio *bio)
{
	return rx_bio_atomic(bio) ||
	       bio_sectors(bio) <= rxc_segments_room(cache, bio->bi_iter.bi_sector);
}

/* Returns how many segments one buffer takes, which may cross segment boundaries. */
static unsigned int buffer_segments(const struct request_queue *q,
				    const struct bio_vec *bv)
{
	u64 at = page_to_phys(bv->bv_page) + bv->bv_offset, window;
	unsigned int left = bv->bv_len, segments = 0, n;

	for (; left; left -= n, at += n, segments++) {
		window = queue_segment_boundary(q) - (at & queue_segment_boundary(q));
		window = min_t(u64, window, queue_max_segment_size(q) - 1);
		n = min_t(u64, left, window + 1);
	}
	return segments;
}

/*
 * Returns whether the origin takes @bio as one request, by its limits. A driver that
 * makes no use of the block layer's split may take more. Context: any.
 */
bool rxc_segments_fit(const struct rxc_cache *cache, const struct bio *bio)
{
	struct request_queue *q = bdev_get_queue(cache->origin.bdev);
	unsigned long boundary = queue_virt_boundary(q), end = 0;
	unsigned int segments = 0;
	struct bvec_iter iter;
	struct bio_vec bv;

	if (!rxc_segments_hold(cache, bio))
		return false;
	bio_for_each_bvec(bv, bio, iter) {
		if (segments && (end | bv.bv_offset) & boundary)
			return false;
		segments += buffer_segments(q, &bv);
		if (segments > queue_max_segments(q))
			return false;
		end = bv.bv_offset + bv.bv_len;
	}
	return true;
}
