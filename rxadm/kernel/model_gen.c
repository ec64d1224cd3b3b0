// SPDX-License-Identifier: GPL-2.0-only
/* Do not edit directly, "make gen" writes it from: */
/*	module/spec/rxdsk.yaml, rxcache.yaml */
#include <linux/rxcache.h>
#include <linux/rxdsk.h>
#include "kernel/model.h"

const char *const rx_queue_mode_names[] = { RX_QUEUE_MODE_NAMES, NULL };
const char *const rx_disk_state_names[] = { RX_DISK_STATE_NAMES, NULL };
const char *const rx_state_names[] = { RX_STATE_NAMES, NULL };
const char *const rx_mode_names[] = { RX_MODE_NAMES, NULL };
const char *const rx_codec_names[] = { RX_CODEC_NAMES, NULL };
const char *const rx_judgement_names[] = { RX_JUDGEMENT_NAMES, NULL };
const char *const rx_cause_names[] = { RX_CAUSE_NAMES, NULL };
const char *const rx_what_names[] = { RX_WHAT_NAMES, NULL };
const char *const rx_yes_no[] = { "no", "yes", NULL };

const struct rx_attr rxdsk_attrs[] = {
	{ RXDSK_A_DISK_NAME, A_TEXT, "name", offsetof(struct rx_disk, name), sizeof(((struct rx_disk *)0)->name), NULL, NULL },
	{ RXDSK_A_DISK_SIZE, A_U64, "size", offsetof(struct rx_disk, size), 0, NULL, NULL },
	{ RXDSK_A_DISK_BLOCK_SIZE, A_U32, "block-size", offsetof(struct rx_disk, block), 0, NULL, NULL },
	{ RXDSK_A_DISK_QUEUES, A_U32, "queues", offsetof(struct rx_disk, queues), 0, NULL, NULL },
	{ RXDSK_A_DISK_READ_ONLY, A_U8, "read-only", offsetof(struct rx_disk, read_only), 0, rx_yes_no, NULL },
	{ RXDSK_A_DISK_SHRINK, A_FLAG, "shrink", -1, 0, NULL, NULL },
	{ RXDSK_A_DISK_USED, A_U64, "used", offsetof(struct rx_disk, used), 0, NULL, NULL },
	{ RXDSK_A_DISK_FREEING, A_U64, "freeing", offsetof(struct rx_disk, freeing), 0, NULL, NULL },
	{ RXDSK_A_DISK_OPENERS, A_U32, "openers", offsetof(struct rx_disk, open), 0, NULL, NULL },
	{ RXDSK_A_DISK_HOLDER, A_TEXT, "holder", offsetof(struct rx_disk, holder), sizeof(((struct rx_disk *)0)->holder), NULL, NULL },
	{ RXDSK_A_DISK_MAJOR, A_U32, "major", offsetof(struct rx_disk, major), 0, NULL, NULL },
	{ RXDSK_A_DISK_MINOR, A_U32, "minor", offsetof(struct rx_disk, minor), 0, NULL, NULL },
	{ RXDSK_A_DISK_NO_SPACE, A_U64, "no-space", offsetof(struct rx_disk, no_space), 0, NULL, NULL },
	{ RXDSK_A_DISK_SLOW_WRITES, A_U64, "slow-writes", offsetof(struct rx_disk, slow_writes), 0, NULL, NULL },
	{ RXDSK_A_DISK_QUEUE_MODE, A_U8, "queue-mode", offsetof(struct rx_disk, queue_mode), 0, rx_queue_mode_names, NULL },
	{ RXDSK_A_DISK_STATE, A_U8, "state", offsetof(struct rx_disk, state), 0, rx_disk_state_names, NULL },
	{ RXDSK_A_DISK_PREALLOC, A_U8, "prealloc", offsetof(struct rx_disk, prealloc), 0, rx_yes_no, NULL },
	{ RXDSK_A_DISK_ERROR, A_U32, "error", offsetof(struct rx_disk, error), 0, NULL, NULL },
	{ RXDSK_A_DISK_NODE, A_U32, "node", offsetof(struct rx_disk, node), 0, NULL, NULL },
	{ RXDSK_A_DISK_INTERLEAVE, A_U8, "interleave", offsetof(struct rx_disk, interleave), 0, rx_yes_no, NULL },
	{ RXDSK_A_DISK_USED_NODES, A_NUMBERS, "used-nodes", offsetof(struct rx_disk, used_nodes), 0, NULL, NULL },
	{ RXDSK_A_DISK_ZERO_DETECT, A_U8, "zero-detect", offsetof(struct rx_disk, zero_detect), 0, rx_yes_no, NULL },
	{ RXDSK_A_DISK_ID, A_U64, "id", offsetof(struct rx_disk, id), 0, NULL, NULL },
	{ RXDSK_A_DISK_CURSOR, A_U64, "cursor", -1, 0, NULL, NULL },
	{ RXDSK_A_DISK_EXTENTS, A_NUMBERS, "extents", -1, 0, NULL, NULL },
	{ RXDSK_A_DISK_LIMIT, A_U64, "limit", offsetof(struct rx_disk, limit), 0, NULL, NULL },
	{ RXDSK_A_DISK_VALIDATE, A_FLAG, "validate", -1, 0, NULL, NULL },
	{ .name = NULL }
};

