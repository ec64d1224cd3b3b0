// SPDX-License-Identifier: GPL-2.0-only
/* Drops blocks and applies pins in the background. See backlog.h. */
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/sampler.h"
#include "io/ahead.h"
#include "life/backlog.h"
#include "life/bounds.h"
#include "life/message.h"
#include "memory/pool.h"
#include "packed/pack.h"

static const struct rxc_todo nothing = {
	.drop = { .first = 1, .last = 0 }, .settle = { .first = 1, .last = 0 },
};

static bool span_empty(const struct rxc_blocks *span)
{
	return span->last < span->first;
}

/* What lies between the two is added, too: it is dropped or settled for nothing. */
static void span_add(struct rxc_blocks *span, u64 first, u64 last)
{
	if (span_empty(span))
		*span = (struct rxc_blocks){ first, last };
	else
		*span = (struct rxc_blocks){ min(span->first, first), max(span->last, last) };
}

static u64 last_block(const struct rxc_cache *cache)
{
	return (READ_ONCE(cache->bytes) - 1) >> cache->block_shift;
}

static void backlog_begin(struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	cache->backlog.running = true;
	queue_work(rxc_life_wq, &cache->backlog.work);
}

void rxc_backlog_drop(struct rxc_cache *cache, u64 first, u64 last)
{
	span_add(&cache->backlog.todo.drop, first, last);
	backlog_begin(cache);
}

/* The device does not grow before these blocks are dropped. See follow.c. */
void rxc_backlog_drop_tail(struct rxc_cache *cache, u64 first, u64 last)
{
	cache->backlog.todo.tail = true;
	cache->backlog.tail = true;
	rxc_backlog_drop(cache, first, last);
}

void rxc_backlog_drop_all(struct rxc_cache *cache)
{
	cache->backlog.todo.all = true;
	rxc_backlog_drop(cache, 0, last_block(cache));
}

void rxc_backlog_stay(struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	cache->backlog.orders++;
	cache->backlog.leave = false;
}

/*
 * In bypass mode no read looks at the cache, so the cached blocks are dropped. Requests that
 * began before the change may still store blocks; these are dropped before it is left.
 */
void rxc_backlog_enter_bypass(struct rxc_cache *cache)
{
	WRITE_ONCE(cache->mode, RXCACHE_MODE_BYPASS);
	rxc_backlog_stay(cache);
	cache->backlog.todo.entered = true;
	rxc_backlog_drop(cache, 0, last_block(cache));
}

void rxc_backlog_leave_bypass(struct rxc_cache *cache, u32 mode)
{
	cache->backlog.orders++;
	cache->backlog.leave = true;
	cache->backlog.mode = mode;
	rxc_backlog_drop(cache, 0, last_block(cache));
}

void rxc_backlog_settle(struct rxc_cache *cache, u64 first, u64 last)
{
	span_add(&cache->backlog.todo.settle, first, last);
	backlog_begin(cache);
}

/* Applies the pinned ranges to the cached blocks, by the cheaper of two ways. */
static void settle(struct rxc_cache *cache, const struct rxc_blocks *span)
{
	struct rxc_index *index = cache->index;
	u64 block, cursor = 0;

	if (span->last - span->first < rxc_index_sets(index)) {
		for (block = span->first; block <= span->last; block++) {
			if (!((block - span->first) % 1024)) {
				if (READ_ONCE(cache->backlog.stop))
					return;
				cond_resched();
			}
			rxc_index_settle(index, rxc_cache_key(cache, block));
		}
		return;
	}
	while (cursor < RXC_WALK_END && !READ_ONCE(cache->backlog.stop)) {
		rxc_index_settle_all(index, rxc_cache_key(cache, span->first),
				     rxc_cache_key(cache, span->last), &cursor);
		cond_resched();
	}
}

/*
 * Takes what there is to do, and in *@leave the number of the order to leave bypass mode, or
 * 0. Returns false, and the work has ended, if that is nothing.
 */
