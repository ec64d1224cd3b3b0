// SPDX-License-Identifier: GPL-2.0-only
/* Read-ahead: blocks that a reader will want soon are read before it asks. See ahead.h. */
#include <linux/blkdev.h>
#include <linux/ioprio.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "figures/stats.h"
#include "io/ahead.h"
#include "io/fill.h"
#include "io/miss.h"
#include "io/part.h"
#include "memory/pool.h"
#include "speed.h"
#include "trace.h"

enum {
	/* The most bytes of one request, as of a fill (miss.c). */
	REQUEST_BYTES	= SZ_256K,
	/*
	 * Unread blocks and those in flight are at most 1/UNREAD_PART of all, as long as
	 * the policy keeps these: "rx" may have no more than that part on probation.
	 */
	UNREAD_PART	= 16,
	/* A stream is read ahead by at most 1/STREAM_PART of all. */
	STREAM_PART	= 64,
};

void rxc_ahead_init(struct rxc_cache *cache)
{
	unsigned int i;

	spin_lock_init(&cache->ahead.lock);
	for (i = 0; i < RXC_DISTANCES; i++)
		rxc_throttle_init(&cache->ahead.throttle[i]);
}

/* The cache has no device any more, and nothing in flight, so nobody has its forecast. */
void rxc_ahead_exit(struct rxc_cache *cache)
{
	if (cache->ahead.wq)
		destroy_workqueue(cache->ahead.wq);
	kvfree(cache->ahead.forecast);
	bioset_exit(&cache->ahead.parts);
}

bool rxc_ahead_fits(u64 size)
{
	return size <= RXC_AHEAD_AUTO || size >= RXC_AHEAD_BYTES_MIN;
}

int rxc_ahead_prepare(const struct rxc_cache *cache, u64 size, struct rxc_forecast **forecast)
{
	u64 blocks = cache->pool->blocks;

	lockdep_assert_held(&rxc_mutex);
	*forecast = NULL;
	if (size == RXC_AHEAD_OFF)
		return 0;
	*forecast = kvmalloc(rxc_forecast_bytes(blocks), GFP_KERNEL | __GFP_NOWARN);
	if (!*forecast)
		return -ENOMEM;
	rxc_forecast_init(*forecast, blocks);
	(*forecast)->most = clamp(blocks / STREAM_PART, 1ULL, (*forecast)->most);
	if (size != RXC_AHEAD_AUTO)
		(*forecast)->most = clamp(size >> cache->block_shift, 1ULL, (*forecast)->most);
	return 0;
}

/* The most blocks that the cache may have, of the room that caches may share. */
static u64 ahead_max(const struct rxc_cache *cache)
{
	u64 room = rxc_index_page_room(cache->index) ?: rxc_index_blocks(cache->index);

	return min(room, rxc_index_most(cache->index, cache->key));
}

/* How many of these it has for itself. */
static u64 ahead_own(const struct rxc_cache *cache)
{
	return div_u64(ahead_max(cache), max(READ_ONCE(cache->pool->sharers), 1U));
}

/* What was read in vain before is not charged any more. */
static void budget_begin(struct rxc_cache *cache, struct rxc_forecast *forecast)
{
	lockdep_assert_held(&cache->ahead.lock);
	rxc_budget_init(&forecast->budget, ahead_own(cache));
	forecast->budget.issued = atomic64_read(&cache->ahead.issued);
	forecast->budget.used = atomic64_read(&cache->ahead.used);
}

void rxc_ahead_dropped(struct rxc_cache *cache)
{
	spin_lock(&cache->ahead.lock);
	if (cache->ahead.forecast)
		budget_begin(cache, cache->ahead.forecast);
	spin_unlock(&cache->ahead.lock);
}

/* The former forecast is freed once no task has it: all use it under the lock. */
void rxc_ahead_set(struct rxc_cache *cache, u64 size, struct rxc_forecast *forecast)
{
	struct rxc_forecast *former;

	lockdep_assert_held(&rxc_mutex);
	spin_lock(&cache->ahead.lock);
	former = cache->ahead.forecast;
	if (forecast)
		budget_begin(cache, forecast);
	WRITE_ONCE(cache->ahead.forecast, forecast);
	spin_unlock(&cache->ahead.lock);
	WRITE_ONCE(cache->ahead.size, size);
	kvfree(former);
}