const struct rx_op rxdsk_ops[] = {
	{ RXDSK_CMD_DISK_GET, "disk-get", NULL },
	{ RXDSK_CMD_DISK_NEW, "disk-new", NULL },
	{ RXDSK_CMD_DISK_DEL, "disk-del", NULL },
	{ RXDSK_CMD_DISK_RESIZE, "disk-resize", NULL },
	{ RXDSK_CMD_DISK_ERASE, "disk-erase", NULL },
	{ RXDSK_CMD_DISK_NEW_NTF, "disk-new-ntf", "disk-new" },
	{ RXDSK_CMD_DISK_DEL_NTF, "disk-del-ntf", "disk-del" },
	{ RXDSK_CMD_DISK_CHANGE_NTF, "disk-change-ntf", "disk-change" },
	{ RXDSK_CMD_DISK_EXTENTS, "disk-extents", NULL },
	{ RXDSK_CMD_DISK_SET, "disk-set", NULL },
	{ RXDSK_CMD_DISK_FULL_NTF, "disk-full-ntf", "disk-full" },
	{ .name = NULL }
};

static const struct rx_attr shadow_point_attrs[] = {
	{ RXCACHE_A_SHADOW_POINT_SIZE, A_U64, "size", offsetof(struct rx_point, size), 0, NULL, NULL },
	{ RXCACHE_A_SHADOW_POINT_HITS, A_U64, "hits", offsetof(struct rx_point, hits), 0, NULL, NULL },
	{ RXCACHE_A_SHADOW_POINT_WHAT, A_U32, "what", offsetof(struct rx_point, what), 0, rx_what_names, NULL },
	{ .name = NULL }
};

static const struct rx_attr shadow_attrs[] = {
	{ RXCACHE_A_SHADOW_RATE, A_U32, "rate", offsetof(struct rx_shadow, rate), 0, NULL, NULL },
	{ RXCACHE_A_SHADOW_READS, A_U64, "reads", offsetof(struct rx_shadow, reads), 0, NULL, NULL },
	{ RXCACHE_A_SHADOW_LOST, A_U64, "lost", offsetof(struct rx_shadow, lost), 0, NULL, NULL },
	{ RXCACHE_A_SHADOW_POINT, A_POINT, "point", offsetof(struct rx_shadow, points), 0, NULL, shadow_point_attrs },
	{ .name = NULL }
};

