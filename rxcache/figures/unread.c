// SPDX-License-Identifier: GPL-2.0-only
/* Unread blocks: they were read ahead, and no reader has come to them yet. */
#include <linux/lockdep.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/stats.h"
#include "figures/unread.h"
#include "trace.h"

u64 rxc_unread_vain(const struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	return cache->index ? rxc_index_vain(cache->index, cache->key) - cache->ahead.vain :
			    cache->ahead.vain;
}

u64 rxc_unread_use(struct rxc_cache *cache, u64 first, u64 last)
{
	u64 block, ghosts = 0;
	bool known = false;

	for (block = first; block <= last; block++) {
		if (!rxc_index_use(cache->index, rxc_cache_key(cache, block), &known))
			break;
		ghosts += known;
	}
	if (block == first)
		return 0;
	atomic64_add(block - first, &cache->ahead.used);
	rxc_count(cache, RXC_AHEAD_USED, block - first);
	rxc_count(cache, RXC_GHOST_HIT, ghosts);
	trace_rxcache_ahead_use(cache, first, block - first);
	return block - first;
}

void rxc_unread_use_all(struct rxc_cache *cache, u64 first, u64 last)
{
	u64 block;

	for (block = first; block <= last; block++)
		rxc_unread_use(cache, block, block);
}
