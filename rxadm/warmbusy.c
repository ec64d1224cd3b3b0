// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells whether others use the disks of a cache, by the kernel's counters of I/O: those
 * of the cache, of its origin and of all devices below the origin. A partition stands for
 * its whole disk, because all partitions and volumes of a disk share its head.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "object.h"
#include "strv.h"
#include "sys.h"
#include "warmbusy.h"

/*
 * Adds the files of these counters to STATS. Returns how many levels of devices they are
 * of, the cache included: a sector that the cache reads from its origin counts once on
 * each level.
 */
unsigned int warm_disks(const struct rx_cache *cache, struct rx_strv *stats)
{
	struct rx_strv all = { 0 };
	unsigned int levels = 2;
	size_t i, level_end = 1;
	const char *name, *up;

	strv_add(stats, sys_path("/sys/class/block/%s/stat", cache->name));
	strv_add(&all, cache->origin);
	/* The bound is against a loop, which only a broken /sys can have. */
	for (i = 0; i < all.n && i < 64; i++) {
		if (i == level_end) {
			levels++;
			level_end = all.n;
		}
		name = all.v[i];
		up = access(sys_path("/sys/class/block/%s/partition", name), F_OK) ?
			"" : "/..";
		strv_add(stats, sys_path("/sys/class/block/%s%s/stat", name, up));
		sys_entries(&all, sys_path("/sys/class/block/%s/slaves", name));
	}
	strv_free(&all);
	return levels;
}

/* Sets *SECTORS to what was read and written, and tells whether an I/O is under way. */
bool warm_disks_busy(const struct rx_strv *stats, uint64_t *sectors)
{
	uint64_t reads, writes, under_way;
	bool busy = false;
	char *text;
	size_t i;

	*sectors = 0;
	for (i = 0; i < stats->n; i++) {
		text = sys_read(stats->v[i]);
		if (text && sscanf(text, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64
				   " %*u %" SCNu64, &reads, &writes, &under_way) == 3) {
			*sectors += reads + writes;
			busy |= under_way;
		}
		free(text);
	}
	return busy;
}