static const struct rx_attr latency_attrs[] = {
	{ RXCACHE_A_LATENCY_SUM, A_U64, "sum", offsetof(struct rx_latency, sum_ns), 0, NULL, NULL },
	{ RXCACHE_A_LATENCY_BUCKETS, A_BUCKETS, "buckets", offsetof(struct rx_latency, bucket), 0, NULL, NULL },
	{ .name = NULL }
};

static const struct rx_attr recent_attrs[] = {
	{ RXCACHE_A_RECENT_READS, A_U64, "reads", offsetof(struct rx_recent, reads), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_FULL, A_U64, "read-full", offsetof(struct rx_recent, read_full), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_HIT, A_U64, "read-hit", offsetof(struct rx_recent, read_hit), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_MISS, A_U64, "read-miss", offsetof(struct rx_recent, read_miss), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_BYPASS, A_U64, "read-bypass", offsetof(struct rx_recent, read_bypass), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_FILL, A_U64, "fill", offsetof(struct rx_recent, fill), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_EVICT, A_U64, "evict", offsetof(struct rx_recent, evict), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_BYTES, A_U64, "read-bytes", offsetof(struct rx_recent, read_bytes), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_READ_HIT_BYTES, A_U64, "read-hit-bytes", offsetof(struct rx_recent, read_hit_bytes), 0, NULL, NULL },
	{ RXCACHE_A_RECENT_WRITE_BYTES, A_U64, "write-bytes", offsetof(struct rx_recent, write_bytes), 0, NULL, NULL },
	{ .name = NULL }
};

