/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of rxcache, below /sys/kernel/tracing/events/rxcache. Blocks are
 * cache blocks, counted from the start of the origin. The tracepoints show which
 * task reads which blocks, as block tracing does, so only root can use them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rxcache

#if !defined(_RXC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _RXC_TRACE_H

#include <linux/tracepoint.h>
#include "cache.h"

#ifndef _RXC_TRACE_REASONS
#define _RXC_TRACE_REASONS
/* Why a block that was filled was not kept. */
enum rxc_drop_reason {
	RXC_DROP_RACED, RXC_DROP_ERROR, RXC_DROP_REFUSED, RXC_DROP_SHARE
};

/* Why a cached block was evicted. */
enum rxc_evict_reason {
	RXC_EVICT_ROOM, RXC_EVICT_MIN_FREE, RXC_EVICT_PRESSURE, RXC_EVICT_RESIZE,
	RXC_EVICT_SHARE, RXC_EVICT_CROWDED
};

/* What the cache does with a write. */
enum rxc_write_kind {
	RXC_WRITE_KEEP, RXC_WRITE_PAST, RXC_WRITE_DISCARD, RXC_WRITE_ZEROES
};
#endif

TRACE_DEFINE_ENUM(RXC_READ_BYPASS_MEMORY);
TRACE_DEFINE_ENUM(RXC_READ_BYPASS_WRITE);
TRACE_DEFINE_ENUM(RXC_READ_BYPASS_FILL);
TRACE_DEFINE_ENUM(RXC_READ_BYPASS_MODE);
TRACE_DEFINE_ENUM(RXC_READ_BYPASS_FROZEN);
TRACE_DEFINE_ENUM(RXC_DROP_RACED);
TRACE_DEFINE_ENUM(RXC_DROP_ERROR);
TRACE_DEFINE_ENUM(RXC_DROP_REFUSED);
TRACE_DEFINE_ENUM(RXC_DROP_SHARE);
TRACE_DEFINE_ENUM(RXC_EVICT_ROOM);
TRACE_DEFINE_ENUM(RXC_EVICT_MIN_FREE);
TRACE_DEFINE_ENUM(RXC_EVICT_PRESSURE);
TRACE_DEFINE_ENUM(RXC_EVICT_RESIZE);
TRACE_DEFINE_ENUM(RXC_EVICT_SHARE);
TRACE_DEFINE_ENUM(RXC_EVICT_CROWDED);
TRACE_DEFINE_ENUM(RXC_WRITE_KEEP);
TRACE_DEFINE_ENUM(RXC_WRITE_PAST);
TRACE_DEFINE_ENUM(RXC_WRITE_DISCARD);
TRACE_DEFINE_ENUM(RXC_WRITE_ZEROES);

#define rxc_show_bypass(reason)						\
	__print_symbolic(reason,					\
			 { RXC_READ_BYPASS_MEMORY, "memory" },		\
			 { RXC_READ_BYPASS_WRITE, "write" },		\
			 { RXC_READ_BYPASS_FILL, "fill" },		\
			 { RXC_READ_BYPASS_MODE, "mode" },		\
			 { RXC_READ_BYPASS_FROZEN, "frozen" })

#define rxc_show_drop(reason)						\
	__print_symbolic(reason,					\
			 { RXC_DROP_RACED, "raced" },			\
			 { RXC_DROP_ERROR, "error" },			\
			 { RXC_DROP_REFUSED, "refused" },		\
			 { RXC_DROP_SHARE, "share" })

#define rxc_show_evict(reason)						\
	__print_symbolic(reason,					\
			 { RXC_EVICT_ROOM, "room" },			\
			 { RXC_EVICT_MIN_FREE, "min_free" },		\
			 { RXC_EVICT_PRESSURE, "pressure" },		\
			 { RXC_EVICT_RESIZE, "resize" },		\
			 { RXC_EVICT_SHARE, "share" },			\
			 { RXC_EVICT_CROWDED, "crowded" })

