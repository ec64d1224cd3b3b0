// SPDX-License-Identifier: GPL-2.0-only
/*
 * The protocol: the only file, but for points.c, that names attribute and
 * command numbers. One table row per attribute drives parsing, building,
 * --dry-run and recordings.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "model.h"

struct rx_op {
	uint8_t cmd;
	const char *name;
	bool changes;
	const char *event;		/* name of a notification */
};

struct rx_model {
	const char *name, *mcgrp;
	uint8_t version;
	const struct rx_attr *attrs;
	const struct rx_op *ops;
	size_t size;
};

#define STATE_NAMES						\
	[RXCACHE_STATE_STARTING] = "starting",			\
	[RXCACHE_STATE_ACTIVE] = "active",			\
	[RXCACHE_STATE_DRAINING] = "draining",			\
	[RXCACHE_STATE_DEAD] = "dead",				\
	[RXCACHE_STATE_FAILED] = "failed"

const char *const rx_state_names[] = { STATE_NAMES, NULL };

const char *const rx_status_names[] = {
	STATE_NAMES,
	[RX_STATUS_BYPASS] = "bypass",
	[RX_STATUS_MISMATCH] = "mismatch",
	NULL
};

const char *const rx_mode_names[] = {
	[RXCACHE_MODE_WRITE_THROUGH] = "write-through",
	[RXCACHE_MODE_WRITE_AROUND] = "write-around",
	[RXCACHE_MODE_BYPASS] = "bypass",
	NULL
};

const char *const rx_cause_names[] = {
	[RXCACHE_CAUSE_SET] = "set",
	[RXCACHE_CAUSE_FLUSH] = "flush",
	[RXCACHE_CAUSE_DEAD] = "dead",
	[RXCACHE_CAUSE_MISMATCH] = "mismatch",
	[RXCACHE_CAUSE_VERIFIED] = "verified",
	[RXCACHE_CAUSE_ERRORS] = "errors",
	[RXCACHE_CAUSE_RECLAIM] = "reclaim",
	[RXCACHE_CAUSE_RESET] = "reset",
	NULL
};

/* The number of a mode that args.c let pass: "through", "around", "bypass". */
uint64_t mode_parse(const char *text)
{
	uint64_t mode;

	for (mode = 0; mode < RX_MODES; mode++)
		if (strstr(rx_mode_names[mode], text))
			return mode;
	return RX_NONE;
}

const char *const rx_queue_mode_names[] = {
	[RXDSK_QUEUE_MODE_MQ] = "mq",
	[RXDSK_QUEUE_MODE_BIO] = "bio",
	NULL
};

const char *const rx_disk_state_names[] = {
	[RXDSK_DISK_STATE_ACTIVE] = "active",
	[RXDSK_DISK_STATE_CLEARING] = "clearing",
	[RXDSK_DISK_STATE_DETACHING] = "detaching",
	NULL
};

const char *const rx_yes_no[] = { "no", "yes", NULL };

_Static_assert((int)RX_STATE_STARTING == RXCACHE_STATE_STARTING &&
	       (int)RX_STATE_ACTIVE == RXCACHE_STATE_ACTIVE &&
	       (int)RX_STATE_DRAINING == RXCACHE_STATE_DRAINING &&
	       (int)RX_STATE_DEAD == RXCACHE_STATE_DEAD &&
	       (int)RX_STATE_FAILED == RXCACHE_STATE_FAILED,
	       "states are those of the protocol");
_Static_assert((int)RX_MODE_THROUGH == RXCACHE_MODE_WRITE_THROUGH &&
	       (int)RX_MODE_AROUND == RXCACHE_MODE_WRITE_AROUND &&
	       (int)RX_MODE_BYPASS == RXCACHE_MODE_BYPASS,
	       "modes are those of the protocol");
_Static_assert((int)RX_CAUSE_SET == RXCACHE_CAUSE_SET &&
	       (int)RX_CAUSE_ERRORS == RXCACHE_CAUSE_ERRORS &&
	       (int)RX_CAUSE_RESET == RXCACHE_CAUSE_RESET,
	       "causes are those of the protocol");
