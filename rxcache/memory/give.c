// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives blocks back under memory pressure, cold ones first, down to the floor. Pinned
 * blocks stay in any case.
 *
 * Memory pressure asks for pages in three ways:
 *	giver	shortage.c asks when too little of the floor of free memory is left. Most
 *		blocks go this way, before reclaim has begun.
 *	prompt	Reclaim asks in the same case, and gets the missing pages in its first
 *		pass.
 *	last	Reclaim asks when it has found nothing else. It may need memory that
 *		min_free does not measure: memory of one node, or contiguous pages.
 *
 * Reclaim that only makes room in the page cache gets nothing, because a backup that is
 * read through the page cache would otherwise empty the cache. Reclaim is told how many
 * pages it got, so that it does not take as many elsewhere.
 *
 * A page returns to the machine at once, unless a reader is copying its block. Reclaim of
 * a memory cgroup calls neither shrinker, because no cgroup is charged for blocks.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <rx/pool.h>
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "figures/stats.h"
#include "memory/evict.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "memory/shortage.h"
#include "packed/bin.h"

enum {
	/* One call of last_scan() in LAST_MS frees 1/LAST_PART of give_most(). */
	LAST_PART	= 16,
	LAST_MS		= 20,
	/* The other calls free 1 MiB each, and all calls free in steps of that. */
	LAST_PAGES	= SZ_1M / PAGE_SIZE,
	/* Calls of rxc_give_block() that may find no block before give_pages() ends. */
	TRIES		= 16,
};

u64 rxc_give_above(const struct rxc_pool *pool)
{
	u64 used = rxc_index_pages(pool->index);
	u64 kept = max(READ_ONCE(pool->floor), rxc_index_pinned_all(pool->index));

	return used > kept ? used - kept : 0;
}

/* Returns how many pages may be freed, including spare ones. */
static unsigned long give_most(const struct rxc_pool *pool)
{
	return min_t(u64, (rxc_give_above(pool) << pool->order) +
		     rxd_pool_spare(pool->memory), LONG_MAX / 2);
}

/*
 * Frees the memory of a compressed block, and takes the other blocks of its bin out of the
 * index first, because otherwise no page would come back. If the cache is to have less, these
 * are its own. The block's own way was a user of the bin, which stays until this drops it.
 * Context: any, see evict.c. Returns how many pages came back.
 */
static unsigned int give_bin(struct rxc_pool *pool, unsigned int cache, struct page *page,
			     enum rxc_stat stat, enum rxc_evict_reason reason)
{
	bool give = reason == RXC_EVICT_PRESSURE, own = reason == RXC_EVICT_SHARE;
	struct rxc_taken mate;
	unsigned int nr;
	u64 key;

	/* A pinned block or a guarded one keeps the memory, so the others would go for nothing. */
	for (nr = 0; !own && rxc_bin_key(page, nr, &key); nr++)
		if (rxc_index_stays(pool->index, key, page, cache))
			return rxc_bin_put(pool, page, give);
	for (nr = 0; rxc_bin_key(page, nr, &key); nr++) {
		if ((own && rxc_key_cache(key) != cache) ||
		    !rxc_index_evict_from(pool->index, key, page, cache, own, &mate))
			continue;
		rxc_evict_note(pool, &mate, stat, reason);
		/* The first way's use is left. */
		rxc_bin_put(pool, page, give);
	}
	return rxc_bin_put(pool, page, give);
}

/*
 * Does what rxc_give_block() does, with @plain as rxc_index_shrink() does. Adds to *@freed how
 * many pages came back to the pool.
 */
static bool give_block(struct rxc_pool *pool, unsigned int cache, bool plain,
		       enum rxc_stat stat, enum rxc_evict_reason reason,
		       unsigned long *freed)
{
	struct rxc_taken old;
	bool found;

	/* See evict.c. */
	rcu_read_lock();
	found = reason == RXC_EVICT_SHARE ? rxc_index_cut(pool->index, cache, &old) :
					    rxc_index_shrink(pool->index, cache, plain, &old);
	if (found)
		rxc_evict_note(pool, &old, stat, reason);
	if (found && unlikely(old.packed)) {
		*freed += give_bin(pool, cache, old.page, stat, reason);
		rcu_read_unlock();
		return true;
	}
	rcu_read_unlock();
	if (!found)
		return false;
	*freed += 1UL << pool->order;
	/* Of a block that goes for another block, the page is to stay near. */
	if (reason == RXC_EVICT_PRESSURE)
		rxd_pool_give(pool->memory, old.page, pool->order);
	else
		rxd_pool_free(pool->memory, old.page, pool->order);
	return true;
}

bool rxc_give_block(struct rxc_pool *pool, unsigned int cache, enum rxc_stat stat,
		    enum rxc_evict_reason reason)
{
	unsigned long ignored = 0;

	return give_block(pool, cache, false, stat, reason, &ignored);
}

