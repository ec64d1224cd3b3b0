// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parts, the bios that go to the origin: made, submitted and freed.
 *
 * Parts come from a bioset with a rescuer, so that no allocation waits for a part that
 * is still on the submitter's list. Retries have a bioset without one, because a worker,
 * which has no list, makes them.
 */
#include <rx/pool.h>
#include <trace/events/block.h>
#include "block.h"
#include "cache.h"
#include "compat.h"
#include "io/part.h"
#include "memory/inflight.h"
#include "memory/pool.h"
#include "speed.h"

struct workqueue_struct *rxc_end_wq;

static struct rxc_part *part_of(struct rxc_cache *cache, struct bio *bio)
{
	struct rxc_part *part = container_of(bio, struct rxc_part, bio);

	part->cache = cache;
	part->held = 0;
	part->uncounted = 0;
	part->ahead = false;
	part->users_pages = false;
	percpu_ref_get(&cache->users);
	return part;
}

/*
 * Makes a part that carries the user's own pages. The caller sets its io. Returns NULL
 * if it would need to wait and @gfp does not allow that.
 */
struct rxc_part *rxc_part_clone(struct rxc_cache *cache, struct bio *user,
				struct bvec_iter iter, struct bio_set *parts,
				gfp_t gfp)
{
	struct bio *bio = bio_alloc_clone(cache->origin.bdev, user, gfp, parts);
	struct rxc_part *part;

	if (!bio)
		return NULL;
	bio->bi_iter = iter;
	bio->bi_opf &= ~REQ_POLLED;
	part = part_of(cache, bio);
	part->users_pages = true;
	return part;
}

/*
 * Makes a part without pages, for the caller to add, with the cgroup and priority of
 * @user. The caller sets its io, except for a fill. Returns NULL as rxc_part_clone() does.
 */
struct rxc_part *rxc_part_new(struct rxc_cache *cache, struct bio *user,
			      unsigned int vecs, blk_opf_t opf, gfp_t gfp,
			      struct bio_set *parts)
{
	/* With a device the bio would be charged to the submitter's cgroup first. */
	struct bio *bio = bio_alloc_bioset(NULL, vecs, opf, gfp, parts);

	if (!bio)
		return NULL;
	bio->bi_bdev = cache->origin.bdev;
	bio_clone_blkg_association(bio, user);
	bio->bi_ioprio = user->bi_ioprio;
	rx_bio_copy_hint(bio, user);
	return part_of(cache, bio);
}

/*
 * Lets a part without pages have some for up to @nr blocks, at least 1. Returns for how
 * many. The part's bio keeps the cgroup of @speed until it has none any more. Context: any.
 */
unsigned int rxc_part_hold(struct rxc_part *part, const struct rxc_speed *speed,
			   unsigned int nr)
{
	struct rxc_pool *pool = part->cache->pool;
	u32 kind = rxc_inflight_kind(part->cache->key, speed->class,
				     op_is_write(bio_op(&part->bio)));

	part->held = rxc_inflight_take(&pool->inflight, speed->cgroup, kind, nr,
				       pool->order, rxd_pool_slack(pool->memory),
				       &part->holder);
	return part->held;
}

/* Notes that pages for @nr blocks of a part are not in flight any more. */
void rxc_part_unhold(struct rxc_part *part, unsigned int nr)
{
	if (!nr)
		return;
	part->held -= nr;
	rxc_inflight_give(part->holder, nr, part->cache->pool->order);
}

/*
 * Frees a part, to which nothing else refers. The part has ended and left the tree, or
 * never entered it, so no reader can find it. Its waiters have been taken away. Its work
 * is not queued, but may be the caller. Context: any.
 */
void rxc_part_free(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;

	rxc_part_unhold(part, part->held);
	bio_put(&part->bio);
	percpu_ref_put(&cache->users);
}

/* Sets the range of a part to the blocks that @iter touches. */
void rxc_part_range(struct rxc_part *part, struct bvec_iter iter)
{
	part->busy.first = rxc_iter_first(part->cache, iter);
	part->busy.last = rxc_iter_last(part->cache, iter);
}

/*
 * Sends @bio, the part's own or a piece of it, to the origin. Block tracing shows that
 * the bio serves a request of the cache's device.
 */
void rxc_part_submit(const struct rxc_part *part, struct bio *bio)
{
	trace_block_bio_remap(bio, disk_devt(part->cache->disk),
			      bio->bi_iter.bi_sector);
	submit_bio_noacct(bio);
}
