// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned parts of the origin: whole blocks, which are not evicted once they are cached.
 * Pinning itself reads nothing, so a user has to read the blocks.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/recent.h"
#include "life/backlog.h"
#include "life/bounds.h"
#include "life/pin.h"
#include "memory/pool.h"
#include "packed/pack.h"

/* Blocks that take less than a millisecond. */
enum { SETTLE_AT_ONCE = 1024 };

static int range_check(const struct rxc_cache *cache, u64 offset, u64 length,
		       const char **why)
{
	if (length && offset < cache->bytes && length <= cache->bytes - offset)
		return 0;
	*why = "range is empty or goes beyond the end of the origin";
	return -EINVAL;
}

static int pins_refuse(int err, const char **why)
{
	*why = err == -ENOSPC ? "no more than half of the disk can be pinned" :
	       err == -EOVERFLOW ? "too many pinned ranges" : "no memory for the pins";
	return err;
}

/*
 * Applies a change of the ranges to the cached blocks, at once if they are few, because a
 * file may have thousands of small ranges. watch.c sends the event then.
 */
static void pins_changed(struct rxc_cache *cache, u64 first, u64 last)
{
	u64 block;

	if (last - first >= SETTLE_AT_ONCE) {
		rxc_backlog_settle(cache, first, last);
		return;
	}
	for (block = first; block <= last; block++)
		rxc_index_settle(cache->index, rxc_cache_key(cache, block));
	cache->recent.pins_changed = true;
	rxc_recent_wake(cache);
}

/* Pins or unpins, with @change, the blocks that a range of bytes touches. */
static int pins_change(struct rxc_cache *cache, u64 offset, u64 length, bool commit,
		       const char **why,
		       int (*change)(struct rxc_index *index, u64 first, u64 last))
{
	u64 first = offset >> cache->block_shift;
	u64 last = (offset + length - 1) >> cache->block_shift;
	int err = range_check(cache, offset, length, why);

	lockdep_assert_held(&rxc_mutex);
	if (err)
		return err;
	err = change(cache->index, rxc_cache_key(cache, first), rxc_cache_key(cache, last));
	if (err)
		return pins_refuse(err, why);
	if (commit)
		pins_changed(cache, first, last);
	return 0;
}

/*
 * Pins the blocks that a range of bytes touches; without @commit it only looks. Returns 0,
 * or an errno and its text in *@why. Context: process, may sleep, rxc_mutex.
 */
int rxc_pin(struct rxc_cache *cache, u64 offset, u64 length, bool commit, const char **why)
{
	int err = pins_change(cache, offset, length, commit, why,
			      commit ? rxc_index_pin : rxc_index_may_pin);

	if (!err && commit)
		rxc_pack_queue(cache->pool);
	return err;
}

/* Unpins those blocks of the range that are pinned. Context: as rxc_pin(). */
int rxc_unpin(struct rxc_cache *cache, u64 offset, u64 length, bool commit, const char **why)
{
	int err = pins_change(cache, offset, length, commit, why,
			      commit ? rxc_index_unpin : rxc_index_may_unpin);

	/* The max share may have been below what was pinned. */
	if (!err && commit)
		rxc_bounds_cut(cache->pool);
	return err;
}