static const struct rx_attr stats_attrs[] = {
	{ RXCACHE_A_STATS_READS, A_U64, "reads", offsetof(struct rx_stats, reads), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITES, A_U64, "writes", offsetof(struct rx_stats, writes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FLUSHES, A_U64, "flushes", offsetof(struct rx_stats, flushes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_DISCARDS, A_U64, "discards", offsetof(struct rx_stats, discards), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_HIT, A_U64, "read-hit", offsetof(struct rx_stats, read_hit), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_MISS, A_U64, "read-miss", offsetof(struct rx_stats, read_miss), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_JOIN, A_U64, "read-join", offsetof(struct rx_stats, read_join), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYPASS_MEMORY, A_U64, "read-bypass-memory", offsetof(struct rx_stats, read_bypass_memory), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYPASS_WRITE, A_U64, "read-bypass-write", offsetof(struct rx_stats, read_bypass_write), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYPASS_FILL, A_U64, "read-bypass-fill", offsetof(struct rx_stats, read_bypass_fill), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FILL_DROP, A_U64, "fill-drop", offsetof(struct rx_stats, fill_drop), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FILL_ERROR, A_U64, "fill-error", offsetof(struct rx_stats, fill_error), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITE_UPDATE, A_U64, "write-update", offsetof(struct rx_stats, write_update), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITE_ALLOCATE, A_U64, "write-allocate", offsetof(struct rx_stats, write_allocate), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITE_BYPASS, A_U64, "write-bypass", offsetof(struct rx_stats, write_bypass), 0, NULL, NULL },
	{ RXCACHE_A_STATS_INVALIDATE, A_U64, "invalidate", offsetof(struct rx_stats, invalidate), 0, NULL, NULL },
	{ RXCACHE_A_STATS_EVICT, A_U64, "evict", offsetof(struct rx_stats, evict), 0, NULL, NULL },
	{ RXCACHE_A_STATS_RECLAIM, A_U64, "reclaim", offsetof(struct rx_stats, reclaim), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_READS, A_U64, "origin-reads", offsetof(struct rx_stats, origin_reads), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_WRITES, A_U64, "origin-writes", offsetof(struct rx_stats, origin_writes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_ERRORS, A_U64, "read-errors", offsetof(struct rx_stats, read_errors), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITE_ERRORS, A_U64, "write-errors", offsetof(struct rx_stats, write_errors), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYPASS_MODE, A_U64, "read-bypass-mode", offsetof(struct rx_stats, read_bypass_mode), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_FULL, A_U64, "read-full", offsetof(struct rx_stats, read_full), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_PARTIAL, A_U64, "read-partial", offsetof(struct rx_stats, read_partial), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_NONE, A_U64, "read-none", offsetof(struct rx_stats, read_none), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_AGAIN, A_U64, "read-again", offsetof(struct rx_stats, read_again), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYTES, A_U64, "read-bytes", offsetof(struct rx_stats, read_bytes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_HIT_BYTES, A_U64, "read-hit-bytes", offsetof(struct rx_stats, read_hit_bytes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_WRITE_BYTES, A_U64, "write-bytes", offsetof(struct rx_stats, write_bytes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FILL, A_U64, "fill", offsetof(struct rx_stats, fill), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FILL_DROP_ERROR, A_U64, "fill-drop-error", offsetof(struct rx_stats, fill_drop_error), 0, NULL, NULL },
	{ RXCACHE_A_STATS_FILL_REPLACE, A_U64, "fill-replace", offsetof(struct rx_stats, fill_replace), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_READ_BYTES, A_U64, "origin-read-bytes", offsetof(struct rx_stats, origin_read_bytes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_READ_ERRORS, A_U64, "origin-read-errors", offsetof(struct rx_stats, origin_read_errors), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_WRITE_BYTES, A_U64, "origin-write-bytes", offsetof(struct rx_stats, origin_write_bytes), 0, NULL, NULL },
	{ RXCACHE_A_STATS_ORIGIN_WRITE_ERRORS, A_U64, "origin-write-errors", offsetof(struct rx_stats, origin_write_errors), 0, NULL, NULL },
	{ RXCACHE_A_STATS_GHOST_HIT, A_U64, "ghost-hit", offsetof(struct rx_stats, ghost_hit), 0, NULL, NULL },
	{ RXCACHE_A_STATS_SOURCE_SAMPLED, A_U64, "source-sampled", offsetof(struct rx_stats, source_sampled), 0, NULL, NULL },
	{ RXCACHE_A_STATS_SOURCE_BUFFERED, A_U64, "source-buffered", offsetof(struct rx_stats, source_buffered), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_BYPASS_FROZEN, A_U64, "read-bypass-frozen", offsetof(struct rx_stats, read_bypass_frozen), 0, NULL, NULL },
	{ RXCACHE_A_STATS_AHEAD_ISSUED, A_U64, "ahead-issued", offsetof(struct rx_stats, ahead_issued), 0, NULL, NULL },
	{ RXCACHE_A_STATS_AHEAD_USED, A_U64, "ahead-used", offsetof(struct rx_stats, ahead_used), 0, NULL, NULL },
	{ RXCACHE_A_STATS_AHEAD_LATE, A_U64, "ahead-late", offsetof(struct rx_stats, ahead_late), 0, NULL, NULL },
	{ RXCACHE_A_STATS_AHEAD_VAIN, A_U64, "ahead-vain", offsetof(struct rx_stats, ahead_vain), 0, NULL, NULL },
	{ RXCACHE_A_STATS_AHEAD_SAVED, A_U64, "ahead-saved", offsetof(struct rx_stats, ahead_saved), 0, NULL, NULL },
	{ RXCACHE_A_STATS_READ_HIT_COMPRESSED, A_U64, "read-hit-compressed", offsetof(struct rx_stats, read_hit_compressed), 0, NULL, NULL },
	{ RXCACHE_A_STATS_DECOMPRESS_NS, A_U64, "decompress-ns", offsetof(struct rx_stats, decompress_ns), 0, NULL, NULL },
	{ RXCACHE_A_STATS_COMPRESSED_DAMAGED, A_U64, "compressed-damaged", offsetof(struct rx_stats, compressed_damaged), 0, NULL, NULL },
	{ .name = NULL }
};

static const struct rx_attr resize_attrs[] = {
	{ RXCACHE_A_RESIZE_RUNNING, A_U8, "running", offsetof(struct rx_resize, running), 0, rx_yes_no, NULL },
	{ RXCACHE_A_RESIZE_SIZE, A_U64, "size", offsetof(struct rx_resize, size), 0, NULL, NULL },
	{ RXCACHE_A_RESIZE_ERROR, A_U32, "error", offsetof(struct rx_resize, error), 0, NULL, NULL },
	{ RXCACHE_A_RESIZE_MESSAGE, A_TEXT, "message", offsetof(struct rx_resize, message), sizeof(((struct rx_resize *)0)->message), NULL, NULL },
	{ RXCACHE_A_RESIZE_DONE, A_U32, "done", offsetof(struct rx_resize, done), 0, NULL, NULL },
	{ .name = NULL }
};

static const struct rx_attr verify_attrs[] = {
	{ RXCACHE_A_VERIFY_RUNNING, A_U8, "running", offsetof(struct rx_verify, running), 0, rx_yes_no, NULL },
	{ RXCACHE_A_VERIFY_SAMPLE, A_U32, "sample", offsetof(struct rx_verify, sample), 0, NULL, NULL },
	{ RXCACHE_A_VERIFY_COMPARED, A_U64, "compared", offsetof(struct rx_verify, compared), 0, NULL, NULL },
	{ RXCACHE_A_VERIFY_SKIPPED, A_U64, "skipped", offsetof(struct rx_verify, skipped), 0, NULL, NULL },
	{ RXCACHE_A_VERIFY_MISMATCHES, A_U64, "mismatches", offsetof(struct rx_verify, mismatches), 0, NULL, NULL },
	{ RXCACHE_A_VERIFY_ERRORS, A_U64, "errors", offsetof(struct rx_verify, errors), 0, NULL, NULL },
	{ RXCACHE_A_VERIFY_STOPPED, A_U8, "stopped", offsetof(struct rx_verify, stopped), 0, rx_yes_no, NULL },
	{ .name = NULL }
};

const struct rx_attr rxcache_attrs[] = {
	{ RXCACHE_A_CACHE_NAME, A_TEXT, "name", offsetof(struct rx_cache, name), sizeof(((struct rx_cache *)0)->name), NULL, NULL },
	{ RXCACHE_A_CACHE_ID, A_U64, "id", offsetof(struct rx_cache, id), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_DISK, A_TEXT, "disk", offsetof(struct rx_cache, disk), sizeof(((struct rx_cache *)0)->disk), NULL, NULL },
	{ RXCACHE_A_CACHE_ORIGIN, A_TEXT, "origin", offsetof(struct rx_cache, origin), sizeof(((struct rx_cache *)0)->origin), NULL, NULL },
	{ RXCACHE_A_CACHE_BLOCK_SIZE, A_U32, "block-size", offsetof(struct rx_cache, block), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MODE, A_U32, "mode", offsetof(struct rx_cache, mode), 0, rx_mode_names, NULL },
	{ RXCACHE_A_CACHE_WRITE_ALLOCATE, A_U8, "write-allocate", offsetof(struct rx_cache, write_allocate), 0, rx_yes_no, NULL },
	{ RXCACHE_A_CACHE_ERASE, A_FLAG, "erase", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_OWN_DISK, A_U8, "own-disk", offsetof(struct rx_cache, own_disk), 0, rx_yes_no, NULL },
	{ RXCACHE_A_CACHE_FLOOR, A_U64, "floor", offsetof(struct rx_cache, floor), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_STATE, A_U32, "state", offsetof(struct rx_cache, state), 0, rx_state_names, NULL },
	{ RXCACHE_A_CACHE_ORIGIN_SIZE, A_U64, "origin-size", offsetof(struct rx_cache, origin_size), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_ORIGIN_MAJOR, A_U32, "origin-major", offsetof(struct rx_cache, origin_major), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_ORIGIN_MINOR, A_U32, "origin-minor", offsetof(struct rx_cache, origin_minor), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_SIZE, A_U64, "size", offsetof(struct rx_cache, size), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_CACHED, A_U64, "cached", offsetof(struct rx_cache, cached), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_METADATA, A_U64, "metadata", offsetof(struct rx_cache, metadata), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_OPENERS, A_U32, "openers", offsetof(struct rx_cache, open), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_READ_ONLY, A_U8, "read-only", offsetof(struct rx_cache, read_only), 0, rx_yes_no, NULL },
	{ RXCACHE_A_CACHE_MAJOR, A_U32, "major", offsetof(struct rx_cache, major), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MINOR, A_U32, "minor", offsetof(struct rx_cache, minor), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_ERROR, A_U32, "error", offsetof(struct rx_cache, error), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MESSAGE, A_TEXT, "message", offsetof(struct rx_cache, message), sizeof(((struct rx_cache *)0)->message), NULL, NULL },
	{ RXCACHE_A_CACHE_STATS, A_NEST, "stats", offsetof(struct rx_cache, stats), 0, NULL, stats_attrs },
	{ RXCACHE_A_CACHE_SAMPLE, A_U32, "sample", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_STOP, A_FLAG, "stop", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_VERIFY, A_NEST, "verify", offsetof(struct rx_cache, verify), 0, NULL, verify_attrs },
	{ RXCACHE_A_CACHE_SLACK, A_U64, "slack", offsetof(struct rx_cache, slack), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_STATS_AGE, A_U64, "stats-age", offsetof(struct rx_cache, stats_age), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_RECENT_10S, A_NEST, "recent-10s", offsetof(struct rx_cache, recent[RX_LAST_10S]), 0, NULL, recent_attrs },
	{ RXCACHE_A_CACHE_RECENT_5MIN, A_NEST, "recent-5min", offsetof(struct rx_cache, recent[RX_LAST_5MIN]), 0, NULL, recent_attrs },
	{ RXCACHE_A_CACHE_RECENT_1H, A_NEST, "recent-1h", offsetof(struct rx_cache, recent[RX_LAST_1H]), 0, NULL, recent_attrs },
	{ RXCACHE_A_CACHE_LATENCY_HIT, A_NEST, "latency-hit", offsetof(struct rx_cache, latency[RX_TIME_HIT]), 0, NULL, latency_attrs },
	{ RXCACHE_A_CACHE_LATENCY_MISS, A_NEST, "latency-miss", offsetof(struct rx_cache, latency[RX_TIME_MISS]), 0, NULL, latency_attrs },
	{ RXCACHE_A_CACHE_LATENCY_WRITE, A_NEST, "latency-write", offsetof(struct rx_cache, latency[RX_TIME_WRITE]), 0, NULL, latency_attrs },
	{ RXCACHE_A_CACHE_LATENCY_ORIGIN, A_NEST, "latency-origin", offsetof(struct rx_cache, latency[RX_TIME_ORIGIN]), 0, NULL, latency_attrs },
	{ RXCACHE_A_CACHE_CAUSE, A_U32, "cause", offsetof(struct rx_cache, cause), 0, rx_cause_names, NULL },
	{ RXCACHE_A_CACHE_SHADOW, A_NEST, "shadow", offsetof(struct rx_cache, shadow), 0, NULL, shadow_attrs },
	{ RXCACHE_A_CACHE_RESIZE, A_NEST, "resize", offsetof(struct rx_cache, resize), 0, NULL, resize_attrs },
	{ RXCACHE_A_CACHE_FROZEN, A_U8, "frozen", offsetof(struct rx_cache, frozen), 0, rx_yes_no, NULL },
	{ RXCACHE_A_CACHE_OFFSET, A_U64, "offset", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_LENGTH, A_U64, "length", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_PINNED, A_U64, "pinned", offsetof(struct rx_cache, pinned), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_PINNED_CACHED, A_U64, "pinned-cached", offsetof(struct rx_cache, pinned_cached), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_PIN_LIMIT, A_U64, "pin-limit", offsetof(struct rx_cache, pin_limit), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_CURSOR, A_U64, "cursor", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_BLOCKS, A_NUMBERS, "blocks", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_SHARERS, A_U32, "sharers", offsetof(struct rx_cache, sharers), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MIN_SHARE, A_U64, "min-share", offsetof(struct rx_cache, min_share), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MAX_SHARE, A_U64, "max-share", offsetof(struct rx_cache, max_share), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MIN_SHARE_PERCENT, A_U32, "min-share-percent", offsetof(struct rx_cache, min_share_percent), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_MAX_SHARE_PERCENT, A_U32, "max-share-percent", offsetof(struct rx_cache, max_share_percent), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_READ_AHEAD, A_U64, "read-ahead", offsetof(struct rx_cache, read_ahead), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_WORKING, A_U8, "working", offsetof(struct rx_cache, working), 0, rx_yes_no, NULL },
	{ RXCACHE_A_CACHE_VALIDATE, A_FLAG, "validate", -1, 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS, A_U32, "compress", offsetof(struct rx_cache, compress), 0, rx_codec_names, NULL },
	{ RXCACHE_A_CACHE_COMPRESSED, A_U64, "compressed", offsetof(struct rx_cache, compressed), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESSED_MEMORY, A_U64, "compressed-memory", offsetof(struct rx_cache, compressed_memory), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_TRIED, A_U64, "compress-tried", offsetof(struct rx_cache, compress_tried), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_DONE, A_U64, "compress-done", offsetof(struct rx_cache, compress_done), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_FILLED, A_U64, "compress-filled", offsetof(struct rx_cache, compress_filled), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_MOVED, A_U64, "compress-moved", offsetof(struct rx_cache, compress_moved), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_NS, A_U64, "compress-ns", offsetof(struct rx_cache, compress_ns), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_INCOMPRESSIBLE, A_U64, "incompressible", offsetof(struct rx_cache, incompressible), 0, NULL, NULL },
	{ RXCACHE_A_CACHE_COMPRESS_VERDICT, A_U32, "compress-verdict", offsetof(struct rx_cache, compress_verdict), 0, rx_judgement_names, NULL },
	{ .name = NULL }
};

const struct rx_op rxcache_ops[] = {
	{ RXCACHE_CMD_CACHE_GET, "cache-get", NULL },
	{ RXCACHE_CMD_CACHE_NEW, "cache-new", NULL },
	{ RXCACHE_CMD_CACHE_DEL, "cache-del", NULL },
	{ RXCACHE_CMD_CACHE_DROP, "cache-drop", NULL },
	{ RXCACHE_CMD_CACHE_SET, "cache-set", NULL },
	{ RXCACHE_CMD_CACHE_NEW_NTF, "cache-new-ntf", "cache-new" },
	{ RXCACHE_CMD_CACHE_DEL_NTF, "cache-del-ntf", "cache-del" },
	{ RXCACHE_CMD_CACHE_CHANGE_NTF, "cache-change-ntf", "cache-change" },
	{ RXCACHE_CMD_CACHE_VERIFY, "cache-verify", NULL },
	{ RXCACHE_CMD_CACHE_RESET_STATS, "cache-reset-stats", NULL },
	{ RXCACHE_CMD_CACHE_PIN, "cache-pin", NULL },
	{ RXCACHE_CMD_CACHE_UNPIN, "cache-unpin", NULL },
	{ RXCACHE_CMD_CACHE_BLOCKS, "cache-blocks", NULL },
	{ RXCACHE_CMD_CACHE_WEIGH, "cache-weigh", NULL },
	{ .name = NULL }
};