/* The time that a read of the origin takes now, in ns. */
static u32 ahead_latency(const struct rxc_ahead *ahead)
{
	return max(rxc_throttle_latency(&ahead->throttle[RXC_NEAR]),
		   rxc_throttle_latency(&ahead->throttle[RXC_FAR]));
}

void rxc_ahead_saved(struct rxc_cache *cache)
{
	rxc_count(cache, RXC_AHEAD_SAVED, ahead_latency(&cache->ahead));
}

/*
 * How many blocks may be unread or on their way: a part of what the cache has for itself, and
 * half of the room that is free, which unread blocks take from nobody.
 */
static u64 ahead_most(const struct rxc_cache *cache)
{
	u64 free = rxc_index_vacant(cache->index);

	if (rxc_index_pages_by(cache->index, cache->key) >= ahead_max(cache))
		free = 0;
	return ahead_own(cache) / UNREAD_PART + free / 2;
}

/* Returns how many blocks may be read ahead now. Near and far have half of the room each. */
static u64 ahead_room(const struct rxc_cache *cache, enum rxc_distance distance)
{
	const struct rxc_ahead *ahead = &cache->ahead;
	u64 in_flight = atomic_read(&ahead->in_flight[distance]);
	u64 both = atomic_read(&ahead->in_flight[RXC_NEAR]) +
		   atomic_read(&ahead->in_flight[RXC_FAR]);
	u64 unread = rxc_index_unread(cache->index, cache->key) + (both >> cache->block_shift);
	u64 room = rxc_throttle_room(&ahead->throttle[distance], in_flight);
	u64 most = ahead_most(cache);

	if (unread >= most)
		return 0;
	return min((most - unread + 1) / 2, room >> cache->block_shift);
}

/* The lowest priority that is no idle one, which may wait for as long as others have work. */
static void ahead_priority(struct bio *bio)
{
	if (IOPRIO_PRIO_CLASS(bio->bi_ioprio) != IOPRIO_CLASS_IDLE)
		bio->bi_ioprio = IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, IOPRIO_NR_LEVELS - 1);
}

static void ahead_send_work(struct work_struct *work)
{
	rxc_fill_send(container_of(work, struct rxc_part, work));
}

/*
 * Sends a fill that was entered. If the origin may wait, it would make the reader wait. Other
 * readers may have joined by now, so the queue is one that needs no memory to go on.
 */
static void ahead_send(struct rxc_part *part)
{
	if (part->bio.bi_opf & REQ_NOWAIT) {
		rxc_fill_send(part);
	} else {
		INIT_WORK(&part->work, ahead_send_work);
		queue_work(part->cache->ahead.wq, &part->work);
	}
}

/*
 * Makes a fill for up to @blocks blocks, with the pages that there are. Returns NULL if there
 * are none, or no memory.
 */
static struct rxc_part *ahead_fill(struct rxc_cache *cache, struct bio *reader, u64 first,
				   u64 blocks)
{
	blk_opf_t opf = REQ_OP_READ | REQ_RAHEAD;
	struct rxc_part *part;

	if (bdev_nowait(cache->origin.bdev))
		opf |= REQ_NOWAIT;
	part = rxc_part_new(cache, reader, blocks, opf, GFP_NOWAIT | __GFP_NOWARN,
			    &cache->ahead.parts);
	if (!part)
		return NULL;
	ahead_priority(&part->bio);
	part->ahead = true;
	part->speed = rxc_speed_of(&part->bio);
	part->first.io = NULL;
	part->wanted = 0;
	rxc_fill_pages(part, first, blocks);
	if (part->bio.bi_vcnt)
		return part;
	rxc_fill_undo(part);
	return NULL;
}

static bool ahead_cached(void *arg, u64 block)
{
	struct rxc_cache *cache = arg;

	return rxc_index_has(cache->index, rxc_cache_key(cache, block));
}

/* Whoever wants a block that is in flight reads it. */
static bool ahead_suits(const struct rxc_busy *busy, void *arg)
{
	return true;
}

/* Returns for how many blocks from @first on a write or fill is in flight. */
static u64 ahead_busy(struct rxc_cache *cache, u64 first)
{
	struct rxc_busy_held held;
	struct rxc_busy_found found;
	u64 blocks = 0;

	if (rxc_busy_quiet(&cache->busy, first, first))
		return 0;
	rxc_busy_lock(&cache->busy, first, first, &held);
	if (rxc_busy_find(&cache->busy, first, ahead_suits, NULL, &found))
		blocks = found.last - first + 1;
	rxc_busy_unlock(&cache->busy, &held);
	return blocks;
}

