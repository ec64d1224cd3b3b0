// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads a cache from its list: reads the blocks of the list through the cache. Each read is an
 * ordinary miss, which may meet writes and other reads. A cache that has room keeps what it
 * has read once. The blocks that were read most come first, then the others, each group in the
 * order of the disk and with neighbours together.
 *
 * Others go first: the process rests while others use the disks, see pace.c, and its
 * I/O priority is low.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/nl.h"
#include "system/users.h"
#include "warm/blocklist.h"
#include "warm/busy.h"
#include "warm/load.h"
#include "warm/pace.h"
#include "warm/read.h"
#include "warm/save.h"
#include "warm/state.h"

#define HOT		2		/* blocks of at least this heat have most hits */
#define SPARE		8		/* 1/SPARE of a cache that is too small stays free */
#define TELL_MS		500		/* how often the state is written */

struct load {
	const char *verb;
	const struct rx_cache *cache;
	struct warm_list list;		/* of blocks of the cache's size */
	struct rx_warm warm;
	struct warm_disks disks;
	struct warm_done done;		/* see busy.c */
	bool busy;			/* somebody has an I/O under way, or had when the rest began */
	int lock, device;
	struct warm_reads reads;
	struct warm_pace pace;
	bool again;			/* what is read now was loaded already */
	uint64_t given;			/* bytes of the first reads that were begun */
	int64_t told;
};

/* Returns the first byte of block I of the list; end_of() returns the byte after it. */
static uint64_t begin_of(const struct load *load, size_t i)
{
	return warm_number(load->list.block[i]) * load->list.block_size;
}

static uint64_t end_of(const struct load *load, size_t i)
{
	uint64_t end = begin_of(load, i) + load->list.block_size;

	return end < load->list.origin_size ? end : load->list.origin_size;
}

/*
 * Chooses the blocks to read. If the list is larger than the cache, only its hottest
 * blocks are read. A share of the cache is left free then: each block
 * fits into one set only, and some sets get more blocks than others.
 */
static void choose(struct load *load)
{
	size_t max = model_most(load->cache) / load->cache->block, i;

	warm_convert(&load->list, load->cache->block);
	if (load->list.n > max)
		warm_cap(&load->list, max - max / SPARE);
	for (i = 0; i < load->list.n; i++)
		load->warm.size += end_of(load, i) - begin_of(load, i);
}

bool warm_keeps(const struct rx_cache *cache)
{
	return cache->state == RX_STATE_ACTIVE && cache->mode != RX_MODE_BYPASS &&
	       cache->frozen != 1;
}

/*
 * Tells whether the open device is still that of the same cache, and the cache keeps
 * reads.
 */
static bool still_keeps(const struct load *load, struct rx_cache *now)
{
	struct rx_err err;

	return !nl_get(RX_CACHE, load->cache->name, now, &err) &&
	       now->id == load->cache->id && warm_keeps(now);
}

/* Writes the state now and then. */
static void tell(struct load *load)
{
	if (now_ms() - load->told < TELL_MS)
		return;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	load->told = now_ms();
}

/*
 * Adds to what was done, and sets load->busy if somebody has an I/O under way. Returns false
 * if there is no use in going on.
 */
static bool look(struct load *load)
{
	struct rx_cache now;

	if (!still_keeps(load, &now))
		return false;
	load->busy |= warm_disks_busy(&load->disks, &now, &load->done);
	return true;
}

/*
 * Waits for the reads in flight. They count as loaded only if the cache keeps reads up to
 * now. NEXT: see struct rx_warm. Returns false if there is no use in going on.
 */
static bool settle(struct load *load, uint64_t next)
{
	uint64_t bytes = reads_wait(&load->reads);

	if (load->reads.gone || !look(load))
		return false;
	if (!load->again)
		load->warm.loaded += bytes;
	load->warm.next = next;
	return true;
}

/*
 * Rests if it is time to, with no read in flight. NEXT is as for settle(). Returns
 * false if there is no use in going on.
 */
static bool hold_back(struct load *load, uint64_t next)
{
	int64_t ms = pace_rest(&load->pace, now_ms());

	if (!ms)
		return !signals_pending() && !load->reads.gone;
	load->busy = false;
	if (!settle(load, next))
		return false;
	tell(load);
	pace_begin(&load->pace, now_ms(), &load->done);
	if (wait_fd(-1, ms) == WAIT_SIGNAL)
		return false;
	/* This process did no I/O meanwhile. */
	if (!look(load))
		return false;
	pace_end(&load->pace, now_ms(), &load->done, load->busy);
	return true;
}

/*
 * Finds the blocks from I on that have no gap between them and make one read, with EQUAL
 * only those of the heat of the first. Returns the first block after them; *HEAT is the
 * greatest heat among them.
 */
static size_t neighbours(const struct load *load, size_t i, bool equal, unsigned int *heat)
{
	const struct warm_list *list = &load->list;
	uint64_t at = begin_of(load, i), end = at;
	unsigned int h;

	for (*heat = warm_heat(list->block[i]); i < list->n && begin_of(load, i) == end; i++) {
		h = warm_heat(list->block[i]);
		if (end_of(load, i) - at > READ_BYTES_MAX || (equal && h != *heat))
			break;
		end = end_of(load, i);
		if (h > *heat)
			*heat = h;
	}
	return i;
}