_Static_assert((int)RX_QUEUE_MQ == RXDSK_QUEUE_MODE_MQ &&
	       (int)RX_QUEUE_BIO == RXDSK_QUEUE_MODE_BIO,
	       "queue modes are those of the protocol");
_Static_assert((int)RX_DISK_ACTIVE == RXDSK_DISK_STATE_ACTIVE &&
	       (int)RX_DISK_CLEARING == RXDSK_DISK_STATE_CLEARING &&
	       (int)RX_DISK_DETACHING == RXDSK_DISK_STATE_DETACHING,
	       "states of disks are those of the protocol");

static const struct rx_attr disk_attrs[] = {
	TEXT(RXDSK_A_DISK_NAME, "name", rx_disk, name),
	NUM(RXDSK_A_DISK_SIZE, A_U64, "size", rx_disk, size),
	NUM(RXDSK_A_DISK_BLOCK_SIZE, A_U32, "block-size", rx_disk, block),
	NUM(RXDSK_A_DISK_QUEUES, A_U32, "queues", rx_disk, queues),
	ENUM(RXDSK_A_DISK_READ_ONLY, A_U8, "read-only", rx_disk, read_only,
	     rx_yes_no),
	FLAG(RXDSK_A_DISK_SHRINK, "shrink"),
	NUM(RXDSK_A_DISK_USED, A_U64, "used", rx_disk, used),
	NUM(RXDSK_A_DISK_FREEING, A_U64, "freeing", rx_disk, freeing),
	NUM(RXDSK_A_DISK_OPENERS, A_U32, "openers", rx_disk, open),
	TEXT(RXDSK_A_DISK_HOLDER, "holder", rx_disk, holder),
	NUM(RXDSK_A_DISK_MAJOR, A_U32, "major", rx_disk, major),
	NUM(RXDSK_A_DISK_MINOR, A_U32, "minor", rx_disk, minor),
	NUM(RXDSK_A_DISK_NO_SPACE, A_U64, "no-space", rx_disk, no_space),
	NUM(RXDSK_A_DISK_SLOW_WRITES, A_U64, "slow-writes", rx_disk,
	    slow_writes),
	ENUM(RXDSK_A_DISK_QUEUE_MODE, A_U8, "queue-mode", rx_disk, queue_mode,
	     rx_queue_mode_names),
	ENUM(RXDSK_A_DISK_STATE, A_U8, "state", rx_disk, state,
	     rx_disk_state_names),
	{ .name = NULL }
};

