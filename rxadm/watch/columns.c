// SPDX-License-Identifier: GPL-2.0-only
/* The columns of rates. */
#include "show/out.h"
#include "watch/columns.h"
#include "watch/top.h"

#define RATE(name, key, type, field, flags, help) \
	COL(rx_rate, name, key, NULL, type, field, NULL, flags, help)

/*
 * Disks and caches share this table. A value that the object itself has under the same
 * column has no key here.
 */
static const struct rx_col rate_cols[] = {
	RATE("NAME", NULL, COL_TEXT, name, COL_DEFAULT, "name, also below /dev"),
	RATE("STATE", "state", COL_TEXT, state, COL_DEFAULT,
	     "of a cache as in list; of a disk: idle, open, or cache (used by one)"),
	RATE("SIZE", NULL, COL_SIZE, size, COL_DEFAULT,
	     "capacity, or bytes that the cache can hold"),
	RATE("USED", "used", COL_SIZE, used, COL_DEFAULT,
	     "memory that holds data or cached blocks now"),
	RATE("FREEING", "freeing", COL_SIZE, freeing, 0, "memory on its way back to the machine"),
	RATE("INDEX", "index", COL_SIZE, index, 0, "memory that the cache's index takes"),
	RATE("HIT%", "hit_ratio", COL_RATIO, hit, COL_DEFAULT,
	     "share of the blocks read that were in memory, in the interval"),
	RATE("ALL%", "hit_ratio_all", COL_RATIO, hit_all, COL_DEFAULT,
	     "the same since the counters began"),
	RATE("R/S", "reads_per_s", COL_RATE, reads, COL_DEFAULT, "reads per second"),
	RATE("RMIB/S", "read_bytes_per_s", COL_MIB, read_bytes, COL_DEFAULT, "MiB read per second"),
	RATE("W/S", "writes_per_s", COL_RATE, writes, COL_DEFAULT, "writes per second"),
	RATE("WMIB/S", "write_bytes_per_s", COL_MIB, write_bytes, COL_DEFAULT,
	     "MiB written per second"),
	RATE("R-MS", "read_await_ns", COL_MS, read_ns, COL_DEFAULT,
	     "average milliseconds of a read"),
	RATE("W-MS", "write_await_ns", COL_MS, write_ns, COL_DEFAULT,
	     "average milliseconds of a write"),
	RATE("D/S", "discards_per_s", COL_RATE, discards, 0, "discards per second"),
	RATE("DMIB/S", "discard_bytes_per_s", COL_MIB, discard_bytes, 0,
	     "MiB discarded per second"),
	RATE("IN-FLIGHT", "in_flight", COL_COUNT, in_flight, 0, "requests under way now"),
	RATE("FILL/S", "fills_per_s", COL_RATE, fills, 0,
	     "blocks that fills put into the cache per second"),
	RATE("EVICT/S", "evicts_per_s", COL_RATE, evicts, 0,
	     "cached blocks dropped per second to make room"),
	RATE("RECLAIM/S", "reclaims_per_s", COL_RATE, reclaims, 0,
	     "cached blocks given back per second under memory pressure"),
	RATE("ERROR/S", "errors_per_s", COL_RATE, errors, 0,
	     "requests per second that ended in an error"),
	RATE("DISK", NULL, COL_TEXT, disk, 0, "RAM disk that holds the cache"),
	RATE("CACHE", NULL, COL_TEXT, cache, 0, "caches that use the disk as memory"),
	RATE("ORIGIN", NULL, COL_TEXT, origin, COL_DEFAULT, "slow device below the cache"),
	{ .help = NULL }
};

const struct rx_view view_rates = {
	"rates", rate_cols, sizeof(struct rx_rate), "top",
};