/* Hands over a read of the blocks from I up to before NEXT. */
static void read_blocks(struct load *load, size_t i, size_t next, unsigned int depth)
{
	uint64_t begin = begin_of(load, i), end = end_of(load, next - 1);

	reads_put(&load->reads, begin, end, depth);
	if (!load->again)
		load->given += end - begin;
	progress_show(load->verb, load->cache->name, ratio_of(load->given, load->warm.size),
		      "Ctrl-C stops it");
	load->pace.own += (end - begin) / 512;
}

enum pass { PASS_HOT, PASS_TOUCH, PASS_REST };

/*
 * Makes the reads that have a hot block, or the others, in the order of the disk. Between
 * them it reads the hot blocks again, which the cache holds then: its policy has forgotten
 * which blocks were read more than once, and without this the first scan would push out these
 * blocks like all others. Blocks of the greatest heat are touched twice. Tells whether the end
 * of the list was reached.
 */
static bool make_pass(struct load *load, enum pass pass)
{
	bool rest = pass == PASS_REST, touch = pass == PASS_TOUCH;
	unsigned int heat, times;
	size_t i, next;

	load->again = touch;
	for (i = 0; i < load->list.n; i = next) {
		next = neighbours(load, i, touch, &heat);
		if ((heat >= HOT) == rest)
			continue;
		if (!hold_back(load, rest ? begin_of(load, i) : 0))
			return false;
		for (times = touch && heat == WARM_HEATS - 1 ? 2 : 1; times; times--)
			read_blocks(load, i, next, touch ? 1 : load->pace.depth);
		load->pace.reads += !touch;
	}
	return settle(load, load->warm.next);
}

/* Tells whether the cache holds most of what was loaded. Memory may have been short. */
static bool holds_most(const struct load *load)
{
	struct rx_cache now;
	struct rx_err err;

	return !nl_get(RX_CACHE, load->cache->name, &now, &err) &&
	       now.cached >= load->warm.loaded / 4 * 3;
}

static bool make_passes(struct load *load)
{
	if (!make_pass(load, PASS_HOT) || (holds_most(load) && !make_pass(load, PASS_TOUCH)) ||
	    !make_pass(load, PASS_REST))
		return false;
	load->warm.next = RX_NONE;
	return true;
}

static int open_device(struct load *load)
{
	const struct rx_cache *cache = load->cache;
	int ret = users_open(load->verb, &cache->device, O_RDONLY, &load->device);
	struct rx_cache now;

	if (ret || still_keeps(load, &now))
		return ret;
	say(load->verb, cache->name, "was unmapped, bypassed or frozen meanwhile; see: rxadm list");
	return RX_KERNEL;
}

/*
 * Takes the lock, so that no other process loads this cache, and then opens the device.
 * The lock comes first, so that unmap finds each loader that may have the device open.
 */
static int take(struct load *load)
{
	const char *name = load->cache->name;

	load->lock = warm_state_lock(name);
	if (load->lock >= 0)
		return open_device(load);
	if (errno == EAGAIN)
		say(load->verb, name, "is being loaded already; see: rxadm stat %s", name);
	else
		say(load->verb, name, "/run/rxadm/warm-%s.lock: %s", name, strerror(errno));
	return RX_KERNEL;
}

static void load_free(struct load *load)
{
	reads_free(&load->reads);
	if (load->device >= 0)
		close(load->device);
	if (load->lock >= 0)
		close(load->lock);
	warm_disks_free(&load->disks);
	warm_free(&load->list);
}

static int read_all(struct load *load)
{
	bool whole;

	io_priority_lower();
	setpriority(PRIO_PROCESS, 0, 19);
	reads_init(&load->reads, load->device);
	warm_disks_find(&load->disks, load->cache);
	pace_init(&load->pace, READS_MAX);
	load->warm.state = RX_WARM_LOADING;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	whole = make_passes(load);
	/* After a signal, reads may still be in flight. */
	if (!whole)
		settle(load, load->warm.next);
	load->warm.state = whole ? RX_WARM_LOADED : RX_WARM_STOPPED;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	return whole && !load->reads.failed ? RX_OK : RX_KERNEL;
}

static void report(const struct load *load, int64_t ms)
{
	unsigned int failed = load->reads.failed;
	const char *name = load->cache->name;
	char bytes[32], time[32];

	size_print(load->warm.loaded, bytes, sizeof(bytes));
	time_print(ms * 1000000, time, sizeof(time));
	if (failed)
		say(load->verb, name, "%s loaded in %s, %u reads failed; see dmesg", bytes, time,
		    failed);
	else if (load->warm.state == RX_WARM_STOPPED)
		say(load->verb, name, "stopped; %s loaded in %s", bytes, time);
	else if (!rx.quiet && !rx.json)
		printf("%s: %s loaded in %s\n", name, bytes, time);
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

/*
 * Loads CACHE with what fits into it of its list, and returns at the end. Only one process at
 * a time reads into a cache.
 */
int warm_load(const char *verb, const struct rx_cache *cache)
{
	struct load load = { .verb = verb, .cache = cache, .lock = -1, .device = -1 };
	int64_t start = now_ms();
	int ret;

	if (!warm_saved(verb, cache, &load.list)) {
		wait_no_longer(cache);
		return RX_DATA;
	}
	choose(&load);
	signals_take();
	ret = take(&load);
	if (!ret) {
		ret = read_all(&load);
		progress_end();
		report(&load, now_ms() - start);
	}
	load_free(&load);
	return ret;
}
