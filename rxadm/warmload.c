// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads a cache from its list: it reads the listed blocks through the cache. The blocks
 * that were read most come first, then the others, each group in the order of the disk
 * and with neighbours together. Each read is an ordinary miss, which may meet writes and
 * other reads. A cache that has room keeps what it has read once.
 *
 * Others go first: the loader rests while others use the disks, see warmpace.c. Its I/O
 * priority is the lowest of those that wait for a bounded time. At the priority "idle" the
 * scheduler mq-deadline does one read in ten seconds while others have any I/O under way,
 * also on a disk that could do many at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nl.h"
#include "say.h"
#include "strv.h"
#include "sys.h"
#include "units.h"
#include "wait.h"
#include "warmbusy.h"
#include "warmload.h"
#include "warmpace.h"
#include "warmsave.h"
#include "warmstate.h"

#define READ_BYTES	(512 << 10)
#define HOT		2		/* blocks of at least this heat have most hits */
#define ALIGN_BYTES	65536		/* no disk has larger logical blocks */
#define SPARE		8		/* 1/SPARE of a cache that is too small stays free */
#define TELL_MS		500		/* how often the state is written */
#define ERRORS_MAX	16		/* this many in a row: the origin is gone */
#define LOW_PRIORITY	IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7)

struct load {
	const struct rx_cache *cache;
	struct warm_list list;		/* of blocks of the cache's size */
	struct rx_warm warm;
	struct rx_strv stats;		/* see warmbusy.c */
	int lock, device;
	char *buf;
	unsigned int levels;		/* of disks, with the cache */
	struct warm_pace pace;
	int64_t told;
	unsigned int errors, errors_in_a_row;
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
 * Chooses the blocks to load. If the list is larger than the cache, only its hottest
 * blocks are loaded. A share of the cache is left free then: each block fits into one set
 * only, and some sets get more blocks than others.
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

/*
 * Rests if it is time to. Called while no read of this load is in flight. Returns false
 * if a signal came.
 */
static bool hold_back(struct load *load)
{
	int64_t ms = pace_rest(&load->pace, now_ms());
	uint64_t sectors;
	bool busy;

	if (!ms)
		return !signals_pending();
	busy = warm_disks_busy(&load->stats, &sectors);
	pace_begin(&load->pace, now_ms(), sectors);
	if (wait_fd(-1, ms) == WAIT_SIGNAL)
		return false;
	/* This process did no I/O meanwhile. */
	busy |= warm_disks_busy(&load->stats, &sectors);
	pace_end(&load->pace, now_ms(), sectors, busy);
	return true;
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
static bool still_keeps(const struct load *load)
{
	struct rx_cache now;
	struct rx_err err;

	return !nl_get(RX_CACHE, load->cache->name, &now, &err) &&
	       now.id == load->cache->id && warm_keeps(&now);
}

/* Writes the state now and then. Returns false if there is no use in going on. */
static bool tell(struct load *load)
{
	if (now_ms() - load->told < TELL_MS)
		return true;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	load->told = now_ms();
	return still_keeps(load);
}

/* Reads from AT up to END. Returns false if there is no use in going on. */
static bool read_range(struct load *load, uint64_t at, uint64_t end)
{
	ssize_t n;

	while (at < end) {
		n = pread(load->device, load->buf, end - at, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			load->errors++;
			return ++load->errors_in_a_row < ERRORS_MAX && errno != ENXIO;
		}
		load->errors_in_a_row = 0;
		at += n;
	}
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
		if (end_of(load, i) - at > READ_BYTES || (equal && h != *heat))
			break;
		end = end_of(load, i);
		if (h > *heat)
			*heat = h;
	}
	return i;
}

/* Reads the blocks from I up to before NEXT for the first time. */
static bool load_range(struct load *load, size_t i, size_t next)
{
	uint64_t begin = begin_of(load, i), end = end_of(load, next - 1);
	unsigned int errors = load->errors;
	bool go_on = read_range(load, begin, end);

	if (load->errors == errors)
		load->warm.loaded += end - begin;
	load->pace.own += (end - begin) / 512 * load->levels;
	return go_on;
}

/*
 * Makes the reads that have a hot block, or the others, in the order of the disk. Tells
 * whether the end of the list was reached.
 */
static bool load_pass(struct load *load, bool hot)
{
	unsigned int heat;
	size_t i, next;

	for (i = 0; i < load->list.n; i = next) {
		next = neighbours(load, i, false, &heat);
		if ((heat >= HOT) != hot)
			continue;
		/* All blocks before this one, and all hot ones, have been loaded. */
		if (!hot)
			load->warm.next = begin_of(load, i);
		if (!tell(load) || !hold_back(load) || !load_range(load, i, next))
			return false;
	}
	return true;
}

/* Tells whether the cache holds most of what was loaded. Memory may have been short. */
static bool holds_most(const struct load *load)
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
static bool touch_pass(struct load *load)
{
	unsigned int heat, times;
	size_t i, next;

	if (!holds_most(load))
		return true;
	for (i = 0; i < load->list.n; i = next) {
		next = neighbours(load, i, true, &heat);
		if (heat < HOT)
			continue;
		if (!tell(load) || !hold_back(load))
			return false;
		for (times = heat == WARM_HEATS - 1 ? 2 : 1; times; times--) {
			if (!read_range(load, begin_of(load, i), end_of(load, next - 1)))
				return false;
			load->pace.own += (end_of(load, next - 1) - begin_of(load, i)) / 512;
		}
	}
	return true;
}

static int open_device(struct load *load, const char *verb)
{
	const char *name = load->cache->name;

	load->buf = aligned_alloc(ALIGN_BYTES, READ_BYTES);
	if (!load->buf)
		abort();
	load->device = open(sys_path("/dev/%s", name), O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (load->device < 0)
		say(verb, name, "/dev/%s: %s", name, strerror(errno));
	else if (still_keeps(load))
		return RX_OK;
	else
		say(verb, name, "was unmapped, bypassed or frozen meanwhile; see: rxadm list");
	return RX_KERNEL;
}

/*
 * Takes the lock, so that no other process loads this cache, and then opens the device.
 * The lock comes first, so that unmap finds each loader that may have the device open.
 */
static int take(struct load *load, const char *verb)
{
	const char *name = load->cache->name;

	load->lock = warm_state_lock(name);
	if (load->lock >= 0)
		return open_device(load, verb);
	if (errno == EAGAIN)
		say(verb, name, "is being loaded already; see: rxadm stat %s", name);
	else
		say(verb, name, "/run/rxadm/warm-%s.lock: %s", name, strerror(errno));
	return RX_KERNEL;
}

static void load_free(struct load *load)
{
	if (load->device >= 0)
		close(load->device);
	if (load->lock >= 0)
		close(load->lock);
	free(load->buf);
	strv_free(&load->stats);
	warm_free(&load->list);
}

static int run(struct load *load)
{
	bool whole;

	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, LOW_PRIORITY);
	setpriority(PRIO_PROCESS, 0, 19);
	load->levels = warm_disks(load->cache, &load->stats);
	load->warm.state = RX_WARM_LOADING;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	whole = load_pass(load, true) && touch_pass(load) && load_pass(load, false);
	load->warm.state = whole ? RX_WARM_LOADED : RX_WARM_STOPPED;
	warm_state_put(load->cache->name, load->cache->id, &load->warm);
	return whole && !load->errors ? RX_OK : RX_KERNEL;
}

static void report(const struct load *load, const char *verb, int64_t ms)
{
	char bytes[32], time[32];

	size_print(load->warm.loaded, bytes, sizeof(bytes));
	time_print(ms * 1000000, time, sizeof(time));
	if (load->errors)
		say(verb, load->cache->name, "%s loaded in %s, %u reads failed; see dmesg",
		    bytes, time, load->errors);
	else if (load->warm.state == RX_WARM_STOPPED)
		say(verb, load->cache->name, "stopped; %s loaded in %s", bytes, time);
	else if (!rx.quiet && !rx.json)
		printf("%s: %s loaded in %s\n", load->cache->name, bytes, time);
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
	struct load load = { .cache = cache, .lock = -1, .device = -1 };
	int64_t start = now_ms();
	int ret;

	if (!warm_saved(verb, cache, &load.list)) {
		wait_no_longer(cache);
		return RX_DATA;
	}
	choose(&load);
	signals_take();
	ret = take(&load, verb);
	if (!ret) {
		ret = run(&load);
		report(&load, verb, now_ms() - start);
	}
	load_free(&load);
	return ret;
}