static unsigned long give_crowded(struct rxc_pool *pool, unsigned int cache, bool plain,
				  unsigned long pages)
{
	unsigned long freed = 0, before;
	unsigned int tries = TRIES;

	while (freed < pages && tries && rxc_index_crowded(pool->index)) {
		before = freed;
		if (!give_block(pool, cache, plain, RXC_EVICT, RXC_EVICT_CROWDED, &freed))
			break;
		if (freed == before)
			tries--;
	}
	return freed;
}

unsigned long rxc_give_crowded(struct rxc_pool *pool, unsigned int cache, unsigned long pages)
{
	return give_crowded(pool, cache, true, pages);
}

void rxc_give_fit(struct rxc_pool *pool, bool plain)
{
	/* Two rounds, because others move on in the index, too. */
	u64 idle = 0, give_up = 2 * rxc_index_sets(pool->index) / RXC_CUT_SETS + 1;

	while (idle < give_up && !READ_ONCE(pool->ending) && rxc_index_crowded(pool->index)) {
		if (give_crowded(pool, RXC_ANYBODY, plain, RXC_BATCH))
			idle = 0;
		else
			idle++;
		cond_resched();
	}
}

/* Frees up to @pages pages, or a few more; returns how many. Context: any. */
static unsigned long give_pages(struct rxc_pool *pool, unsigned long pages)
{
	unsigned long freed, before;
	unsigned int tries = TRIES;

	/* Spare pages go first, because freeing them costs no block. */
	freed = rxd_pool_trim(pool->memory, pages);
	while (freed < pages && tries && rxc_give_above(pool)) {
		before = freed;
		give_block(pool, RXC_NOBODY, false, RXC_RECLAIM, RXC_EVICT_PRESSURE,
			   &freed);
		/* The packer has a bin to which it adds, and pinned blocks keep others. */
		if (freed == before)
			tries--;
	}
	return freed;
}

/* Does the same in steps, for any number of pages. Context: process, may sleep. */
static unsigned long give_many(struct rxc_pool *pool, unsigned long pages)
{
	unsigned long freed = 0, n;

	do {
		n = give_pages(pool, min_t(unsigned long, pages - freed, LAST_PAGES));
		freed += n;
		cond_resched();
	} while (n && freed < pages);
	return freed;
}

static unsigned long giver_give(struct rxc_giver *giver, unsigned long pages,
				bool elastic)
{
	struct rxc_pool *pool = container_of(giver, struct rxc_pool, giver);

	if (elastic && READ_ONCE(pool->floor))
		return 0;
	return give_pages(pool, pages);
}

/* Context: reclaim of any task; so for all functions of the two shrinkers. */
static unsigned long prompt_count(struct rx_shrinker *shrinker)
{
	struct rxc_pool *pool = container_of(shrinker, struct rxc_pool, prompt);

	return min(rxd_pool_missing(), give_most(pool));
}

static unsigned long prompt_scan(struct rx_shrinker *shrinker, unsigned long nr)
{
	struct rxc_pool *pool = container_of(shrinker, struct rxc_pool, prompt);

	return give_pages(pool, min(rxd_pool_missing(), nr));
}

static unsigned long last_count(struct rx_shrinker *shrinker)
{
	return give_most(container_of(shrinker, struct rxc_pool, last));
}

/*
 * @nr is ignored, because the kernel adds to it the pages that earlier calls did not
 * free. Freed pages count as progress, so a task that needs more calls again.
 */
static unsigned long last_scan(struct rx_shrinker *shrinker, unsigned long nr)
{
	struct rxc_pool *pool = container_of(shrinker, struct rxc_pool, last);
	unsigned long now = jiffies, at = READ_ONCE(pool->last_at);
	unsigned long pages = LAST_PAGES;

	if (!rx_in_reclaim())	/* a write to drop_caches */
		return give_many(pool, give_most(pool));
	if (time_after_eq(now, at + msecs_to_jiffies(LAST_MS)) &&
	    cmpxchg(&pool->last_at, at, now) == at)
		pages = max(give_most(pool) / LAST_PART, pages);
	return give_many(pool, pages);
}

int rxc_give_begin(struct rxc_pool *pool)
{
	int err;

	pool->giver.give = giver_give;
	pool->prompt.count = prompt_count;
	pool->prompt.scan = prompt_scan;
	pool->last.count = last_count;
	pool->last.scan = last_scan;
	err = rx_shrinker_register(&pool->prompt, RX_SHRINK_PROMPT, pool->disk_name);
	if (err)
		return err;
	err = rx_shrinker_register(&pool->last, RX_SHRINK_LAST, pool->disk_name);
	if (err)
		goto err_last;
	err = rxc_shortage_add(&pool->giver);
	if (err)
		goto err_giver;
	return 0;

err_giver:
	rx_shrinker_unregister(&pool->last);
err_last:
	rx_shrinker_unregister(&pool->prompt);
	return err;
}

void rxc_give_end(struct rxc_pool *pool)
{
	rxc_shortage_remove(&pool->giver);
	rx_shrinker_unregister(&pool->last);
	rx_shrinker_unregister(&pool->prompt);
}
