// SPDX-License-Identifier: GPL-2.0-only
/*
 * The columns of disks and caches. One row defines a column for tables, raw
 * output, JSON, help and completion.
 */
#include <stddef.h>

#include "kernel/model_gen.h"
#include "kernel/object.h"
#include "show/columns.h"
#include "show/out.h"

#define DISK(name, key, type, field, flags, help) \
	COL(rx_disk, name, key, NULL, type, field, NULL, flags, help)
#define DISK_ENUM(name, key, field, names, flags, help) \
	COL(rx_disk, name, key, NULL, COL_ENUM, field, names, flags, help)
#define CACHE(name, key, type, field, flags, help) \
	COL(rx_cache, name, key, NULL, type, field, NULL, flags, help)
#define CACHE_ENUM(name, key, field, names, flags, help) \
	COL(rx_cache, name, key, NULL, COL_ENUM, field, names, flags, help)
#define GROUPED(name, group, key, type, field, help) \
	COL(rx_cache, name, key, group, type, field, NULL, 0, help)
#define IO_COL(object, name, key, type, help) \
	COL(object, name, #key, "io", type, io.key, NULL, 0, help)
#define IO(object, reads_, read_, writes_, written_, discards_, discarded_) \
	IO_COL(object, reads_, reads, COL_COUNT, "reads done"), \
	IO_COL(object, read_, read_bytes, COL_SIZE, "bytes read"), \
	IO_COL(object, NULL, read_ns, COL_COUNT, "time that reads took"), \
	IO_COL(object, writes_, writes, COL_COUNT, "writes done"), \
	IO_COL(object, written_, write_bytes, COL_SIZE, "bytes written"), \
	IO_COL(object, NULL, write_ns, COL_COUNT, "time that writes took"), \
	IO_COL(object, discards_, discards, COL_COUNT, "discards done"), \
	IO_COL(object, discarded_, discard_bytes, COL_SIZE, "bytes discarded"), \
	IO_COL(object, NULL, in_flight, COL_COUNT, "requests under way")
#define VERIFY(name, key, type, help) \
	COL(rx_cache, name, #key, "verify", type, verify.key, NULL, 0, help)

/*
 * Defines the column of a counter. "make gen" reads these rows: it puts counters without
 * a row into STATS_OF_JSON, and adds columns that the man page lacks to that page.
 */
#define STAT(name, key, help) \
	COL(rx_cache, name, #key, "stats", COL_OF_##key, stats.key, NULL, 0, help)

/*
 * Defines a value that only JSON shows. It has no help, because no list of columns shows
 * it.
 */
#define JSON(group, key, type, field) \
	COL(rx_cache, NULL, key, group, type, field, NULL, 0, "")
#define RECENT_AT(group, index, key, type) \
	JSON(group, #key, type, recent[index].key)
#define RECENT(group, index) \
	RECENT_AT(group, index, reads, COL_COUNT), \
	RECENT_AT(group, index, read_full, COL_COUNT), \
	RECENT_AT(group, index, read_hit, COL_COUNT), \
	RECENT_AT(group, index, read_miss, COL_COUNT), \
	RECENT_AT(group, index, read_bypass, COL_COUNT), \
	RECENT_AT(group, index, fill, COL_COUNT), \
	RECENT_AT(group, index, evict, COL_COUNT), \
	RECENT_AT(group, index, read_bytes, COL_SIZE), \
	RECENT_AT(group, index, read_hit_bytes, COL_SIZE), \
	RECENT_AT(group, index, write_bytes, COL_SIZE)
#define LATENCY(group, index) \
	JSON(group, "count", COL_COUNT, latency[index].count), \
	JSON(group, "p50_ns", COL_US, latency[index].p50_ns), \
	JSON(group, "p99_ns", COL_US, latency[index].p99_ns), \
	JSON(group, "sum_ns", COL_COUNT, latency[index].sum_ns), \
	JSON(group, "buckets", COL_BUCKETS, latency[index].bucket)

static const struct rx_col disk_cols[] = {
	DISK("NAME", "name", COL_TEXT, name, COL_DEFAULT, "name, also below /dev"),
	DISK("SIZE", "size", COL_SIZE, size, COL_DEFAULT, "capacity"),
	DISK("USED", "used", COL_SIZE, used, COL_DEFAULT, "memory that holds data now"),
	DISK("FREEING", "freeing", COL_SIZE, freeing, 0, "memory on its way back to the machine"),
	DISK("BLOCK", "block", COL_COUNT, block, 0, "logical block size in bytes"),
	DISK("QUEUES", "queues", COL_COUNT, queues, 0, "hardware queues"),
	DISK_ENUM("QUEUE-MODE", "queue_mode", queue_mode, rx_queue_mode_names, 0,
		  "receives requests in queues (mq), or bios directly (bio)"),
	DISK_ENUM("STATE", "state", state, rx_disk_state_names, 0,
		  "active, clearing (its memory is being freed), preparing or detaching"),
	DISK("PREALLOC", "prealloc", COL_BOOL, prealloc, 0,
	     "has memory for all of its size"),
	DISK("NODE", "node", COL_COUNT, node, 0, "NUMA node that its memory comes from"),
	DISK("INTERLEAVE", "interleave", COL_BOOL, interleave, 0,
	     "its memory comes from all NUMA nodes in turn"),
	DISK("USED-NODES", "used_nodes", COL_SIZES, used_nodes, 0,
	     "the part of USED on NUMA node 0, 1 and so on"),
	DISK(NULL, "error", COL_COUNT, error, 0, "why it did not get that memory"),
	DISK("ZERO-DETECT", "zero_detect", COL_BOOL, zero_detect, 0,
	     "pages that are written with zeroes take no memory"),
	DISK("LIMIT", "limit", COL_SIZE, limit, 0, "the most memory that it may have, 0 for no limit"),
	DISK("RO", "read_only", COL_BOOL, read_only, 0, "read-only"),
	DISK("OPEN", "open", COL_COUNT, open, COL_DEFAULT,
	     "open file descriptors, mounts and other users"),
	DISK("CACHE", "cache", COL_HOLDERS, holder, COL_DEFAULT, "caches that use it as memory"),
	DISK("MAJ:MIN", "major", COL_DEVNO, major, 0, "device number"),
	DISK("NO-SPACE", "no_space", COL_COUNT, no_space, 0, "writes that found no memory"),
	DISK("SLOW-WRITES", "slow_writes", COL_COUNT, slow_writes, 0,
	     "writes that had to wait for memory"),
	IO(rx_disk, "READS", "READ", "WRITES", "WRITTEN", "DISCARDS", "DISCARDED"),
	DISK("MOUNTPOINT", "mountpoints", COL_LIST, mounts, COL_DEFAULT,
	     "where it or a partition is mounted"),
	{ .help = NULL }
};

static const struct rx_col cache_cols[] = {
	CACHE("NAME", "name", COL_TEXT, name, COL_DEFAULT, "name, also below /dev"),
	CACHE("DISK", "disk", COL_TEXT, disk, COL_DEFAULT, "RAM disk that holds it"),
	CACHE("ORIGIN", "origin", COL_TEXT, origin_path, COL_DEFAULT, "slow device below it"),
	CACHE("SIZE", "size", COL_SIZE, size, COL_DEFAULT, "memory for cached blocks"),
	CACHE("CACHED", "cached", COL_SIZE, cached, COL_DEFAULT, "memory that its blocks take now"),
	CACHE("HIT%", "hit_ratio", COL_RATIO, hit_ratio, COL_DEFAULT,
	      "share of the blocks read that were in memory"),
	GROUPED("HIT%-10S", "recent_10s", "hit_ratio", COL_RATIO, recent[RX_LAST_10S].hit_ratio,
		"HIT% of about the last 10 s"),
	GROUPED("HIT%-5MIN", "recent_5min", "hit_ratio", COL_RATIO, recent[RX_LAST_5MIN].hit_ratio,
		"HIT% of about the last 5 min"),
	GROUPED("HIT%-1H", "recent_1h", "hit_ratio", COL_RATIO, recent[RX_LAST_1H].hit_ratio,
		"HIT% of about the last hour"),
	CACHE("HIT-REQ%", "hit_ratio_requests", COL_RATIO, hit_ratio_requests, 0,
	      "share of the reads that memory served whole"),
	CACHE("HIT-BYTE%", "hit_ratio_bytes", COL_RATIO, hit_ratio_bytes, 0,
	      "share of the bytes read that were in memory"),
	CACHE_ENUM("STATE", "state", status, rx_status_names, COL_DEFAULT,
		   "starting, active, draining, dead (origin gone), bypass, mismatch (bypassed since verify) or frozen"),
	CACHE_ENUM("MODE", "mode", mode, rx_mode_names, 0, "write-through, write-around or bypass"),
	CACHE("WRITE-ALLOC", "write_allocate", COL_BOOL, write_allocate, 0,
	      "whole blocks that are written enter the cache"),
	CACHE("READ-AHEAD", "read_ahead", COL_TEXT, ahead, 0,
	      "whether blocks are read ahead of readers: off, auto or how far at most"),
	CACHE_ENUM("COMPRESS", "compress", compress, rx_codec_names, 0,
		   "the setting of compression: off, lz4, zstd or auto"),
	CACHE("COMPRESSED", "compressed", COL_SIZE, compressed, 0,
	      "bytes of the origin whose blocks are cached in compressed form"),
	CACHE("COMPRESSED-MEM", "compressed_memory", COL_SIZE, compressed_memory, 0,
	      "memory that compressed blocks take"),
	CACHE("FROZEN", "frozen", COL_BOOL, frozen, 0, "no block enters the cache"),
	CACHE("BLOCK", "block", COL_SIZE, block, 0, "cache block size"),
	CACHE("FLOOR", "floor", COL_SIZE, floor, 0, "bytes that memory pressure never takes back"),
	CACHE("METADATA", "metadata", COL_SIZE, metadata, 0, "memory that the index takes"),
	CACHE("SLACK", "slack", COL_SIZE, slack, 0,
	      "memory of the disk that holds no cached block"),
	CACHE("PINNED", "pinned", COL_SIZE, pinned, 0, "bytes that are pinned"),
	CACHE("PINNED-CACHED", "pinned_cached", COL_SIZE, pinned_cached, 0,
	      "bytes that are pinned and cached"),
	CACHE("PIN-LIMIT", "pin_limit", COL_SIZE, pin_limit, 0, "bytes that can be pinned"),
	CACHE("ORIGIN-SIZE", "origin_size", COL_SIZE, origin_size, 0, "size of the origin"),
	JSON(NULL, "origin_major", COL_COUNT, origin_major),
	JSON(NULL, "origin_minor", COL_COUNT, origin_minor),
	CACHE("RO", "read_only", COL_BOOL, read_only, 0, "read-only"),
	CACHE("OWN-DISK", "own_disk", COL_BOOL, own_disk, 0, "unmap of the last of its caches detaches the disk too"),
	CACHE("SHARERS", "sharers", COL_COUNT, sharers, 0, "caches on its disk"),
	CACHE("MIN-SHARE", "min_share", COL_SIZE, min_share, 0,
	      "bytes that the other caches on its disk leave to it"),
	CACHE("MAX-SHARE", "max_share", COL_SIZE, max_share, 0,
	      "bytes that it has at most of its disk"),
	JSON(NULL, "min_share_percent", COL_COUNT, min_share_percent),
	JSON(NULL, "max_share_percent", COL_COUNT, max_share_percent),
	CACHE("OPEN", "open", COL_COUNT, open, 0, "open file descriptors, mounts and other users"),
	CACHE("MAJ:MIN", "major", COL_DEVNO, major, 0, "device number"),
	JSON(NULL, "id", COL_COUNT, id),
	JSON(NULL, "error", COL_COUNT, error),
	CACHE_ENUM(NULL, "cause", cause, rx_cause_names, 0, "cause of an event"),
	JSON(NULL, "message", COL_TEXT, message),
	STAT("READS", reads, "read requests"),
	STAT("WRITES", writes, "write requests"),
	STAT("FLUSHES", flushes, "flush requests"),
	STAT("DISCARDS", discards, "discard and write-zeroes requests"),
	STAT("READ-FULL", read_full, "read requests that memory served whole"),
	STAT("READ-PARTIAL", read_partial, "read requests that memory served in part"),
	STAT("READ-NONE", read_none, "read requests that found nothing in memory"),
	STAT("READ-AGAIN", read_again, "read requests refused because they must not wait"),
	STAT("READ-BYTES", read_bytes, "bytes that reads touched"),
	STAT("READ-HIT-BYTES", read_hit_bytes, "bytes read from memory"),
	STAT("WRITE-BYTES", write_bytes, "bytes written"),
	CACHE("READ-BLOCKS", "read_blocks", COL_COUNT, read_blocks, 0, "blocks that reads touched"),
	CACHE("WRITE-BLOCKS", "write_blocks", COL_COUNT, write_blocks, 0,
	      "blocks that writes touched"),
	STAT("READ-HIT", read_hit, "blocks read from memory"),
	STAT("READ-MISS", read_miss, "blocks read from the origin into the cache"),
	STAT("READ-JOIN", read_join, "blocks read by waiting for another reader's fill"),
	CACHE("BYPASS", "bypass", COL_COUNT, bypass, 0, "blocks read past the cache, for any reason"),
	STAT("BYPASS-MEMORY", read_bypass_memory, "blocks read past the cache: memory was short"),
	STAT("BYPASS-WRITE", read_bypass_write,
	     "blocks read past the cache: they were being written"),
	STAT("BYPASS-FILL", read_bypass_fill,
	     "blocks read past the cache: their fill had no room for another waiter"),
	STAT("BYPASS-MODE", read_bypass_mode, "blocks read past the cache: it is in bypass mode"),
	STAT("BYPASS-FROZEN", read_bypass_frozen, "blocks read past the cache: it is frozen"),
	STAT("FILL", fill, "blocks that fills put into the cache"),
	STAT("FILL-REPLACE", fill_replace, "filled blocks that were cached by then"),
	STAT("FILL-DROP", fill_drop, "filled blocks that were not kept"),
	STAT("FILL-DROP-ERROR", fill_drop_error, "blocks of fills that failed at the origin"),
	STAT("FILL-ERROR", fill_error, "fills that failed at the origin"),
	STAT("WRITE-UPDATE", write_update, "cached blocks that a write updated"),
	STAT("WRITE-ALLOCATE", write_allocate, "blocks that a write put into the cache"),
	STAT("WRITE-BYPASS", write_bypass, "blocks written past the cache"),
	STAT("INVALIDATE", invalidate, "cached blocks dropped for a write or discard, or by drop"),
	STAT("EVICT", evict, "cached blocks dropped to make room"),
	STAT("RECLAIM", reclaim, "cached blocks given back under memory pressure"),
	STAT("ORIGIN-READS", origin_reads, "reads sent to the origin"),
	STAT("ORIGIN-READ-BYTES", origin_read_bytes, "bytes read from the origin"),
	STAT("ORIGIN-WRITES", origin_writes, "writes sent to the origin"),
	STAT("ORIGIN-WRITE-BYTES", origin_write_bytes, "bytes written to the origin"),
	STAT("ORIGIN-READ-ERRORS", origin_read_errors, "reads that failed at the origin"),
	STAT("ORIGIN-WRITE-ERRORS", origin_write_errors,
	     "writes, flushes and discards that failed at the origin"),
	STAT("READ-ERRORS", read_errors, "reads that ended in an error"),
	STAT("WRITE-ERRORS", write_errors, "writes, flushes and discards that ended in an error"),
	STAT("GHOST-HIT", ghost_hit, "blocks that returned soon after their eviction"),
	STAT("AHEAD-ISSUED", ahead_issued, "blocks read ahead of their readers"),
	STAT("AHEAD-USED", ahead_used, "of those, blocks that a reader came to"),
	STAT("AHEAD-LATE", ahead_late, "blocks whose reader came before they had arrived"),
	STAT("AHEAD-VAIN", ahead_vain, "blocks read ahead that left before a reader came"),
	STAT("AHEAD-SAVED", ahead_saved, "time that reads did not wait thanks to read-ahead"),
	STAT("HIT-COMPRESSED", read_hit_compressed, "hits of blocks that were compressed"),
	STAT("DECOMPRESS-NS", decompress_ns, "time that reads of compressed blocks took"),
	STAT("DAMAGED", compressed_damaged, "compressed blocks that were damaged in memory"),
	STAT("SOURCE-SAMPLED", source_sampled, "reads whose source was sampled"),
	STAT("SOURCE-BUFFERED", source_buffered, "sampled reads that the page cache sent"),
	STATS_OF_JSON
	IO(rx_cache, NULL, NULL, NULL, NULL, NULL, NULL),
	JSON(NULL, "stats_age_ns", COL_COUNT, stats_age),
	RECENT("recent_10s", RX_LAST_10S),
	RECENT("recent_5min", RX_LAST_5MIN),
	RECENT("recent_1h", RX_LAST_1H),
	GROUPED("LAT-HIT", "latency_hit", "mean_ns", COL_US, latency[RX_TIME_HIT].mean_ns,
		"average time of a read that memory served whole"),
	GROUPED("LAT-MISS", "latency_miss", "mean_ns", COL_US, latency[RX_TIME_MISS].mean_ns,
		"average time of other reads"),
	GROUPED("LAT-WRITE", "latency_write", "mean_ns", COL_US, latency[RX_TIME_WRITE].mean_ns,
		"average time of a write"),
	GROUPED("LAT-ORIGIN", "latency_origin", "mean_ns", COL_US, latency[RX_TIME_ORIGIN].mean_ns,
		"average time of a read at the origin"),
	CACHE("SAVED", "saved_ns", COL_US, saved_ns, 0,
	      "time that reads did not have to wait for the origin"),
	LATENCY("latency_hit", RX_TIME_HIT),
	LATENCY("latency_miss", RX_TIME_MISS),
	LATENCY("latency_write", RX_TIME_WRITE),
	LATENCY("latency_origin", RX_TIME_ORIGIN),
	VERIFY(NULL, running, COL_BOOL, "whether a verification is running"),
	VERIFY(NULL, sample, COL_COUNT, "one block in this many is compared"),
	VERIFY("VERIFIED", compared, COL_COUNT,
	       "blocks compared with the origin by the last verification"),
	VERIFY(NULL, skipped, COL_COUNT, "blocks that could not be compared"),
	VERIFY("MISMATCHES", mismatches, COL_COUNT, "blocks that differed from the origin"),
	VERIFY(NULL, errors, COL_COUNT, "reads of the origin that failed during it"),
	VERIFY(NULL, stopped, COL_BOOL, "whether it was told to end early"),
	JSON("resize", "running", COL_BOOL, resize.running),
	JSON("resize", "size", COL_SIZE, resize.size),
	JSON("resize", "error", COL_COUNT, resize.error),
	JSON("resize", "message", COL_TEXT, resize.message),
	JSON("resize", "ratio", COL_RATIO, resize.ratio),
	JSON("compressor", "tried", COL_COUNT, compress_tried),
	JSON("compressor", "done", COL_COUNT, compress_done),
	JSON("compressor", "filled", COL_COUNT, compress_filled),
	JSON("compressor", "moved", COL_COUNT, compress_moved),
	JSON("compressor", "ns", COL_COUNT, compress_ns),
	JSON("compressor", "incompressible", COL_SIZE, incompressible),
	COL(rx_cache, NULL, "verdict", "compressor", COL_ENUM, compress_verdict, rx_judgement_names,
	    0, "whether compression pays"),
	COL(rx_cache, "WARM", "state", "warm", COL_ENUM, warm.state, rx_warm_names, 0,
	    "how far it is loaded from its list: waiting, loading, loaded or stopped"),
	COL(rx_cache, "WARM%", "ratio", "warm", COL_RATIO, warm.ratio, NULL, 0,
	    "share of the list that has been loaded"),
	JSON("warm", "size", COL_SIZE, warm.size),
	JSON("warm", "loaded", COL_SIZE, warm.loaded),
	CACHE("ERRORS", "errors", COL_COUNT, errors, 0, "requests that ended in an error"),
	CACHE("MOUNTPOINT", "mountpoints", COL_LIST, mounts, COL_DEFAULT,
	      "where it or a partition is mounted"),
	{ .help = NULL }
};

const struct rx_view view_disks = {
	"disks", disk_cols, sizeof(struct rx_disk), "list",
};
const struct rx_view view_caches = {
	"caches", cache_cols, sizeof(struct rx_cache), "list",
};
const struct rx_view *const views_list[2] = { &view_disks, &view_caches };