#define STAT(nr, name, field) \
	NUM(RXCACHE_A_STATS_##nr, A_U64, name, rx_cache, stats.field)

static const struct rx_attr stats_attrs[] = {
	STAT(READS, "reads", reads),
	STAT(WRITES, "writes", writes),
	STAT(FLUSHES, "flushes", flushes),
	STAT(DISCARDS, "discards", discards),
	STAT(READ_HIT, "read-hit", read_hit),
	STAT(READ_MISS, "read-miss", read_miss),
	STAT(READ_JOIN, "read-join", read_join),
	STAT(READ_BYPASS_MEMORY, "read-bypass-memory", bypass_memory),
	STAT(READ_BYPASS_WRITE, "read-bypass-write", bypass_write),
	STAT(READ_BYPASS_FILL, "read-bypass-fill", bypass_fill),
	STAT(FILL_DROP, "fill-drop", fill_drop),
	STAT(FILL_ERROR, "fill-error", fill_error),
	STAT(WRITE_UPDATE, "write-update", write_update),
	STAT(WRITE_ALLOCATE, "write-allocate", write_allocate),
	STAT(WRITE_BYPASS, "write-bypass", write_bypass),
	STAT(INVALIDATE, "invalidate", invalidate),
	STAT(EVICT, "evict", evict),
	STAT(RECLAIM, "reclaim", reclaim),
	STAT(ORIGIN_READS, "origin-reads", origin_reads),
	STAT(ORIGIN_WRITES, "origin-writes", origin_writes),
	STAT(READ_ERRORS, "read-errors", read_errors),
	STAT(WRITE_ERRORS, "write-errors", write_errors),
	STAT(READ_BYPASS_MODE, "read-bypass-mode", bypass_mode),
	STAT(READ_FULL, "read-full", read_full),
	STAT(READ_PARTIAL, "read-partial", read_partial),
	STAT(READ_NONE, "read-none", read_none),
	STAT(READ_AGAIN, "read-again", read_again),
	STAT(READ_BYTES, "read-bytes", read_bytes),
	STAT(READ_HIT_BYTES, "read-hit-bytes", read_hit_bytes),
	STAT(WRITE_BYTES, "write-bytes", write_bytes),
	STAT(FILL, "fill", fill),
	STAT(FILL_DROP_ERROR, "fill-drop-error", fill_drop_error),
	STAT(FILL_REPLACE, "fill-replace", fill_replace),
	STAT(ORIGIN_READ_BYTES, "origin-read-bytes", origin_read_bytes),
	STAT(ORIGIN_READ_ERRORS, "origin-read-errors", origin_read_errors),
	STAT(ORIGIN_WRITE_BYTES, "origin-write-bytes", origin_write_bytes),
	STAT(ORIGIN_WRITE_ERRORS, "origin-write-errors", origin_write_errors),
	STAT(GHOST_HIT, "ghost-hit", ghost_hit),
	STAT(SOURCE_SAMPLED, "source-sampled", source_sampled),
	STAT(SOURCE_BUFFERED, "source-buffered", source_buffered),
	{ .name = NULL }
};

/* Of one window; the rows that hold it say which. */
#define RECENT(nr, name, field) \
	NUM(RXCACHE_A_RECENT_##nr, A_U64, name, rx_recent, field)

static const struct rx_attr recent_attrs[] = {
	RECENT(READS, "reads", reads),
	RECENT(READ_FULL, "read-full", read_full),
	RECENT(READ_HIT, "read-hit", read_hit),
	RECENT(READ_MISS, "read-miss", read_miss),
	RECENT(READ_BYPASS, "read-bypass", read_bypass),
	RECENT(FILL, "fill", fill),
	RECENT(EVICT, "evict", evict),
	RECENT(READ_BYTES, "read-bytes", read_bytes),
	RECENT(READ_HIT_BYTES, "read-hit-bytes", read_hit_bytes),
	RECENT(WRITE_BYTES, "write-bytes", write_bytes),
	{ .name = NULL }
};

/* Of one kind, likewise. */
static const struct rx_attr latency_attrs[] = {
	NUM(RXCACHE_A_LATENCY_SUM, A_U64, "sum", rx_latency, sum_ns),
	NUM(RXCACHE_A_LATENCY_BUCKETS, A_BUCKETS, "buckets", rx_latency,
	    bucket),
	{ .name = NULL }
};

#define VERIFY(nr, type, name, field) \
	NUM(RXCACHE_A_VERIFY_##nr, type, name, rx_cache, verify.field)

static const struct rx_attr verify_attrs[] = {
	ENUM(RXCACHE_A_VERIFY_RUNNING, A_U8, "running", rx_cache,
	     verify.running, rx_yes_no),
	VERIFY(SAMPLE, A_U32, "sample", sample),
	VERIFY(COMPARED, A_U64, "compared", compared),
	VERIFY(SKIPPED, A_U64, "skipped", skipped),
	VERIFY(MISMATCHES, A_U64, "mismatches", mismatches),
	VERIFY(ERRORS, A_U64, "errors", errors),
	ENUM(RXCACHE_A_VERIFY_STOPPED, A_U8, "stopped", rx_cache,
	     verify.stopped, rx_yes_no),
	{ .name = NULL }
};

static const struct rx_attr cache_attrs[] = {
	TEXT(RXCACHE_A_MAP_NAME, "name", rx_cache, name),
	NUM(RXCACHE_A_MAP_ID, A_U64, "id", rx_cache, id),
	TEXT(RXCACHE_A_MAP_DISK, "disk", rx_cache, disk),
	TEXT(RXCACHE_A_MAP_ORIGIN, "origin", rx_cache, origin),
	NUM(RXCACHE_A_MAP_BLOCK_SIZE, A_U32, "block-size", rx_cache, block),
	ENUM(RXCACHE_A_MAP_MODE, A_U32, "mode", rx_cache, mode, rx_mode_names),
	TEXT(RXCACHE_A_MAP_POLICY, "policy", rx_cache, policy),
	ENUM(RXCACHE_A_MAP_WRITE_ALLOCATE, A_U8, "write-allocate", rx_cache,
	     write_allocate, rx_yes_no),
	FLAG(RXCACHE_A_MAP_ERASE, "erase"),
	ENUM(RXCACHE_A_MAP_OWN_DISK, A_U8, "own-disk", rx_cache, own_disk,
	     rx_yes_no),
	NUM(RXCACHE_A_MAP_FLOOR, A_U64, "floor", rx_cache, floor),
	ENUM(RXCACHE_A_MAP_STATE, A_U32, "state", rx_cache, state,
	     rx_state_names),
	NUM(RXCACHE_A_MAP_ORIGIN_SIZE, A_U64, "origin-size", rx_cache,
	    origin_size),
	NUM(RXCACHE_A_MAP_ORIGIN_MAJOR, A_U32, "origin-major", rx_cache,
	    origin_major),
	NUM(RXCACHE_A_MAP_ORIGIN_MINOR, A_U32, "origin-minor", rx_cache,
	    origin_minor),
	NUM(RXCACHE_A_MAP_SIZE, A_U64, "size", rx_cache, size),
	NUM(RXCACHE_A_MAP_CACHED, A_U64, "cached", rx_cache, cached),
	NUM(RXCACHE_A_MAP_METADATA, A_U64, "metadata", rx_cache, metadata),
	NUM(RXCACHE_A_MAP_OPENERS, A_U32, "openers", rx_cache, open),
	ENUM(RXCACHE_A_MAP_READ_ONLY, A_U8, "read-only", rx_cache, read_only,
	     rx_yes_no),
	NUM(RXCACHE_A_MAP_MAJOR, A_U32, "major", rx_cache, major),
	NUM(RXCACHE_A_MAP_MINOR, A_U32, "minor", rx_cache, minor),
	NUM(RXCACHE_A_MAP_ERROR, A_U32, "error", rx_cache, error),
	TEXT(RXCACHE_A_MAP_MESSAGE, "message", rx_cache, message),
	{ RXCACHE_A_MAP_STATS, A_NEST, "stats", 0, 0, NULL, stats_attrs },
	{ RXCACHE_A_MAP_SAMPLE, A_U32, "sample", -1, 0, NULL, NULL },
	FLAG(RXCACHE_A_MAP_STOP, "stop"),
	{ RXCACHE_A_MAP_VERIFY, A_NEST, "verify", 0, 0, NULL, verify_attrs },
	NUM(RXCACHE_A_MAP_SLACK, A_U64, "slack", rx_cache, slack),
	NUM(RXCACHE_A_MAP_STATS_AGE, A_U64, "stats-age", rx_cache, stats_age),
	NEST(RXCACHE_A_MAP_RECENT_10S, "recent-10s", rx_cache,
	     recent[RX_LAST_10S], recent_attrs),
	NEST(RXCACHE_A_MAP_RECENT_5MIN, "recent-5min", rx_cache,
	     recent[RX_LAST_5MIN], recent_attrs),
	NEST(RXCACHE_A_MAP_RECENT_1H, "recent-1h", rx_cache,
	     recent[RX_LAST_1H], recent_attrs),
	NEST(RXCACHE_A_MAP_LATENCY_HIT, "latency-hit", rx_cache,
	     latency[RX_TIME_HIT], latency_attrs),
	NEST(RXCACHE_A_MAP_LATENCY_MISS, "latency-miss", rx_cache,
	     latency[RX_TIME_MISS], latency_attrs),
	NEST(RXCACHE_A_MAP_LATENCY_WRITE, "latency-write", rx_cache,
	     latency[RX_TIME_WRITE], latency_attrs),
	NEST(RXCACHE_A_MAP_LATENCY_ORIGIN, "latency-origin", rx_cache,
	     latency[RX_TIME_ORIGIN], latency_attrs),
	ENUM(RXCACHE_A_MAP_CAUSE, A_U32, "cause", rx_cache, cause,
	     rx_cause_names),
	NEST(RXCACHE_A_MAP_SHADOW, "shadow", rx_cache, shadow, shadow_attrs),
	{ .name = NULL }
};

static const struct rx_op disk_ops[] = {
	{ RXDSK_CMD_DISK_GET, "disk-get", false, NULL },
	{ RXDSK_CMD_DISK_NEW, "disk-new", true, NULL },
	{ RXDSK_CMD_DISK_DEL, "disk-del", true, NULL },
	{ RXDSK_CMD_DISK_RESIZE, "disk-resize", true, NULL },
	{ RXDSK_CMD_DISK_FLUSH, "disk-flush", true, NULL },
	{ RXDSK_CMD_DISK_NEW_NTF, "disk-new-ntf", false, "disk-new" },
	{ RXDSK_CMD_DISK_DEL_NTF, "disk-del-ntf", false, "disk-del" },
	{ RXDSK_CMD_DISK_CHANGE_NTF, "disk-change-ntf", false, "disk-change" },
	{ .name = NULL }
};

static const struct rx_op cache_ops[] = {
	{ RXCACHE_CMD_MAP_GET, "map-get", false, NULL },
	{ RXCACHE_CMD_MAP_NEW, "map-new", true, NULL },
	{ RXCACHE_CMD_MAP_DEL, "map-del", true, NULL },
	{ RXCACHE_CMD_MAP_FLUSH, "map-flush", true, NULL },
	{ RXCACHE_CMD_MAP_SET, "map-set", true, NULL },
	{ RXCACHE_CMD_MAP_VERIFY, "map-verify", true, NULL },
	{ RXCACHE_CMD_MAP_RESET_STATS, "map-reset-stats", true, NULL },
	{ RXCACHE_CMD_MAP_NEW_NTF, "map-new-ntf", false, "cache-new" },
	{ RXCACHE_CMD_MAP_DEL_NTF, "map-del-ntf", false, "cache-del" },
	{ RXCACHE_CMD_MAP_CHANGE_NTF, "map-change-ntf", false,
	  "cache-change" },
	{ .name = NULL }
};

static const struct rx_model models[RX_FAMILIES] = {
	[RX_DISK] = {
		RXDSK_FAMILY_NAME, RXDSK_MCGRP_MONITOR, RXDSK_FAMILY_VERSION,
		disk_attrs, disk_ops, sizeof(struct rx_disk),
	},
	[RX_CACHE] = {
		RXCACHE_FAMILY_NAME, RXCACHE_MCGRP_MONITOR,
		RXCACHE_FAMILY_VERSION,
		cache_attrs, cache_ops, sizeof(struct rx_cache),
	},
};

const char *model_family(enum rx_family family)
{
	return models[family].name;
}

uint8_t model_family_version(enum rx_family family)
{
	return models[family].version;
}

const char *model_mcgrp(enum rx_family family)
{
	return models[family].mcgrp;
}

const struct rx_op *model_op(enum rx_family family, const char *name)
{
	const struct rx_op *op;

	for (op = models[family].ops; op->name; op++)
		if (!strcmp(op->name, name))
			return op;
	return NULL;
}

const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd)
{
	const struct rx_op *op;

	for (op = models[family].ops; op->name; op++)
		if (op->cmd == cmd)
			return op;
	return NULL;
}

uint8_t model_cmd(const struct rx_op *op)
{
	return op->cmd;
}

const char *model_op_name(const struct rx_op *op)
{
	return op->name;
}

bool model_op_changes(const struct rx_op *op)
{
	return op->changes;
}

const char *model_event(const struct rx_op *op)
{
	return op->event;
}

const struct rx_attr *attr_by_name(const struct rx_attr *attrs,
				   const char *name, size_t len)
{
	for (; attrs->name; attrs++)
		if (!strncmp(attrs->name, name, len) && !attrs->name[len])
			return attrs;
	return NULL;
}

const struct rx_attr *model_attrs(enum rx_family family)
{
	return models[family].attrs;
}

const struct rx_attr *attr_by_nr(const struct rx_attr *attrs, int nr)
{
	for (; attrs && attrs->name; attrs++)
		if (attrs->nr == nr)
			return attrs;
	return NULL;
}

static void clear(const struct rx_attr *attrs, char *object)
{
	for (; attrs->name; attrs++) {
		if (attrs->type == A_NEST)
			clear(attrs->nest, object + attrs->off);
		else if (attrs->type == A_BUCKETS)
			memset(object + attrs->off, 0xff,
			       RX_BUCKETS * sizeof(uint64_t));
		else if (attrs->type == A_POINT)
			points_clear(object + attrs->off);
		else if (attrs->off >= 0 && attrs->type != A_TEXT)
			*(uint64_t *)(object + attrs->off) = RX_NONE;
	}
}

/* Everything "not sent". */
void model_clear(enum rx_family family, void *object)
{
	struct rx_io *io;

	memset(object, 0, models[family].size);
	clear(models[family].attrs, object);
	if (family == RX_CACHE) {
		model_derive(object);
		io = &((struct rx_cache *)object)->io;
	} else {
		io = &((struct rx_disk *)object)->io;
	}
	memset(io, 0xff, sizeof(*io));
}

uint64_t attr_number(const struct nlattr *nla)
{
	const void *data = nla_data(nla);
	uint64_t u64;
	uint32_t u32;

	switch (nla_len(nla)) {
	case 8:
		memcpy(&u64, data, 8);
		return u64;
	case 4:
		memcpy(&u32, data, 4);
		return u32;
	case 1:
		return *(const uint8_t *)data;
	default:
		return RX_NONE;
	}
}

/* As many as there are places for, or were sent. */
static void take_buckets(const struct nlattr *nla, char *buckets)
{
	size_t len = nla_len(nla);

	if (len > RX_BUCKETS * sizeof(uint64_t))
		len = RX_BUCKETS * sizeof(uint64_t);
	memcpy(buckets, nla_data(nla), len);
}

static void parse(const struct rx_attr *attrs, const void *data, size_t len,
		  char *object)
{
	const struct rx_attr *attr;
	struct nlattr *nla;
	int rest;

	nla_for_each_attr(nla, (struct nlattr *)data, (int)len, rest) {
		attr = attr_by_nr(attrs, nla_type(nla));
		if (!attr || attr->off < 0)
			continue;
		if (attr->type == A_NEST)
			parse(attr->nest, nla_data(nla), nla_len(nla),
			      object + attr->off);
		else if (attr->type == A_BUCKETS)
			take_buckets(nla, object + attr->off);
		else if (attr->type == A_POINT)
			points_take(nla, object + attr->off);
		else if (attr->type == A_TEXT)
			snprintf(object + attr->off, attr->len, "%.*s",
				 nla_len(nla), (char *)nla_data(nla));
		else
			*(uint64_t *)(object + attr->off) = attr_number(nla);
	}
}

/* Attributes that this version does not know are skipped. */
void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object)
{
	model_clear(family, object);
	parse(models[family].attrs, attrs, len, object);
	if (family == RX_CACHE)
		model_derive(object);
}
