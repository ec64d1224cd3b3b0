// SPDX-License-Identifier: GPL-2.0-only
/* Unread blocks: they were read ahead, and no reader has come to them yet. */
#include <linux/lockdep.h>
#include "block.h"
#include "blocks/index.h"
#include "figures/stats.h"
#include "figures/unread.h"
#include "map.h"
#include "trace.h"

u64 rxc_unread_vain(const struct rxc_map *map)
{
	lockdep_assert_held(&rxc_mutex);
	return map->index ? rxc_index_vain(map->index, map->key) - map->ahead.vain :
			    map->ahead.vain;
}

u64 rxc_unread_use(struct rxc_map *map, u64 first, u64 last)
{
	u64 block, ghosts = 0;
	bool known = false;

	for (block = first; block <= last; block++) {
		if (!rxc_index_use(map->index, rxc_map_key(map, block), &known))
			break;
		ghosts += known;
	}
	if (block == first)
		return 0;
	rxc_count(map, RXC_AHEAD_USED, block - first);
	rxc_count(map, RXC_GHOST_HIT, ghosts);
	trace_rxcache_ahead_use(map, first, block - first);
	return block - first;
}

void rxc_unread_use_all(struct rxc_map *map, u64 first, u64 last)
{
	u64 block;

	for (block = first; block <= last; block++)
		rxc_unread_use(map, block, block);
}
