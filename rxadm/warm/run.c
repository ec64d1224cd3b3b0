// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the blocks of a list through their cache. Each read is an ordinary miss, which may
 * meet writes and other reads. A cache that has room keeps what it has read once.
 *
 * Others go first: the process rests while others use the disks, see pace.c, and its
 * I/O priority is low.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/nl.h"
#include "system/node.h"
#include "warm/blocklist.h"
#include "warm/busy.h"
#include "warm/pace.h"
#include "warm/read.h"
#include "warm/run.h"
#include "warm/state.h"

#define SPARE		8		/* 1/SPARE of a cache that is too small stays free */
#define TELL_MS		500		/* how often the state is written */

/* Returns the first byte of block I of the list; end_of() returns the byte after it. */
uint64_t run_begin_of(const struct warm_run *run, size_t i)
{
	return warm_number(run->list.block[i]) * run->list.block_size;
}

static uint64_t end_of(const struct warm_run *run, size_t i)
{
	uint64_t end = run_begin_of(run, i) + run->list.block_size;

	return end < run->list.origin_size ? end : run->list.origin_size;
}

/*
 * Chooses the blocks to read. If the list is larger than the cache, only its hottest
 * blocks are read. A share of the cache is left free then: each block
 * fits into one set only, and some sets get more blocks than others.
 */