#define rxc_show_write(reason)						\
	__print_symbolic(reason,					\
			 { RXC_WRITE_KEEP, "keep" },			\
			 { RXC_WRITE_PAST, "past" },			\
			 { RXC_WRITE_DISCARD, "discard" },		\
			 { RXC_WRITE_ZEROES, "zeroes" })

DECLARE_EVENT_CLASS(rxcache_blocks,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks),
	TP_STRUCT__entry(
		__field(dev_t, dev)
		__field(u64, first)
		__field(u64, blocks)
	),
	TP_fast_assign(
		__entry->dev = disk_devt(cache->disk);
		__entry->first = first;
		__entry->blocks = blocks;
	),
	TP_printk("%d,%d block %llu + %llu",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __entry->first, __entry->blocks)
);

/* Blocks at the front of a read, or of the rest of a read, were cached. */
DEFINE_EVENT(rxcache_blocks, rxcache_hit,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* A fill was sent to the origin. */
DEFINE_EVENT(rxcache_blocks, rxcache_miss,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* A read waits for another reader's fill. */
DEFINE_EVENT(rxcache_blocks, rxcache_join,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* A fill has ended and these blocks of it are in the cache. */
DEFINE_EVENT(rxcache_blocks, rxcache_fill,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* Blocks are read from the origin ahead of their readers. */
DEFINE_EVENT(rxcache_blocks, rxcache_ahead,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* The first reader has come to blocks that were read ahead. */
DEFINE_EVENT(rxcache_blocks, rxcache_ahead_use,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

/* Cached copies of these blocks were dropped, for example by a write or a discard. */
DEFINE_EVENT(rxcache_blocks, rxcache_invalidate,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks),
	TP_ARGS(cache, first, blocks));

DECLARE_EVENT_CLASS(rxcache_reason,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks, int reason),
	TP_ARGS(cache, first, blocks, reason),
	TP_STRUCT__entry(
		__field(dev_t, dev)
		__field(u64, first)
		__field(u64, blocks)
		__field(int, reason)
	),
	TP_fast_assign(
		__entry->dev = disk_devt(cache->disk);
		__entry->first = first;
		__entry->blocks = blocks;
		__entry->reason = reason;
	),
	TP_printk("%d,%d block %llu + %llu reason=%s",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __entry->first, __entry->blocks,
		  rxc_show_bypass(__entry->reason))
);

/* Blocks were read past the cache. */
DEFINE_EVENT(rxcache_reason, rxcache_bypass,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks, int reason),
	TP_ARGS(cache, first, blocks, reason));

/* A fill has ended and these blocks of it were not kept. */
DEFINE_EVENT_PRINT(rxcache_reason, rxcache_fill_drop,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks, int reason),
	TP_ARGS(cache, first, blocks, reason),
	TP_printk("%d,%d block %llu + %llu reason=%s",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __entry->first, __entry->blocks,
		  rxc_show_drop(__entry->reason))
);

/* A write is sent to the origin. */
DEFINE_EVENT_PRINT(rxcache_reason, rxcache_write,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks, int reason),
	TP_ARGS(cache, first, blocks, reason),
	TP_printk("%d,%d block %llu + %llu reason=%s",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __entry->first, __entry->blocks,
		  rxc_show_write(__entry->reason))
);

/* A cached block was evicted. */
DEFINE_EVENT_PRINT(rxcache_reason, rxcache_evict,
	TP_PROTO(const struct rxc_cache *cache, u64 first, u64 blocks, int reason),
	TP_ARGS(cache, first, blocks, reason),
	TP_printk("%d,%d block %llu + %llu reason=%s",
		  MAJOR(__entry->dev), MINOR(__entry->dev),
		  __entry->first, __entry->blocks,
		  rxc_show_evict(__entry->reason))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