static bool backlog_take(struct rxc_cache *cache, struct rxc_todo *now, u64 *leave)
{
	struct rxc_backlog *backlog = &cache->backlog;

	lockdep_assert_held(&rxc_mutex);
	*now = backlog->todo;
	*leave = backlog->leave ? backlog->orders : 0;
	backlog->todo = nothing;
	backlog->running = !span_empty(&now->drop) || !span_empty(&now->settle);
	return backlog->running;
}

/*
 * Ends bypass mode by order number @leave, unless that was done: the run after it was told of
 * the order, too, if there was more to do. A request, or a mismatch, may have ordered it anew
 * meanwhile, and another request may have ordered its end again, which a later run obeys.
 */
static bool bypass_end(struct rxc_cache *cache, u64 leave)
{
	if (!cache->backlog.leave || leave != cache->backlog.orders)
		return false;
	cache->backlog.leave = false;
	WRITE_ONCE(cache->mode, cache->backlog.mode);
	/* The counts so far are about a cache with the former mode. */
	rxc_sampler_reset(cache, false);
	return true;
}

/* Has follow.c go on if a tail was dropped, and none is among what is still to do. */
static void tail_done(struct rxc_cache *cache, const struct rxc_todo *done,
		      const struct rxc_todo *next)
{
	lockdep_assert_held(&rxc_mutex);
	if (!done->tail || next->tail)
		return;
	cache->backlog.tail = false;
	/* Pairs with bio_beyond(): whoever finds this finds no dropped block. */
	smp_store_release(&cache->origin_stale, U64_MAX);
	queue_work(rxc_life_wq, &cache->recent.work);
}

/* Sends the events about what was done; the last one shows that nothing is left. */
static void backlog_done(struct rxc_cache *cache, const struct rxc_todo *now, u64 leave)
{
	lockdep_assert_held(&rxc_mutex);
	/* The max share may have been below what was pinned. */
	if (!span_empty(&now->settle)) {
		rxc_bounds_cut(cache->pool);
		rxc_pack_queue(cache->pool);
	}
	if (bypass_end(cache, leave) || now->entered)
		rxc_notify_change(cache, RXCACHE_CAUSE_SET);
	if (now->all)
		rxc_notify_change(cache, RXCACHE_CAUSE_DROP);
	if (!span_empty(&now->settle))
		rxc_notify_change(cache, RXCACHE_CAUSE_PIN);
}

/*
 * The cache can't be freed meanwhile: rxc_cache_end() cancels this work and waits for it
 * first.
 */
static void backlog_work(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, backlog.work);
	struct rxc_todo now, done;
	u64 leave, left;
	bool more;

	mutex_lock(&rxc_mutex);
	more = backlog_take(cache, &now, &leave);
	while (more) {
		mutex_unlock(&rxc_mutex);
		if (!span_empty(&now.drop)) {
			rxc_pool_drop_blocks(cache, now.drop.first, now.drop.last);
			rxc_ahead_dropped(cache);
		}
		if (!span_empty(&now.settle))
			settle(cache, &now.settle);
		mutex_lock(&rxc_mutex);
		done = now;
		left = leave;
		more = backlog_take(cache, &now, &leave);
		if (!READ_ONCE(cache->backlog.stop)) {
			tail_done(cache, &done, &now);
			backlog_done(cache, &done, left);
		}
	}
	mutex_unlock(&rxc_mutex);
}

void rxc_backlog_init(struct rxc_cache *cache)
{
	INIT_WORK(&cache->backlog.work, backlog_work);
	cache->backlog.todo = nothing;
}

void rxc_backlog_cancel(struct rxc_cache *cache)
{
	WRITE_ONCE(cache->backlog.stop, true);
	cancel_work_sync(&cache->backlog.work);
	mutex_lock(&rxc_mutex);
	cache->backlog.running = false;
	mutex_unlock(&rxc_mutex);
}
