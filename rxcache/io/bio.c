// SPDX-License-Identifier: GPL-2.0-only
/* The top of the data path: a bio arrives and goes to reads or to writes. */
#include <uapi/linux/rxcache.h>
#include "cache.h"
#include "compat.h"
#include "figures/recent.h"
#include "figures/stats.h"
#include "io/bio.h"
#include "io/origin.h"
#include "io/read.h"
#include "io/write.h"

static noinline void bio_fail(struct rxc_cache *cache, struct bio *bio)
{
	rxc_recent_error(cache, op_is_write(bio_op(bio)) ? RXC_WRITE_ERRORS : RXC_READ_ERRORS);
	bio_io_error(bio);
}

/*
 * Serves a read that must not be a hit, because the size of the origin has changed. Behind
 * the origin's end there is nothing that a hit could equal. Behind a former end, blocks
 * that are cached may have the content from before, until they are dropped. Returns false
 * for a bio to which neither applies.
 */
static noinline bool bio_beyond(struct rxc_cache *cache, struct bio *bio)
{
	sector_t end = bio_end_sector(bio), now = rxc_origin_note_size(cache);

	if (bio_op(bio) != REQ_OP_READ)
		return false;
	if (end > now) {
		bio_fail(cache, bio);
		return true;
	}
	if (end <= rxc_origin_stale_from(cache))
		return false;
	bio = bio_split_to_limits(bio);
	if (bio)
		rxc_read_past(cache, bio);
	return true;
}

/*
 * Serves a bio of a cache's device, or begins to. The block layer holds the queue's
 * usage counter during this call, so the cache can't be freed under it. Context:
 * process, may sleep.
 */
void rxc_submit_bio(struct bio *bio)
{
	struct rxc_cache *cache = bio->bi_bdev->bd_disk->private_data;

	if (unlikely(READ_ONCE(cache->dead)) || rx_claim_gone_untold(&cache->origin)) {
		rxc_origin_note_dead(cache);
		bio_fail(cache, bio);
		return;
	}
	if (unlikely(!READ_ONCE(cache->ticking)))
		rxc_recent_wake(cache);
	if (unlikely(rxc_origin_resized(cache)) && bio_beyond(cache, bio))
		return;
	/* A flush has no data, so there is nothing to split. */
	if (bio->bi_iter.bi_size) {
		bio = bio_split_to_limits(bio);
		if (!bio)
			return;
	}
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		if (READ_ONCE(cache->mode) == RXCACHE_MODE_BYPASS)
			rxc_read_past(cache, bio);
		else
			rxc_read(cache, bio);
		return;
	case REQ_OP_WRITE:
	case REQ_OP_FLUSH:
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
		/* Linux 6.1 only warns of writes to a read-only disk. */
		if (cache->read_only && bio->bi_iter.bi_size)
			bio_io_error(bio);
		else
			rxc_write(cache, bio);
		return;
	default:
		bio->bi_status = BLK_STS_NOTSUPP;
		bio_endio(bio);
	}
}
