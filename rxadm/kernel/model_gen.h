/* SPDX-License-Identifier: GPL-2.0-only */
/* Do not edit directly, "make gen" writes it from: */
/*	module/spec/rxdsk.yaml, rxcache.yaml, rxadm/show/columns.c */

#ifndef RXADM_MODEL_GEN_H
#define RXADM_MODEL_GEN_H

#include <stdint.h>

enum { RX_QUEUE_MQ, RX_QUEUE_BIO, RX_QUEUE_MODES };
#define RX_QUEUE_MODE_NAMES "mq", "bio"
extern const char *const rx_queue_mode_names[];

enum { RX_DISK_ACTIVE, RX_DISK_CLEARING, RX_DISK_DETACHING, RX_DISK_PREPARING, RX_DISK_STATES };
#define RX_DISK_STATE_NAMES "active", "clearing", "detaching", "preparing"
extern const char *const rx_disk_state_names[];

enum { RX_STATE_STARTING, RX_STATE_ACTIVE, RX_STATE_DRAINING, RX_STATE_DEAD, RX_STATE_FAILED, RX_STATES };
#define RX_STATE_NAMES "starting", "active", "draining", "dead", "failed"
extern const char *const rx_state_names[];

enum { RX_MODE_THROUGH, RX_MODE_AROUND, RX_MODE_BYPASS, RX_MODES };
#define RX_MODE_NAMES "write-through", "write-around", "bypass"
extern const char *const rx_mode_names[];

enum { RX_CODEC_OFF, RX_CODEC_LZ4, RX_CODEC_ZSTD, RX_CODEC_AUTO, RX_CODECS };
#define RX_CODEC_NAMES "off", "lz4", "zstd", "auto"
extern const char *const rx_codec_names[];

enum { RX_JUDGED_UNTRIED, RX_JUDGED_PAYS, RX_JUDGED_LITTLE_GAIN, RX_JUDGED_PROCESSOR, RX_JUDGED_FAST_ORIGIN, RX_JUDGEMENTS };
#define RX_JUDGEMENT_NAMES "untried", "pays", "little-gain", "processor", "fast-origin"
extern const char *const rx_judgement_names[];

enum { RX_CAUSE_SET, RX_CAUSE_DROP, RX_CAUSE_DEAD, RX_CAUSE_MISMATCH, RX_CAUSE_VERIFIED, RX_CAUSE_ERRORS, RX_CAUSE_RECLAIM, RX_CAUSE_RESET, RX_CAUSE_RESIZED, RX_CAUSE_GROWN, RX_CAUSE_PIN, RX_CAUSE_DAMAGED, RX_CAUSE_COMPRESS, RX_CAUSES };
#define RX_CAUSE_NAMES "set", "drop", "dead", "mismatch", "verified", "errors", "reclaim", "reset", "resized", "grown", "pin", "damaged", "compress"
extern const char *const rx_cause_names[];

enum { RX_AS_IS, RX_FLIPPED, RX_NO_SEQUENTIAL, RX_WHATS };
#define RX_WHAT_NAMES "as-is", "write-allocate-flipped", "sequential-bypass"
extern const char *const rx_what_names[];

