// SPDX-License-Identifier: GPL-2.0-only
/* The top of the data path: a bio arrives and goes to reads or to writes. */
#include <uapi/linux/rxcache.h>
#include "compat.h"
#include "figures/recent.h"
#include "figures/stats.h"
#include "io/bio.h"
#include "io/origin.h"
#include "io/read.h"
#include "io/write.h"
#include "map.h"

static noinline void bio_fail(struct rxc_map *map, struct bio *bio)
{
	rxc_recent_error(map, op_is_write(bio_op(bio)) ? RXC_WRITE_ERRORS : RXC_READ_ERRORS);
	bio_io_error(bio);
}

/*
 * Serves a read that must not be a hit, because the size of the origin has changed. Behind
 * the origin's end there is nothing that a hit could equal. Behind a former end, blocks
 * that are cached may have the content from before, until they are dropped. Returns false
 * for a bio to which neither applies. The notes are read first: follow.c sets
 * "origin_stale" before it takes them.
 */
static noinline bool bio_beyond(struct rxc_map *map, struct bio *bio)
{
	sector_t end = bio_end_sector(bio), now = rxc_origin_note_size(map), stale;

	if (bio_op(bio) != REQ_OP_READ)
		return false;
	if (end > now) {
		bio_fail(map, bio);
		return true;
	}
	stale = READ_ONCE(map->origin_least);
	/* Pairs with try_cmpxchg() in least_take(). */
	smp_rmb();
	/* Pairs with the release in tail_done(). */
	stale = min(stale, smp_load_acquire(&map->origin_stale));
	if (end <= stale)
		return false;
	bio = bio_split_to_limits(bio);
	if (bio)
		rxc_read_past(map, bio);
	return true;
}

/*
 * Serves a bio of a cache's device, or begins to. The block layer holds the queue's
 * usage counter during this call, so the cache can't be freed under it. Context:
 * process, may sleep.
 */
void rxc_submit_bio(struct bio *bio)
{
	struct rxc_map *map = bio->bi_bdev->bd_disk->private_data;

	if (unlikely(READ_ONCE(map->dead)) || rx_claim_gone_untold(&map->origin)) {
		rxc_origin_note_dead(map);
		bio_fail(map, bio);
		return;
	}
	if (unlikely(!READ_ONCE(map->ticking)))
		rxc_recent_wake(map);
	if (unlikely(rxc_origin_resized(map)) && bio_beyond(map, bio))
		return;
	/* A flush has no data, so there is nothing to split. */
	if (bio->bi_iter.bi_size) {
		bio = bio_split_to_limits(bio);
		if (!bio)
			return;
	}
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		if (READ_ONCE(map->mode) == RXCACHE_MODE_BYPASS)
			rxc_read_past(map, bio);
		else
			rxc_read(map, bio);
		return;
	case REQ_OP_WRITE:
	case REQ_OP_FLUSH:
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
		/* Linux 6.1 only warns of writes to a read-only disk. */
		if (map->read_only && bio->bi_iter.bi_size)
			bio_io_error(bio);
		else
			rxc_write(map, bio);
		return;
	default:
		bio->bi_status = BLK_STS_NOTSUPP;
		bio_endio(bio);
	}
}
