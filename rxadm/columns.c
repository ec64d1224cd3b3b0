// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is shown of a disk and of a cache: one row per column, from which
 * tables, raw output, JSON and the man page's lists follow.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "out.h"

#define DISK(name, key, group, type, field, flags, help) \
	{ name, key, group, type, offsetof(struct rx_disk, field), NULL, \
	  flags, help }
#define CACHE(name, key, group, type, field, flags, help) \
	{ name, key, group, type, offsetof(struct rx_cache, field), NULL, \
	  flags, help }
#define CACHE_ENUM(name, key, field, names, flags, help) \
	{ name, key, NULL, COL_ENUM, offsetof(struct rx_cache, field), names, \
	  flags, help }
#define STAT(name, key, help) \
	CACHE(name, #key, "stats", COL_COUNT, stats.key, 0, help)

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
	CACHE_ENUM("STATE", "state", state, rx_state_names, COL_DEFAULT,
		   "starting, active, draining or dead (origin gone)"),
	CACHE_ENUM("MODE", "mode", mode, rx_mode_names, 0,
		   "write-through or write-around"),
	CACHE("WRITE-ALLOC", "write_allocate", NULL, COL_BOOL, write_allocate,
	      0, "whole blocks that are written enter the cache"),
	CACHE("POLICY", "policy", NULL, COL_TEXT, policy, 0,
	      "replacement policy"),
	CACHE("BLOCK", "block", NULL, COL_SIZE, block, 0, "cache block size"),
	CACHE("FLOOR", "floor", NULL, COL_SIZE, floor, 0,
	      "bytes that memory pressure never takes back"),
	CACHE("METADATA", "metadata", NULL, COL_SIZE, metadata, 0,
	      "memory that the index takes"),
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
	CACHE(NULL, "message", NULL, COL_TEXT, message, 0,
	      "why a mapping failed"),
	STAT("READS", reads, "read requests"),
	STAT("WRITES", writes, "write requests"),
	STAT("FLUSHES", flushes, "flush requests"),
	STAT("DISCARDS", discards, "discard and write-zeroes requests"),
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
	STAT("FILL-DROP", fill_drop, "fills not kept because a write raced"),
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
	STAT("ORIGIN-WRITES", origin_writes, "writes sent to the origin"),
	STAT("READ-ERRORS", read_errors, "reads that ended in an error"),
	STAT("WRITE-ERRORS", write_errors,
	     "writes, flushes and discards that ended in an error"),
	CACHE("ERRORS", NULL, NULL, COL_COUNT, errors, 0,
	      "requests that ended in an error"),
	CACHE("MOUNTPOINT", "mountpoints", NULL, COL_LIST, mounts, COL_DEFAULT,
	      "where it or a partition is mounted"),
	{ .help = NULL }
};

const struct rx_view view_disks = {
	"disks", disk_cols, sizeof(struct rx_disk),
};
const struct rx_view view_caches = {
	"caches", cache_cols, sizeof(struct rx_cache),
};