/*
 * Reads up to @blocks blocks from @first on, of which the first one was neither cached nor in
 * flight a moment ago. Returns how many will be read, 0 if none can be.
 */
static u64 ahead_begin(struct rxc_cache *cache, struct bio *reader, enum rxc_distance distance,
		       u64 first, u64 blocks)
{
	struct rxc_part *part = ahead_fill(cache, reader, first, blocks);
	struct rxc_busy_found found;
	struct rxc_busy_held held;
	u64 last;
	bool entered;

	if (!part)
		return 0;
	last = first + part->bio.bi_vcnt - 1;
	rxc_busy_lock(&cache->busy, first, last, &held);
	/* A write or fill in flight wins, and so does a block that has come meanwhile. */
	entered = !READ_ONCE(cache->frozen) && !ahead_cached(cache, first) &&
		  !rxc_busy_find(&cache->busy, first, ahead_suits, NULL, &found);
	if (entered) {
		part->busy.first = first;
		part->busy.last = rxc_busy_free_until(&cache->busy, first, last,
						      ahead_suits, NULL);
		rxc_fill_fit(part);
		rxc_busy_enter_fill(&cache->busy, &part->busy);
	}
	rxc_busy_unlock(&cache->busy, &held);
	if (!entered) {
		rxc_fill_undo(part);
		return 0;
	}
	blocks = part->busy.last - first + 1;
	part->ahead_bytes = blocks << cache->block_shift;
	part->distance = distance;
	atomic_add(part->ahead_bytes, &cache->ahead.in_flight[distance]);
	part->replaced = rxc_iter_blocks(cache, reader->bi_iter);
	atomic64_add(blocks, &cache->ahead.issued);
	rxc_count(cache, RXC_AHEAD_ISSUED, blocks);
	trace_rxcache_ahead(cache, first, blocks);
	ahead_send(part);
	return blocks;
}

/*
 * Reads the blocks of a wish that are neither cached nor in flight. Returns false if there is
 * no memory, or if another task was quicker; what is left of the wishes is then dropped.
 */
static bool ahead_fetch(struct rxc_cache *cache, struct bio *reader, const struct rxc_wish *wish)
{
	u64 block, end = wish->last + 1, run, most;

	for (block = wish->first; block < end; block += run) {
		run = ahead_cached(cache, block);
		if (!run)
			run = ahead_busy(cache, block);
		if (run)
			continue;
		most = min((u64)REQUEST_BYTES >> cache->block_shift,
			   rxc_miss_most(cache, block, bdev_nowait(cache->origin.bdev)));
		/* The origin does not take even one block as one request. */
		run = 1;
		if (!most)
			continue;
		while (run < most && block + run < end && !ahead_cached(cache, block + run))
			run++;
		run = ahead_begin(cache, reader, wish->distance, block, run);
		if (!run)
			return false;
	}
	return true;
}

void rxc_ahead_read(struct rxc_cache *cache, struct bio *bio, u64 missed, bool asked)
{
	struct rxc_ahead *ahead = &cache->ahead;
	struct rxc_reading reading;
	struct rxc_wishes wishes;
	unsigned int i;

	/* A task that frees memory would get reserves for it. */
	if (!READ_ONCE(ahead->forecast) || READ_ONCE(cache->frozen) ||
	    current->flags & PF_MEMALLOC)
		return;
	reading = (struct rxc_reading){
		.first = rxc_iter_first(cache, bio->bi_iter),
		.missed = missed,
		.last = rxc_iter_last(cache, bio->bi_iter),
		.now = ktime_get_ns(),
		.latency = ahead_latency(ahead),
		.room = { ahead_room(cache, RXC_NEAR), ahead_room(cache, RXC_FAR) },
		.asked = asked,
		.cached = ahead_cached,
		.arg = cache,
	};
	wishes.nr = 0;
	if (!spin_trylock(&ahead->lock))
		return;
	if (ahead->forecast) {
		ahead->forecast->blocks = ((READ_ONCE(cache->bytes) - 1) >> cache->block_shift) + 1;
		rxc_budget_bound(&ahead->forecast->budget, ahead_own(cache));
		reading.issued = atomic64_read(&ahead->issued);
		reading.used = atomic64_read(&ahead->used);
		rxc_forecast_read(ahead->forecast, &reading, &wishes);
	}
	spin_unlock(&ahead->lock);
	for (i = 0; i < wishes.nr; i++)
		if (!ahead_fetch(cache, bio, &wishes.wish[i]))
			break;
}
