// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads a cache from its list. The blocks that were read most come first, then the others,
 * each group in the order of the disk and with neighbours together.
 */
#include "kernel/nl.h"
#include "warm/load.h"
#include "warm/loading.h"
#include "warm/save.h"
#include "warm/state.h"

#define HOT		2		/* blocks of at least this heat have most hits */

/*
 * Makes the reads that have a hot block, or the others, in the order of the disk. Tells
 * whether the end of the list was reached.
 */
static bool load_pass(struct warm_loading *load, bool hot)
{
	unsigned int heat;
	size_t i, next;

	load->again = false;
	for (i = 0; i < load->list.n; i = next) {
		next = load_neighbours(load, i, false, &heat);
		if ((heat >= HOT) != hot)
			continue;
		if (!load_hold_back(load, hot ? 0 : load_begin_of(load, i)))
			return false;
		load_read(load, i, next, load->pace.depth);
		load->pace.reads++;
	}
	return load_settle(load, load->warm.next);
}

/* Tells whether the cache holds most of what was loaded. Memory may have been short. */
static bool holds_most(const struct warm_loading *load)
{
	struct rx_cache now;
	struct rx_err err;

	return !nl_get(RX_CACHE, load->cache->name, &now, &err) &&
	       now.cached >= load->warm.loaded / 4 * 3;
}

/*
 * Reads the hot blocks again, which the cache holds now. Its policy has forgotten which
 * blocks were read more than once. Without this, the first scan would push out these
 * blocks like all others. Blocks of the greatest heat are read twice.
 */
static bool touch_pass(struct warm_loading *load)
{
	unsigned int heat, times;
	size_t i, next;

	if (!holds_most(load))
		return true;
	load->again = true;
	for (i = 0; i < load->list.n; i = next) {
		next = load_neighbours(load, i, true, &heat);
		if (heat < HOT)
			continue;
		if (!load_hold_back(load, 0))
			return false;
		for (times = heat == WARM_HEATS - 1 ? 2 : 1; times; times--)
			load_read(load, i, next, 1);
	}
	return load_settle(load, 0);
}

static bool load_passes(struct warm_loading *load)
{
	if (!load_pass(load, true) || !touch_pass(load) || !load_pass(load, false))
		return false;
	load->warm.next = RX_NONE;
	return true;
}

/*
 * Called when there is no list to load. The state goes only if it says waiting, because
 * the cache may have been loaded already, from a list that is gone.
 */
static void wait_no_longer(const struct rx_cache *cache)
{
	struct rx_warm warm;

	warm_state_get(cache->name, cache->id, &warm);
	if (warm.state == RX_WARM_WAITING)
		warm_state_remove(cache->name);
}

/* Loads CACHE, and returns at the end. */
int warm_load(const char *verb, const struct rx_cache *cache)
{
	struct warm_loading load = { .verb = verb, .cache = cache };

	if (warm_saved(verb, cache, &load.list))
		return load_list(&load, load_passes);
	wait_no_longer(cache);
	return RX_DATA;
}
