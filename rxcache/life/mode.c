// SPDX-License-Identifier: GPL-2.0-only
/* What a cache admits: its mode, and whether it is frozen. */
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <uapi/linux/rxcache.h>
#include "blocks/busy.h"
#include "cache.h"
#include "figures/sampler.h"
#include "life/backlog.h"
#include "life/mode.h"

/*
 * Sets the mode. Bypass mode ends later, when all blocks are dropped. Context: process, may
 * sleep, rxc_mutex.
 */
void rxc_mode_set(struct rxc_cache *cache, u32 mode)
{
	lockdep_assert_held(&rxc_mutex);
	if (mode == RXCACHE_MODE_BYPASS)
		rxc_backlog_enter_bypass(cache);
	else if (cache->mode == RXCACHE_MODE_BYPASS)
		rxc_backlog_leave_bypass(cache, mode);
	else
		WRITE_ONCE(cache->mode, mode);
}

/*
 * Freezes or thaws a cache. Fills and writes look at @frozen under the lock of the
 * blocks that they store. So once each lock has been free, fills and writes that had
 * begun before admit no block either. Context: as rxc_mode_set().
 */
void rxc_mode_freeze(struct rxc_cache *cache, bool frozen)
{
	lockdep_assert_held(&rxc_mutex);
	WRITE_ONCE(cache->frozen, frozen);
	rxc_busy_sync(&cache->busy);
	rxc_sampler_hold(cache, frozen);
}
