// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts what all users do with the disks of a cache, by the kernel's counters of I/O:
 * those of the cache, and those of the disks that its origin is made of. Devices between
 * these, such as logical volumes and arrays, are left out. So a read of the origin counts
 * once on the disks, whatever is between. A partition stands for its whole disk, because
 * all partitions and volumes of a disk share its head.
 *
 * A disk that counts nothing (queue/iostats is 0) seems idle.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/object.h"
#include "system/dev.h"
#include "warm/busy.h"

#define DEVICES_MAX	256		/* against a loop, which only a broken /sys can have */

static void add(struct warm_disks *disks, const char *name)
{
	disks->at = mem_grow(disks->at, disks->n, sizeof(*disks->at));
	disks->at[disks->n++] = (struct warm_counter){ .name = mem_dup(name),
						       .last.reads = RX_NONE };
}

static void add_once(struct rx_strv *v, const char *name)
{
	if (!strv_has(v, name))
		strv_add(v, name);
}

/*
 * Adds the device NAME to ALL; instead of a partition, its disk, which is the directory
 * above the one to which the link of the partition leads.
 */
static void add_whole(struct rx_strv *all, const char *name)
{
	char *real = NULL, *end;

	if (!access(sys_path("/sys/class/block/%s/partition", name), F_OK))
		real = realpath(sys_path("/sys/class/block/%s", name), NULL);
	end = real ? strrchr(real, '/') : NULL;
	if (end)
		*end = '\0';
	end = real ? strrchr(real, '/') : NULL;
	add_once(all, end ? end + 1 : name);
	free(real);
}

/* Finds the counters. warm_disks_free() frees them. */
void warm_disks_find(struct warm_disks *disks, const struct rx_cache *cache)
{
	struct rx_strv all = { 0 }, below = { 0 };
	size_t i, j;

	*disks = (struct warm_disks){ 0 };
	add(disks, cache->name);
	add_whole(&all, cache->origin);
	for (i = 0; i < all.n && i < DEVICES_MAX; i++) {
		sys_entries(&below, sys_path("/sys/class/block/%s/slaves", all.v[i]));
		for (j = 0; j < below.n; j++)
			add_whole(&all, below.v[j]);
		if (!below.n)
			add(disks, all.v[i]);
		strv_free(&below);
	}
	strv_free(&all);
}

/*
 * Reads a counter, and tells whether an I/O is under way. A device that has gone away
 * keeps its last number. One that has come back begins anew.
 */
static bool look(struct warm_counter *c, uint64_t *sectors, uint64_t *requests)
{
	struct rx_io now, was = c->last;
	int64_t bytes, n;

	dev_io(c->name, &now);
	if (now.reads == RX_NONE)
		return false;
	c->last = now;
	bytes = now.read_bytes + now.write_bytes - was.read_bytes - was.write_bytes;
	n = now.reads + now.writes - was.reads - was.writes;
	if (was.reads != RX_NONE && bytes > 0 && n > 0) {
		*sectors += bytes / 512;
		*requests += n;
	}
	return now.in_flight;
}

/*
 * Adds to DONE what was read and written since the last call, and tells whether an I/O is
 * under way. NOW: the cache. When its counters were reset, what it has asked for since
 * the last call is not known.
 */
bool warm_disks_busy(struct warm_disks *disks, const struct rx_cache *now,
		     struct warm_done *done)
{
	uint64_t origin = (now->stats.origin_read_bytes + now->stats.origin_write_bytes) / 512;
	bool busy = false;
	size_t i;

	if (origin > disks->origin)
		done->origin += origin - disks->origin;
	disks->origin = origin;

	for (i = 0; i < disks->n; i++)
		busy |= look(&disks->at[i], i ? &done->disks : &done->cache,
			     &done->requests);
	return busy;
}

void warm_disks_free(struct warm_disks *disks)
{
	while (disks->n)
		free(disks->at[--disks->n].name);
	free(disks->at);
}
