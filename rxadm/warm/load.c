// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads a cache from its list. The blocks that were read most come first, then the others,
 * each group in the order of the disk and with neighbours together.
 */
#include "kernel/nl.h"
#include "warm/load.h"
#include "warm/run.h"
#include "warm/save.h"
#include "warm/state.h"

#define HOT		2		/* blocks of at least this heat have most hits */

/*
 * Makes the reads that have a hot block, or the others, in the order of the disk. Tells
 * whether the end of the list was reached.
 */
static bool load_pass(struct warm_run *run, bool hot)
{
	unsigned int heat;
	size_t i, next;

	run->again = false;
	for (i = 0; i < run->list.n; i = next) {
		next = run_neighbours(run, i, false, &heat);
		if ((heat >= HOT) != hot)
			continue;
		if (!run_hold_back(run, hot ? 0 : run_begin_of(run, i)))
			return false;
		run_read(run, i, next, run->pace.depth);
		run->pace.reads++;
	}
	return run_settle(run, run->warm.next);
}

/* Tells whether the cache holds most of what was loaded. Memory may have been short. */
static bool holds_most(const struct warm_run *run)
{
	struct rx_cache now;
	struct rx_err err;

	return !nl_get(RX_CACHE, run->cache->name, &now, &err) &&
	       now.cached >= run->warm.loaded / 4 * 3;
}

/*
 * Reads the hot blocks again, which the cache holds now. Its policy has forgotten which
 * blocks were read more than once. Without this, the first scan would push out these
 * blocks like all others. Blocks of the greatest heat are read twice.
 */
static bool touch_pass(struct warm_run *run)
{
	unsigned int heat, times;
	size_t i, next;

	if (!holds_most(run))
		return true;
	run->again = true;
	for (i = 0; i < run->list.n; i = next) {
		next = run_neighbours(run, i, true, &heat);
		if (heat < HOT)
			continue;
		if (!run_hold_back(run, 0))
			return false;
		for (times = heat == WARM_HEATS - 1 ? 2 : 1; times; times--)
			run_read(run, i, next, 1);
	}
	return run_settle(run, 0);
}

static bool load_passes(struct warm_run *run)
{
	if (!load_pass(run, true) || !touch_pass(run) || !load_pass(run, false))
		return false;
	run->warm.next = RX_NONE;
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
	struct warm_run run = { .verb = verb, .cache = cache };

	if (warm_saved(verb, cache, &run.list))
		return warm_run(&run, load_passes);
	wait_no_longer(cache);
	return RX_DATA;
}