struct rx_stats {
	uint64_t reads;	/* requests */
	uint64_t writes;	/* requests */
	uint64_t flushes;	/* requests */
	uint64_t discards;	/* requests */
	uint64_t read_hit;	/* blocks */
	uint64_t read_miss;	/* blocks */
	uint64_t read_join;	/* blocks */
	uint64_t read_bypass_memory;	/* blocks */
	uint64_t read_bypass_write;	/* blocks */
	uint64_t read_bypass_fill;	/* blocks */
	uint64_t fill_drop;	/* blocks */
	uint64_t fill_error;	/* requests */
	uint64_t write_update;	/* blocks */
	uint64_t write_allocate;	/* blocks */
	uint64_t write_bypass;	/* blocks */
	uint64_t invalidate;	/* blocks */
	uint64_t evict;	/* blocks */
	uint64_t reclaim;	/* blocks */
	uint64_t origin_reads;	/* requests */
	uint64_t origin_writes;	/* requests */
	uint64_t read_errors;	/* requests */
	uint64_t write_errors;	/* requests */
	uint64_t read_bypass_mode;	/* blocks */
	uint64_t read_full;	/* requests */
	uint64_t read_partial;	/* requests */
	uint64_t read_none;	/* requests */
	uint64_t read_again;	/* requests */
	uint64_t read_bytes;	/* bytes */
	uint64_t read_hit_bytes;	/* bytes */
	uint64_t write_bytes;	/* bytes */
	uint64_t fill;	/* blocks */
	uint64_t fill_drop_error;	/* blocks */
	uint64_t fill_replace;	/* blocks */
	uint64_t origin_read_bytes;	/* bytes */
	uint64_t origin_read_errors;	/* requests */
	uint64_t origin_write_bytes;	/* bytes */
	uint64_t origin_write_errors;	/* requests */
	uint64_t ghost_hit;	/* blocks */
	uint64_t source_sampled;	/* requests */
	uint64_t source_buffered;	/* requests */
	uint64_t read_bypass_frozen;	/* blocks */
	uint64_t ahead_issued;	/* blocks */
	uint64_t ahead_used;	/* blocks */
	uint64_t ahead_late;	/* blocks */
	uint64_t ahead_vain;	/* blocks */
	uint64_t ahead_saved;	/* nanoseconds */
	uint64_t read_hit_compressed;	/* blocks */
	uint64_t decompress_ns;	/* nanoseconds */
	uint64_t compressed_damaged;	/* blocks */
};

/* How a column shows each. */
#define COL_OF_reads	COL_COUNT
#define COL_OF_writes	COL_COUNT
#define COL_OF_flushes	COL_COUNT
#define COL_OF_discards	COL_COUNT
#define COL_OF_read_hit	COL_COUNT
#define COL_OF_read_miss	COL_COUNT
#define COL_OF_read_join	COL_COUNT
#define COL_OF_read_bypass_memory	COL_COUNT
#define COL_OF_read_bypass_write	COL_COUNT
#define COL_OF_read_bypass_fill	COL_COUNT
#define COL_OF_fill_drop	COL_COUNT
#define COL_OF_fill_error	COL_COUNT
#define COL_OF_write_update	COL_COUNT
#define COL_OF_write_allocate	COL_COUNT
#define COL_OF_write_bypass	COL_COUNT
#define COL_OF_invalidate	COL_COUNT
#define COL_OF_evict	COL_COUNT
#define COL_OF_reclaim	COL_COUNT
#define COL_OF_origin_reads	COL_COUNT
#define COL_OF_origin_writes	COL_COUNT
#define COL_OF_read_errors	COL_COUNT
#define COL_OF_write_errors	COL_COUNT
#define COL_OF_read_bypass_mode	COL_COUNT
#define COL_OF_read_full	COL_COUNT
#define COL_OF_read_partial	COL_COUNT
#define COL_OF_read_none	COL_COUNT
#define COL_OF_read_again	COL_COUNT
#define COL_OF_read_bytes	COL_SIZE
#define COL_OF_read_hit_bytes	COL_SIZE
#define COL_OF_write_bytes	COL_SIZE
#define COL_OF_fill	COL_COUNT
#define COL_OF_fill_drop_error	COL_COUNT
#define COL_OF_fill_replace	COL_COUNT
#define COL_OF_origin_read_bytes	COL_SIZE
#define COL_OF_origin_read_errors	COL_COUNT
#define COL_OF_origin_write_bytes	COL_SIZE
#define COL_OF_origin_write_errors	COL_COUNT
#define COL_OF_ghost_hit	COL_COUNT
#define COL_OF_source_sampled	COL_COUNT
#define COL_OF_source_buffered	COL_COUNT
#define COL_OF_read_bypass_frozen	COL_COUNT
#define COL_OF_ahead_issued	COL_COUNT
#define COL_OF_ahead_used	COL_COUNT
#define COL_OF_ahead_late	COL_COUNT
#define COL_OF_ahead_vain	COL_COUNT
#define COL_OF_ahead_saved	COL_COUNT
#define COL_OF_read_hit_compressed	COL_COUNT
#define COL_OF_decompress_ns	COL_COUNT
#define COL_OF_compressed_damaged	COL_COUNT

/* Counters without a column. */
#define STATS_OF_JSON

#endif
