// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is shown of a disk and of a cache: one row per column, from which
 * tables, raw output, JSON and the man page's lists follow.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "out.h"
#include "top.h"

#define DISK(name, key, group, type, field, flags, help) \
	{ name, key, group, type, offsetof(struct rx_disk, field), NULL, \
	  flags, help }
#define CACHE(name, key, group, type, field, flags, help) \
	{ name, key, group, type, offsetof(struct rx_cache, field), NULL, \
	  flags, help }
#define CACHE_ENUM(name, key, field, names, flags, help) \
	{ name, key, NULL, COL_ENUM, offsetof(struct rx_cache, field), names, \
	  flags, help }
#define DISK_ENUM(name, key, field, names, flags, help) \
	{ name, key, NULL, COL_ENUM, offsetof(struct rx_disk, field), names, \
	  flags, help }
#define RATE(name, key, type, field, flags, help) \
	{ name, key, NULL, type, offsetof(struct rx_rate, field), NULL, \
	  flags, help }
#define STAT(name, key, help) \
	CACHE(name, #key, "stats", COL_COUNT, stats.key, 0, help)
#define JSON_AT(group, key, type, field, help) \
	CACHE(NULL, key, group, type, field, 0, help)
#define RECENT_AT(group, index, type, key, help) \
	JSON_AT(group, #key, type, recent[index].key, help)
#define RECENT(group, index) \
	RECENT_AT(group, index, COL_RATIO, hit_ratio, "hit ratio lately"), \
	RECENT_AT(group, index, COL_COUNT, reads, "reads lately"), \
	RECENT_AT(group, index, COL_COUNT, read_full, "served whole"), \
	RECENT_AT(group, index, COL_COUNT, read_hit, "blocks from memory"), \
	RECENT_AT(group, index, COL_COUNT, read_miss, "blocks filled"), \
	RECENT_AT(group, index, COL_COUNT, read_bypass, "blocks past the cache"), \
	RECENT_AT(group, index, COL_COUNT, fill, "blocks put into the cache"), \
	RECENT_AT(group, index, COL_COUNT, evict, "blocks dropped for room"), \
	RECENT_AT(group, index, COL_SIZE, read_bytes, "bytes read"), \
	RECENT_AT(group, index, COL_SIZE, read_hit_bytes, "from memory"), \
	RECENT_AT(group, index, COL_SIZE, write_bytes, "bytes written")
#define LATENCY(group, index) \
	JSON_AT(group, "count", COL_COUNT, latency[index].count, \
		   "requests timed"), \
	JSON_AT(group, "mean_ns", COL_US, latency[index].mean_ns, \
		   "time that one took on average"), \
	JSON_AT(group, "p50_ns", COL_US, latency[index].p50_ns, \
		   "half took less"), \
	JSON_AT(group, "p99_ns", COL_US, latency[index].p99_ns, \
		   "all but one in 100 took less"), \
	JSON_AT(group, "sum_ns", COL_COUNT, latency[index].sum_ns, \
		   "all together"), \
	JSON_AT(group, "buckets", COL_BUCKETS, latency[index].bucket, \
		   "how many took how long")
#define STAT_SIZE(name, key, help) \
	CACHE(name, #key, "stats", COL_SIZE, stats.key, 0, help)

static const struct rx_col disk_cols[] = {
	DISK("NAME", "name", NULL, COL_TEXT, name, COL_DEFAULT,
	     "name, also below /dev"),
	DISK("SIZE", "size", NULL, COL_SIZE, size, COL_DEFAULT, "capacity"),
	DISK("USED", "used", NULL, COL_SIZE, used, COL_DEFAULT,
	     "memory that holds data now"),
	DISK("FREEING", "freeing", NULL, COL_SIZE, freeing, 0,
	     "memory on its way back to the machine"),
	DISK("BLOCK", "block", NULL, COL_COUNT, block, 0,
	     "logical block size in bytes"),
	DISK("QUEUES", "queues", NULL, COL_COUNT, queues, 0,
	     "hardware queues"),
	DISK_ENUM("QUEUE-MODE", "queue_mode", queue_mode, rx_queue_mode_names, 0,
		  "requests in queues (mq), or bios as they come (bio)"),
	DISK_ENUM("STATE", "state", state, rx_disk_state_names, 0,
		  "active, clearing (its memory is being freed) or detaching"),
	DISK("RO", "read_only", NULL, COL_BOOL, read_only, 0, "read-only"),
	DISK("OPEN", "open", NULL, COL_COUNT, open, COL_DEFAULT,
	     "open file descriptors, mounts and other users"),
	DISK("CACHE", "cache", NULL, COL_TEXT, holder, COL_DEFAULT,
	     "cache whose memory it is"),
	DISK("MAJ:MIN", NULL, NULL, COL_DEVNO, major, 0, "device number"),
	DISK(NULL, "major", NULL, COL_COUNT, major, 0, "major device number"),
	DISK(NULL, "minor", NULL, COL_COUNT, minor, 0, "minor device number"),
	DISK("NO-SPACE", "no_space", NULL, COL_COUNT, no_space, 0,
	     "writes that found no memory"),
	DISK("SLOW-WRITES", "slow_writes", NULL, COL_COUNT, slow_writes, 0,
	     "writes that had to wait for memory"),
	DISK("READS", "reads", "io", COL_COUNT, io.reads, 0, "reads done"),
	DISK("READ", "read_bytes", "io", COL_SIZE, io.read_bytes, 0,
	     "bytes read"),
	DISK(NULL, "read_ns", "io", COL_COUNT, io.read_ns, 0,
	     "time that reads took"),
	DISK("WRITES", "writes", "io", COL_COUNT, io.writes, 0, "writes done"),
	DISK("WRITTEN", "write_bytes", "io", COL_SIZE, io.write_bytes, 0,
	     "bytes written"),
	DISK(NULL, "write_ns", "io", COL_COUNT, io.write_ns, 0,
	     "time that writes took"),
	DISK("DISCARDS", "discards", "io", COL_COUNT, io.discards, 0,
	     "discards done"),
	DISK("DISCARDED", "discard_bytes", "io", COL_SIZE, io.discard_bytes, 0,
	     "bytes discarded"),
	DISK(NULL, "in_flight", "io", COL_COUNT, io.in_flight, 0,
	     "requests under way"),
	DISK("MOUNTPOINT", "mountpoints", NULL, COL_LIST, mounts, COL_DEFAULT,
	     "where it or a partition is mounted"),
	{ .help = NULL }
};

static const struct rx_col cache_cols[] = {
	CACHE("NAME", "name", NULL, COL_TEXT, name, COL_DEFAULT,
	      "name, also below /dev"),
	CACHE("DISK", "disk", NULL, COL_TEXT, disk, COL_DEFAULT,
	      "RAM disk that holds it"),
	CACHE("ORIGIN", "origin", NULL, COL_TEXT, origin_path, COL_DEFAULT,
	      "slow device below it"),
	CACHE("SIZE", "size", NULL, COL_SIZE, size, COL_DEFAULT,
	      "bytes that the cache can hold"),
	CACHE("CACHED", "cached", NULL, COL_SIZE, cached, COL_DEFAULT,
	      "bytes that the cache holds now"),
	CACHE("HIT%", "hit_ratio", NULL, COL_RATIO, hit_ratio, COL_DEFAULT,
	      "blocks that reads found in memory, of all that they touched"),
	CACHE("HIT%-10S", NULL, NULL, COL_RATIO,
	      recent[RX_LAST_10S].hit_ratio, 0, "HIT% of about the last 10 s"),
	CACHE("HIT%-5MIN", NULL, NULL, COL_RATIO,
	      recent[RX_LAST_5MIN].hit_ratio, 0, "HIT% of about the last 5 min"),
	CACHE("HIT%-1H", NULL, NULL, COL_RATIO, recent[RX_LAST_1H].hit_ratio,
	      0, "HIT% of about the last hour"),
	CACHE("HIT-REQ%", "hit_ratio_requests", NULL, COL_RATIO,
	      hit_ratio_requests, 0, "reads that memory served whole"),
	CACHE("HIT-BYTE%", "hit_ratio_bytes", NULL, COL_RATIO, hit_ratio_bytes,
	      0, "bytes that reads found in memory"),
	CACHE_ENUM("STATE", NULL, status, rx_status_names, COL_DEFAULT,
		   "starting, active, draining, dead (origin gone), bypass or mismatch (bypassed since verify)"),
	CACHE_ENUM(NULL, "state", state, rx_state_names, 0,
		   "starting, active, draining or dead"),
	CACHE_ENUM("MODE", "mode", mode, rx_mode_names, 0,
		   "write-through, write-around or bypass"),
	CACHE("WRITE-ALLOC", "write_allocate", NULL, COL_BOOL, write_allocate,
	      0, "whole blocks that are written enter the cache"),
	CACHE("POLICY", "policy", NULL, COL_TEXT, policy, 0,
	      "replacement policy"),
	CACHE("BLOCK", "block", NULL, COL_SIZE, block, 0, "cache block size"),
	CACHE("FLOOR", "floor", NULL, COL_SIZE, floor, 0,
	      "bytes that memory pressure never takes back"),
	CACHE("METADATA", "metadata", NULL, COL_SIZE, metadata, 0,
	      "memory that the index takes"),
	CACHE("SLACK", "slack", NULL, COL_SIZE, slack, 0,
	      "memory of the disk that holds no cached block"),
	CACHE("ORIGIN-SIZE", "origin_size", NULL, COL_SIZE, origin_size, 0,
	      "size of the origin"),
	CACHE(NULL, "origin_major", NULL, COL_COUNT, origin_major, 0,
	      "major device number of the origin"),
	CACHE(NULL, "origin_minor", NULL, COL_COUNT, origin_minor, 0,
	      "minor device number of the origin"),
	CACHE("RO", "read_only", NULL, COL_BOOL, read_only, 0, "read-only"),
	CACHE("OWN-DISK", "own_disk", NULL, COL_BOOL, own_disk, 0,
	      "unmap detaches the disk too"),
	CACHE("OPEN", "open", NULL, COL_COUNT, open, 0,
	      "open file descriptors, mounts and other users"),
	CACHE("MAJ:MIN", NULL, NULL, COL_DEVNO, major, 0, "device number"),
	CACHE(NULL, "major", NULL, COL_COUNT, major, 0, "major device number"),
	CACHE(NULL, "minor", NULL, COL_COUNT, minor, 0, "minor device number"),
	CACHE(NULL, "id", NULL, COL_COUNT, id, 0,
	      "number since the module was loaded"),
	CACHE(NULL, "error", NULL, COL_COUNT, error, 0,
	      "error number of a mapping that failed"),
	CACHE_ENUM(NULL, "cause", cause, rx_cause_names, 0,
		   "what an event tells of"),
	CACHE(NULL, "message", NULL, COL_TEXT, message, 0,
	      "why a mapping failed"),
	STAT("READS", reads, "read requests"),
	STAT("WRITES", writes, "write requests"),
	STAT("FLUSHES", flushes, "flush requests"),
	STAT("DISCARDS", discards, "discard and write-zeroes requests"),
	STAT("READ-FULL", read_full, "read requests that memory served whole"),
	STAT("READ-PARTIAL", read_partial,
	     "read requests that memory served in part"),
	STAT("READ-NONE", read_none,
	     "read requests that found nothing in memory"),
	STAT("READ-AGAIN", read_again,
	     "read requests refused because they must not wait"),
	STAT_SIZE("READ-BYTES", read_bytes, "bytes that reads touched"),
	STAT_SIZE("READ-HIT-BYTES", read_hit_bytes, "bytes read from memory"),
	STAT_SIZE("WRITE-BYTES", write_bytes, "bytes written"),
	CACHE("READ-BLOCKS", "read_blocks", NULL, COL_COUNT, read_blocks, 0,
	      "blocks that reads touched"),
	CACHE("WRITE-BLOCKS", "write_blocks", NULL, COL_COUNT, write_blocks, 0,
	      "blocks that writes touched"),
	STAT("READ-HIT", read_hit, "blocks read from memory"),
	STAT("READ-MISS", read_miss,
	     "blocks read from the origin into the cache"),
	STAT("READ-JOIN", read_join,
	     "blocks read by waiting for another reader's fill"),
	CACHE("BYPASS", NULL, NULL, COL_COUNT, bypass, 0,
	      "blocks read past the cache, for any reason"),
	CACHE("BYPASS-MEMORY", "read_bypass_memory", "stats", COL_COUNT,
	      stats.bypass_memory, 0,
	      "blocks read past the cache: memory was short"),
	CACHE("BYPASS-WRITE", "read_bypass_write", "stats", COL_COUNT,
	      stats.bypass_write, 0,
	      "blocks read past the cache: they were being written"),
	CACHE("BYPASS-FILL", "read_bypass_fill", "stats", COL_COUNT,
	      stats.bypass_fill, 0,
	      "blocks read past the cache: their fill was raced or full"),
	CACHE("BYPASS-MODE", "read_bypass_mode", "stats", COL_COUNT,
	      stats.bypass_mode, 0,
	      "blocks read past the cache: it is in bypass mode"),
	STAT("FILL", fill, "blocks that fills put into the cache"),
	STAT("FILL-REPLACE", fill_replace,
	     "blocks filled that were cached by then"),
	STAT("FILL-DROP", fill_drop,
	     "blocks filled but not kept because a write raced"),
	STAT("FILL-DROP-ERROR", fill_drop_error,
	     "blocks of fills that failed at the origin"),
	STAT("FILL-ERROR", fill_error, "fills that failed at the origin"),
	STAT("WRITE-UPDATE", write_update,
	     "cached blocks that a write brought up to date"),
	STAT("WRITE-ALLOCATE", write_allocate,
	     "blocks that a write put into the cache"),
	STAT("WRITE-BYPASS", write_bypass,
	     "blocks written past the cache"),
	STAT("INVALIDATE", invalidate,
	     "cached blocks dropped for a write, discard or flush"),
	STAT("EVICT", evict, "cached blocks dropped to make room"),
	STAT("RECLAIM", reclaim,
	     "cached blocks given back under memory pressure"),
	STAT("ORIGIN-READS", origin_reads, "reads sent to the origin"),
	STAT_SIZE("ORIGIN-READ-BYTES", origin_read_bytes,
		  "bytes read from the origin"),
	STAT("ORIGIN-WRITES", origin_writes, "writes sent to the origin"),
	STAT_SIZE("ORIGIN-WRITE-BYTES", origin_write_bytes,
		  "bytes written to the origin"),
	STAT("ORIGIN-READ-ERRORS", origin_read_errors,
	     "reads that the origin failed"),
	STAT("ORIGIN-WRITE-ERRORS", origin_write_errors,
	     "writes, flushes and discards that the origin failed"),
	STAT("READ-ERRORS", read_errors, "reads that ended in an error"),
	STAT("WRITE-ERRORS", write_errors,
	     "writes, flushes and discards that ended in an error"),
	STAT("GHOST-HIT", ghost_hit, "blocks back soon after they were evicted"),
	STAT("SOURCE-SAMPLED", source_sampled,
	     "reads that it was looked at where they came from"),
	STAT("SOURCE-BUFFERED", source_buffered,
	     "those of them that the page cache sent"),
	CACHE(NULL, "reads", "io", COL_COUNT, io.reads, 0, "reads done"),
	CACHE(NULL, "read_bytes", "io", COL_SIZE, io.read_bytes, 0,
	      "bytes read"),
	CACHE(NULL, "read_ns", "io", COL_COUNT, io.read_ns, 0,
	      "time that reads took"),
	CACHE(NULL, "writes", "io", COL_COUNT, io.writes, 0, "writes done"),
	CACHE(NULL, "write_bytes", "io", COL_SIZE, io.write_bytes, 0,
	      "bytes written"),
	CACHE(NULL, "write_ns", "io", COL_COUNT, io.write_ns, 0,
	      "time that writes took"),
	CACHE(NULL, "discards", "io", COL_COUNT, io.discards, 0,
	      "discards done"),
	CACHE(NULL, "discard_bytes", "io", COL_SIZE, io.discard_bytes, 0,
	      "bytes discarded"),
	CACHE(NULL, "in_flight", "io", COL_COUNT, io.in_flight, 0,
	      "requests under way"),
	CACHE(NULL, "stats_age_ns", NULL, COL_COUNT, stats_age, 0,
	      "since when the counters count"),
	RECENT("recent_10s", RX_LAST_10S),
	RECENT("recent_5min", RX_LAST_5MIN),
	RECENT("recent_1h", RX_LAST_1H),
	CACHE("LAT-HIT", NULL, NULL, COL_US, latency[RX_TIME_HIT].mean_ns, 0,
	      "time that a read took that memory served whole, on average"),
	CACHE("LAT-MISS", NULL, NULL, COL_US, latency[RX_TIME_MISS].mean_ns, 0,
	      "time that other reads took"),
	CACHE("LAT-WRITE", NULL, NULL, COL_US, latency[RX_TIME_WRITE].mean_ns,
	      0, "time that writes took"),
	CACHE("LAT-ORIGIN", NULL, NULL, COL_US,
	      latency[RX_TIME_ORIGIN].mean_ns, 0,
	      "time that the origin took for a read"),
	CACHE("SAVED", "saved_ns", NULL, COL_US, saved_ns, 0,
	      "time that reads did not wait for the origin"),
	LATENCY("latency_hit", RX_TIME_HIT),
	LATENCY("latency_miss", RX_TIME_MISS),
	LATENCY("latency_write", RX_TIME_WRITE),
	LATENCY("latency_origin", RX_TIME_ORIGIN),
	CACHE(NULL, "running", "verify", COL_BOOL, verify.running, 0,
	      "whether a verification is going on"),
	CACHE(NULL, "sample", "verify", COL_COUNT, verify.sample, 0,
	      "one block in so many is verified"),
	CACHE("VERIFIED", "compared", "verify", COL_COUNT, verify.compared, 0,
	      "blocks compared with the origin by the last verification"),
	CACHE(NULL, "skipped", "verify", COL_COUNT, verify.skipped, 0,
	      "blocks that could not be compared"),
	CACHE("MISMATCHES", "mismatches", "verify", COL_COUNT,
	      verify.mismatches, 0,
	      "blocks that differed from the origin"),
	CACHE(NULL, "errors", "verify", COL_COUNT, verify.errors, 0,
	      "reads of the origin that failed during it"),
	CACHE(NULL, "stopped", "verify", COL_BOOL, verify.stopped, 0,
	      "whether it was told to end early"),
	CACHE("ERRORS", NULL, NULL, COL_COUNT, errors, 0,
	      "requests that ended in an error"),
	CACHE("MOUNTPOINT", "mountpoints", NULL, COL_LIST, mounts, COL_DEFAULT,
	      "where it or a partition is mounted"),
	{ .help = NULL }
};

/* Of disks and caches in one table; what JSON says elsewhere has no key. */
static const struct rx_col rate_cols[] = {
	RATE("NAME", NULL, COL_TEXT, name, COL_DEFAULT, "name, also below /dev"),
	RATE("STATE", NULL, COL_TEXT, state, COL_DEFAULT,
	     "of a cache as in list; of a disk idle, open or cache (its memory)"),
	RATE("SIZE", NULL, COL_SIZE, size, COL_DEFAULT,
	     "capacity, or bytes that the cache can hold"),
	RATE("USED", NULL, COL_SIZE, used, COL_DEFAULT,
	     "memory that holds data or cached blocks now"),
	RATE("FREEING", NULL, COL_SIZE, freeing, 0,
	     "memory on its way back to the machine"),
	RATE("INDEX", NULL, COL_SIZE, index, 0,
	     "memory that the cache's index takes"),
	RATE("HIT%", NULL, COL_RATIO, hit, COL_DEFAULT,
	     "blocks that reads found in memory, in the interval"),
	RATE("ALL%", "hit_ratio_all", COL_RATIO, hit_all, COL_DEFAULT,
	     "the same since the cache was mapped"),
	RATE("R/S", "reads_per_s", COL_RATE, reads, COL_DEFAULT,
	     "reads per second"),
	RATE("RMIB/S", "read_bytes_per_s", COL_MIB, read_bytes, COL_DEFAULT,
	     "MiB read per second"),
	RATE("W/S", "writes_per_s", COL_RATE, writes, COL_DEFAULT,
	     "writes per second"),
	RATE("WMIB/S", "write_bytes_per_s", COL_MIB, write_bytes, COL_DEFAULT,
	     "MiB written per second"),
	RATE("R-MS", "read_await_ns", COL_MS, read_ns, COL_DEFAULT,
	     "milliseconds that a read took, on average"),
	RATE("W-MS", "write_await_ns", COL_MS, write_ns, COL_DEFAULT,
	     "milliseconds that a write took, on average"),
	RATE("D/S", "discards_per_s", COL_RATE, discards, 0,
	     "discards per second"),
	RATE("DMIB/S", "discard_bytes_per_s", COL_MIB, discard_bytes, 0,
	     "MiB discarded per second"),
	RATE("IN-FLIGHT", NULL, COL_COUNT, in_flight, 0,
	     "requests under way now"),
	RATE("FILL/S", "fills_per_s", COL_RATE, fills, 0,
	     "blocks fetched from the origin per second"),
	RATE("EVICT/S", "evicts_per_s", COL_RATE, evicts, 0,
	     "cached blocks dropped per second to make room"),
	RATE("RECLAIM/S", "reclaims_per_s", COL_RATE, reclaims, 0,
	     "cached blocks given back per second under memory pressure"),
	RATE("ERROR/S", "errors_per_s", COL_RATE, errors, 0,
	     "requests per second that ended in an error"),
	RATE("DISK", NULL, COL_TEXT, disk, 0, "RAM disk that holds the cache"),
	RATE("CACHE", NULL, COL_TEXT, cache, 0, "cache whose memory the disk is"),
	RATE("ORIGIN", NULL, COL_TEXT, origin, COL_DEFAULT,
	     "slow device below the cache"),
	{ .help = NULL }
};

const struct rx_view view_disks = {
	"disks", disk_cols, sizeof(struct rx_disk),
};
const struct rx_view view_caches = {
	"caches", cache_cols, sizeof(struct rx_cache),
};
const struct rx_view view_rates = {
	"rates", rate_cols, sizeof(struct rx_rate),
};
const struct rx_view *const views_list[2] = { &view_disks, &view_caches };
