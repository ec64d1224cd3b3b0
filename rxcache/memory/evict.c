// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks that had to go, of whichever cache of a pool.
 *
 * The owner of a block that made room may be another cache than the one that needed the
 * room, and may be ending. It stays until the block is counted: a cache that leaves first
 * sees that none of its blocks is left, and then waits for a grace period
 * (rxc_pool_empty()), and whoever took a block out of the index counts it within the same
 * RCU read-side section. Under a spin lock is such a section, too: the grace period waits
 * for whoever must not be preempted.
 */
#include <linux/rcupdate.h>
#include "blocks/index.h"
#include "cache.h"
#include "figures/recent.h"
#include "memory/evict.h"
#include "memory/pool.h"

void rxc_evict_note(struct rxc_pool *pool, const struct rxc_taken *old,
		    enum rxc_stat stat, enum rxc_evict_reason reason)
{
	struct rxc_cache *owner = READ_ONCE(pool->cache[rxc_key_cache(old->key)]);

	RCU_LOCKDEP_WARN(!rcu_read_lock_any_held(), "the owner may end");
	rxc_count(owner, stat, 1);
	trace_rxcache_evict(owner, rxc_key_block(old->key), 1, reason);
	/* The owner may be idle, and then the time when its counters moved is not known. */
	rxc_recent_wake(owner);
}