static void choose(struct warm_run *run)
{
	size_t max = model_most(run->cache) / run->cache->block, i;

	warm_convert(&run->list, run->cache->block);
	if (run->list.n > max)
		warm_cap(&run->list, max - max / SPARE);
	for (i = 0; i < run->list.n; i++)
		run->warm.size += end_of(run, i) - run_begin_of(run, i);
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
static bool still_keeps(const struct warm_run *run, struct rx_cache *now)
{
	struct rx_err err;

	return !nl_get(RX_CACHE, run->cache->name, now, &err) &&
	       now->id == run->cache->id && warm_keeps(now);
}

/* Writes the state now and then. */
static void tell(struct warm_run *run)
{
	if (now_ms() - run->told < TELL_MS)
		return;
	warm_state_put(run->cache->name, run->cache->id, &run->warm);
	run->told = now_ms();
}

/*
 * Adds to what was done, and sets *BUSY if somebody has an I/O under way. Returns false if
 * there is no use in going on.
 */
static bool look(struct warm_run *run, bool *busy)
{
	struct rx_cache now;

	if (!still_keeps(run, &now))
		return false;
	*busy |= warm_disks_busy(&run->disks, &now, &run->done);
	return true;
}

/* Does what run_settle() does, and sets *BUSY as look() does. */
static bool settle(struct warm_run *run, uint64_t next, bool *busy)
{
	uint64_t bytes = reads_wait(run->reads);

	if (reads_useless(run->reads) || !look(run, busy))
		return false;
	if (!run->again)
		run->warm.loaded += bytes;
	run->warm.next = next;
	return true;
}

/*
 * Waits for the reads in flight. They count as loaded only if the cache keeps reads up to
 * now. NEXT: see struct rx_warm. Returns false if there is no use in going on.
 */
bool run_settle(struct warm_run *run, uint64_t next)
{
	bool busy = false;

	return settle(run, next, &busy);
}

/*
 * Rests if it is time to, with no read in flight. NEXT is as for run_settle(). Returns
 * false if there is no use in going on.
 */
bool run_hold_back(struct warm_run *run, uint64_t next)
{
	int64_t ms = pace_rest(&run->pace, now_ms());
	bool busy = false;

	if (!ms)
		return !signals_pending() && !reads_useless(run->reads);
	if (!settle(run, next, &busy))
		return false;
	tell(run);
	pace_begin(&run->pace, now_ms(), &run->done);
	if (wait_fd(-1, ms) == WAIT_SIGNAL)
		return false;
	/* This process did no I/O meanwhile. */
	if (!look(run, &busy))
		return false;
	pace_end(&run->pace, now_ms(), &run->done, busy);
	return true;
}

/*
 * Finds the blocks from I on that have no gap between them and make one read, with EQUAL
 * only those of the heat of the first. Returns the first block after them; *HEAT is the
 * greatest heat among them.
 */
size_t run_neighbours(const struct warm_run *run, size_t i, bool equal, unsigned int *heat)
{
	const struct warm_list *list = &run->list;
	uint64_t at = run_begin_of(run, i), end = at;
	unsigned int h;

	for (*heat = warm_heat(list->block[i]); i < list->n && run_begin_of(run, i) == end; i++) {
		h = warm_heat(list->block[i]);
		if (end_of(run, i) - at > READ_BYTES_MAX || (equal && h != *heat))
			break;
		end = end_of(run, i);
		if (h > *heat)
			*heat = h;
	}
	return i;
}

/* Hands over a read of the blocks from I up to before NEXT. */
void run_read(struct warm_run *run, size_t i, size_t next, unsigned int depth)
{
	uint64_t begin = run_begin_of(run, i), end = end_of(run, next - 1);

	reads_put(run->reads, begin, end, depth);
	if (!run->again)
		run->given += end - begin;
	progress_show(run->verb, run->cache->name, ratio_of(run->given, run->warm.size),
		      "Ctrl-C stops it");
	run->pace.own += (end - begin) / 512;
}

static int open_device(struct warm_run *run)
{
	const char *name = run->cache->name;
	struct rx_cache now;
	struct stat st;

	run->device = open(sys_path("/dev/%s", name), O_RDONLY | O_DIRECT | O_CLOEXEC);
	/* A file in the place of the node may not be opened with O_DIRECT. */
	if (run->device < 0 && !stat(sys_path("/dev/%s", name), &st) &&
	    !node_is(&st, run->cache->major, run->cache->minor))
		node_say(run->verb, name, name, "the cache");
	else if (run->device < 0)
		say(run->verb, name, "/dev/%s: %s", name, strerror(errno));
	else if (fstat(run->device, &st) ||
		 !node_is(&st, run->cache->major, run->cache->minor))
		node_say(run->verb, name, name, "the cache");
	else if (still_keeps(run, &now))
		return RX_OK;
	else
		say(run->verb, name, "was unmapped, bypassed or frozen meanwhile; see: rxadm list");
	return RX_KERNEL;
}

/*
 * Takes the lock, so that no other process loads this cache, and then opens the device.
 * The lock comes first, so that unmap finds each loader that may have the device open.
 */
static int take(struct warm_run *run)
{
	const char *name = run->cache->name;

	run->lock = warm_state_lock(name);
	if (run->lock >= 0)
		return open_device(run);
	if (errno == EAGAIN)
		say(run->verb, name, "is being loaded already; see: rxadm stat %s", name);
	else
		say(run->verb, name, "/run/rxadm/warm-%s.lock: %s", name, strerror(errno));
	return RX_KERNEL;
}

static void run_free(struct warm_run *run)
{
	reads_free(run->reads);
	if (run->device >= 0)
		close(run->device);
	if (run->lock >= 0)
		close(run->lock);
	warm_disks_free(&run->disks);
	warm_free(&run->list);
}

static int make_passes(struct warm_run *run, warm_passes *passes)
{
	bool whole;

	io_priority_lower();
	setpriority(PRIO_PROCESS, 0, 19);
	run->reads = reads_new(run->device);
	if (!run->reads) {
		say(run->verb, run->cache->name, "cannot create a thread: %s", strerror(errno));
		return RX_KERNEL;
	}
	warm_disks_find(&run->disks, run->cache);
	pace_init(&run->pace, READS_MAX);
	run->warm.state = RX_WARM_LOADING;
	warm_state_put(run->cache->name, run->cache->id, &run->warm);
	whole = passes(run);
	/* After a signal, reads may still be in flight. */
	if (!whole)
		run_settle(run, run->warm.next);
	run->warm.state = whole ? RX_WARM_LOADED : RX_WARM_STOPPED;
	warm_state_put(run->cache->name, run->cache->id, &run->warm);
	return whole && !reads_failed(run->reads) ? RX_OK : RX_KERNEL;
}

static void report(const struct warm_run *run, int64_t ms)
{
	unsigned int failed = reads_failed(run->reads);
	const char *name = run->cache->name;
	char bytes[32], time[32];

	size_print(run->warm.loaded, bytes, sizeof(bytes));
	time_print(ms * 1000000, time, sizeof(time));
	if (failed)
		say(run->verb, name, "%s loaded in %s, %u reads failed; see dmesg", bytes, time,
		    failed);
	else if (run->warm.state == RX_WARM_STOPPED)
		say(run->verb, name, "stopped; %s loaded in %s", bytes, time);
	else if (!rx.quiet && !rx.json)
		printf("%s: %s loaded in %s\n", name, bytes, time);
}

/*
 * Chooses from the list of RUN what fits into the cache, makes the PASSES over that, and
 * frees the list. Only one process at a time reads into a cache.
 */
int warm_run(struct warm_run *run, warm_passes *passes)
{
	int64_t start = now_ms();
	int ret;

	run->lock = run->device = -1;
	choose(run);
	signals_take();
	ret = take(run);
	if (!ret) {
		ret = make_passes(run, passes);
		progress_end();
		if (run->reads)
			report(run, now_ms() - start);
	}
	run_free(run);
	return ret;
}
