// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages of the netlink family "rxcache": one cache as attributes, for replies and
 * lists, and events. The family's table of requests is generated, see netlink.c.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <net/genetlink.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "cache.h"
#include "figures/latency.h"
#include "figures/recent.h"
#include "figures/sampler.h"
#include "figures/shadow.h"
#include "figures/stats.h"
#include "figures/window.h"
#include "life/message.h"
#include "life/verify.h"
#include "netlink/netlink_gen.h"
#include "packed/pack.h"

static const u16 window_attr[RXC_NR_WINDOWS] = {
	[RXC_WINDOW_10S]	= RXCACHE_A_CACHE_RECENT_10S,
	[RXC_WINDOW_5MIN]	= RXCACHE_A_CACHE_RECENT_5MIN,
	[RXC_WINDOW_1H]		= RXCACHE_A_CACHE_RECENT_1H,
};

static const u16 flow_attr[RXC_NR_FLOWS] = {
	[RXC_FLOW_READS]	= RXCACHE_A_RECENT_READS,
	[RXC_FLOW_READ_FULL]	= RXCACHE_A_RECENT_READ_FULL,
	[RXC_FLOW_READ_HIT]	= RXCACHE_A_RECENT_READ_HIT,
	[RXC_FLOW_READ_MISS]	= RXCACHE_A_RECENT_READ_MISS,
	[RXC_FLOW_READ_BYPASS]	= RXCACHE_A_RECENT_READ_BYPASS,
	[RXC_FLOW_FILL]		= RXCACHE_A_RECENT_FILL,
	[RXC_FLOW_EVICT]	= RXCACHE_A_RECENT_EVICT,
	[RXC_FLOW_READ_BYTES]	= RXCACHE_A_RECENT_READ_BYTES,
	[RXC_FLOW_READ_HIT_BYTES] = RXCACHE_A_RECENT_READ_HIT_BYTES,
	[RXC_FLOW_WRITE_BYTES]	= RXCACHE_A_RECENT_WRITE_BYTES,
};

static const u16 latency_attr[RXC_NR_LATENCIES] = {
	[RXC_LATENCY_HIT]	= RXCACHE_A_CACHE_LATENCY_HIT,
	[RXC_LATENCY_MISS]	= RXCACHE_A_CACHE_LATENCY_MISS,
	[RXC_LATENCY_WRITE]	= RXCACHE_A_CACHE_LATENCY_WRITE,
	[RXC_LATENCY_ORIGIN]	= RXCACHE_A_CACHE_LATENCY_ORIGIN,
};

static int put_latency(struct sk_buff *msg, const struct rxc_cache *cache)
{
	struct rxc_latency sum;
	struct nlattr *nest;
	unsigned int kind;

	for (kind = 0; kind < RXC_NR_LATENCIES; kind++) {
		rxc_latency_sum(cache, kind, &sum);
		nest = nla_nest_start(msg, latency_attr[kind]);
		if (!nest ||
		    nla_put_u64_64bit(msg, RXCACHE_A_LATENCY_SUM, sum.sum,
				      RXCACHE_A_LATENCY_PAD) ||
		    nla_put(msg, RXCACHE_A_LATENCY_BUCKETS, sizeof(sum.bucket),
			    sum.bucket))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

static int put_recent(struct sk_buff *msg, struct rxc_cache *cache,
		      const struct rxc_stats *sum)
{
	const struct rxc_window *window = rxc_recent_read(cache, sum);
	unsigned int i, flow;
	struct nlattr *nest;

	for (i = 0; i < RXC_NR_WINDOWS; i++) {
		nest = nla_nest_start(msg, window_attr[i]);
		if (!nest)
			return -EMSGSIZE;
		for (flow = 0; flow < RXC_NR_FLOWS; flow++)
			if (nla_put_u64_64bit(msg, flow_attr[flow],
					      rxc_window_get(window, i, flow),
					      RXCACHE_A_RECENT_PAD))
				return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

static int put_counters(struct sk_buff *msg, const struct rxc_cache *cache,
			const struct rxc_stats *all)
{
	struct nlattr *nest = nla_nest_start(msg, RXCACHE_A_CACHE_STATS);
	struct rxc_stats sum = *all;
	unsigned int i;

	if (!nest)
		return -EMSGSIZE;
	rxc_stats_since_reset(cache, &sum);
	for (i = 0; i < RXC_NR_STATS; i++)
		if (nla_put_u64_64bit(msg, rxc_stat_attr[i], sum.count[i],
				      RXCACHE_A_STATS_PAD))
			return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_stats(struct sk_buff *msg, struct rxc_cache *cache)
{
	struct rxc_stats sum;

	rxc_stats_sum(cache, &sum);
	if (put_counters(msg, cache, &sum) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_STATS_AGE,
			      ktime_get_ns() - cache->stats_since,
			      RXCACHE_A_CACHE_PAD) ||
	    put_recent(msg, cache, &sum))
		return -EMSGSIZE;
	return 0;
}

/* Puts nothing before the first verification: sample is 0 only until then. */
static int put_verify(struct sk_buff *msg, const struct rxc_cache *cache)
{
	const struct rxc_verify *verify = &cache->verify;
	struct nlattr *nest;

	if (!verify->sample)
		return 0;
	nest = nla_nest_start(msg, RXCACHE_A_CACHE_VERIFY);
	if (!nest ||
	    nla_put_u8(msg, RXCACHE_A_VERIFY_RUNNING, verify->running) ||
	    nla_put_u32(msg, RXCACHE_A_VERIFY_SAMPLE, verify->sample) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_VERIFY_COMPARED,
			      READ_ONCE(verify->compared),
			      RXCACHE_A_VERIFY_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_VERIFY_SKIPPED,
			      READ_ONCE(verify->skipped),
			      RXCACHE_A_VERIFY_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_VERIFY_MISMATCHES,
			      READ_ONCE(verify->mismatches),
			      RXCACHE_A_VERIFY_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_VERIFY_ERRORS,
			      READ_ONCE(verify->errors),
			      RXCACHE_A_VERIFY_PAD) ||
	    nla_put_u8(msg, RXCACHE_A_VERIFY_STOPPED, READ_ONCE(verify->stop)))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

/* Whether the pool, with its index and packer, is there for sure: once the cache ends, it may be gone. */
static bool whole_pool(const struct rxc_cache *cache)
{
	return cache->state != RXCACHE_STATE_DRAINING && cache->state != RXCACHE_STATE_FAILED;
}

/* Puts nothing before the first change of the size: bytes is 0 only until then. */
static int put_resize(struct sk_buff *msg, const struct rxc_cache *cache)
{
	const struct rxc_resize *resize = &cache->pool->resize;
	bool whole = whole_pool(cache);
	struct nlattr *nest;

	if (!resize->bytes)
		return 0;
	nest = nla_nest_start(msg, RXCACHE_A_CACHE_RESIZE);
	if (!nest ||
	    nla_put_u8(msg, RXCACHE_A_RESIZE_RUNNING, resize->running) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_RESIZE_SIZE, resize->bytes,
			      RXCACHE_A_RESIZE_PAD) ||
	    (resize->error &&
	     (nla_put_u32(msg, RXCACHE_A_RESIZE_ERROR, -resize->error) ||
	      nla_put_string(msg, RXCACHE_A_RESIZE_MESSAGE, resize->message))) ||
	    (resize->running && whole &&
	     nla_put_u32(msg, RXCACHE_A_RESIZE_DONE, rxc_index_resize_done(cache->index))))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_point(struct sk_buff *msg, const struct rxc_cache *cache,
		     enum rxc_shadow_point point, u64 hits)
{
	struct nlattr *nest = nla_nest_start(msg, RXCACHE_A_SHADOW_POINT);
	u64 size = cache->pool->blocks << cache->block_shift;
	u32 what = RXCACHE_SHADOW_WHAT_AS_IS;

	if (point == RXC_SHADOW_FLIPPED)
		what = RXCACHE_SHADOW_WHAT_WRITE_ALLOCATE_FLIPPED;
	else if (point == RXC_SHADOW_BYPASS)
		what = RXCACHE_SHADOW_WHAT_SEQUENTIAL_BYPASS;
	if (!nest ||
	    nla_put_u64_64bit(msg, RXCACHE_A_SHADOW_POINT_SIZE,
			      rxc_shadow_scale(point, size),
			      RXCACHE_A_SHADOW_POINT_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_SHADOW_POINT_HITS, hits,
			      RXCACHE_A_SHADOW_POINT_PAD) ||
	    nla_put_u32(msg, RXCACHE_A_SHADOW_POINT_WHAT, what))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_shadow(struct sk_buff *msg, struct rxc_cache *cache)
{
	struct rxc_estimates now;
	struct nlattr *nest;
	unsigned int i;

	if (!rxc_sampler_read(cache, &now))
		return 0;
	nest = nla_nest_start(msg, RXCACHE_A_CACHE_SHADOW);
	if (!nest || nla_put_u32(msg, RXCACHE_A_SHADOW_RATE, now.rate) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_SHADOW_READS, now.reads,
			      RXCACHE_A_SHADOW_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_SHADOW_LOST, now.lost,
			      RXCACHE_A_SHADOW_PAD))
		return -EMSGSIZE;
	for (i = 0; i < RXC_NR_SHADOWS; i++)
		if (put_point(msg, cache, i, now.hits[i]))
			return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int put_bound(struct sk_buff *msg, int bytes_attr, u64 bytes, int percent_attr,
		     u32 percent)
{
	if (nla_put_u64_64bit(msg, bytes_attr, bytes, RXCACHE_A_CACHE_PAD) ||
	    (percent && nla_put_u32(msg, percent_attr, percent)))
		return -EMSGSIZE;
	return 0;
}

/* Puts what it has to do with the other caches of its pool. */
static int put_sharing(struct sk_buff *msg, const struct rxc_cache *cache)
{
	if (nla_put_u32(msg, RXCACHE_A_CACHE_SHARERS, cache->pool->sharers) ||
	    put_bound(msg, RXCACHE_A_CACHE_MIN_SHARE,
		      rxc_bounds_min(cache) << cache->block_shift,
		      RXCACHE_A_CACHE_MIN_SHARE_PERCENT, cache->bounds.min.percent) ||
	    put_bound(msg, RXCACHE_A_CACHE_MAX_SHARE,
		      rxc_bounds_max(cache) << cache->block_shift,
		      RXCACHE_A_CACHE_MAX_SHARE_PERCENT, cache->bounds.max.percent))
		return -EMSGSIZE;
	return 0;
}

/* Puts settings and memory. Figures about memory are 0 once the index may be gone. */
static int put_cache(struct sk_buff *msg, const struct rxc_cache *cache)
{
	bool whole = whole_pool(cache);
	u64 all = whole ? rxc_index_pages(cache->index) : 0;
	u64 used = whole ? rxc_index_pages_by(cache->index, cache->key) : 0;
	u64 bytes = whole ? rxc_index_bytes(cache->index) : 0;
	u64 taken = whole ? rxd_pool_used(cache->pool->memory) : 0;
	u64 pinned = whole ? rxc_index_pinned(cache->index, cache->key) : 0;
	u64 held = whole ? rxc_index_pinned_used(cache->index, cache->key) : 0;
	u64 limit = whole ? rxc_index_pin_limit(cache->index) : 0;
	unsigned int shift = cache->block_shift;

	/* The two values are not read at once, so taken may be the smaller one. */
	taken -= min(taken, all << shift);
	if (nla_put_string(msg, RXCACHE_A_CACHE_DISK, cache->disk_name) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_BLOCK_SIZE, 1U << shift) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_MODE, READ_ONCE(cache->mode)) ||
	    nla_put_u8(msg, RXCACHE_A_CACHE_WRITE_ALLOCATE,
		       READ_ONCE(cache->write_allocate)) ||
	    nla_put_u8(msg, RXCACHE_A_CACHE_OWN_DISK, cache->own_disk) ||
	    nla_put_u8(msg, RXCACHE_A_CACHE_FROZEN, READ_ONCE(cache->frozen)) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_READ_AHEAD, READ_ONCE(cache->ahead.size),
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_FLOOR,
			      READ_ONCE(cache->pool->floor) << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_SIZE,
			      cache->pool->blocks << shift, RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_CACHED, used << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_METADATA, bytes,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_SLACK, taken,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_PINNED, pinned << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_PINNED_CACHED, held << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_PIN_LIMIT, limit << shift,
			      RXCACHE_A_CACHE_PAD))
		return -EMSGSIZE;
	return 0;
}

/* Puts what is compressed. A cache on a disk that never compressed has the setting alone. */
static int put_compressed(struct sk_buff *msg, const struct rxc_cache *cache)
{
	const struct rxc_pack *pack = cache->pool->pack;
	const struct rxc_packed_stats *stats = pack ? &pack->stats : NULL;
	unsigned int shift = cache->block_shift;
	bool automatic = cache->pays.automatic;
	u32 setting = automatic ? RXCACHE_COMPRESS_AUTO : rxc_pack_codec(cache->pool, cache->key);

	if (nla_put_u32(msg, RXCACHE_A_CACHE_COMPRESS, setting) ||
	    (automatic &&
	     nla_put_u32(msg, RXCACHE_A_CACHE_COMPRESS_VERDICT, cache->pays.verdict)))
		return -EMSGSIZE;
	if (!pack || !cache->index)
		return 0;
	if (nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESSED,
			      rxc_index_packed_by(cache->index, cache->key) << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESSED_MEMORY,
			      rxc_index_packed_pages_by(cache->index, cache->key) << shift,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESS_TRIED,
			      READ_ONCE(stats->tried), RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESS_DONE,
			      READ_ONCE(stats->packed), RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESS_FILLED,
			      READ_ONCE(stats->filled), RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESS_MOVED,
			      READ_ONCE(stats->moved), RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_COMPRESS_NS,
			      READ_ONCE(stats->ns), RXCACHE_A_CACHE_PAD) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_INCOMPRESSIBLE,
			      READ_ONCE(stats->incompressible) << shift, RXCACHE_A_CACHE_PAD))
		return -EMSGSIZE;
	return 0;
}

/*
 * Returns whether writes to the cache are refused now: its device or its origin may have
 * been set read-only since it was mapped. The origin is open while the cache is active.
 */
static bool is_read_only(const struct rxc_cache *cache)
{
	lockdep_assert_held(&rxc_mutex);
	return cache->read_only || bdev_read_only(cache->disk->part0) ||
	       (cache->state == RXCACHE_STATE_ACTIVE &&
		bdev_read_only(cache->origin.bdev));
}

/* Puts attributes of a cache that has been active; its gendisk is freed with the cache. */
static int put_open_device(struct sk_buff *msg, const struct rxc_cache *cache)
{
	if (nla_put_u64_64bit(msg, RXCACHE_A_CACHE_ORIGIN_SIZE, cache->bytes,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_OPENERS, disk_openers(cache->disk)) ||
	    nla_put_u8(msg, RXCACHE_A_CACHE_READ_ONLY, is_read_only(cache)) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_MAJOR, cache->disk->major) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_MINOR, cache->disk->first_minor))
		return -EMSGSIZE;
	return 0;
}

/*
 * Puts one cache, for get, dump and event, into the message that @hdr begins. Returns 0,
 * or -EMSGSIZE if there is no room, and then removes @hdr, too. Context: process, may
 * sleep, under rxc_mutex.
 */
int rxc_message_fill(struct sk_buff *msg, struct rxc_cache *cache, void *hdr)
{
	bool device = cache->state != RXCACHE_STATE_STARTING &&
		      cache->state != RXCACHE_STATE_FAILED;

	lockdep_assert_held(&rxc_mutex);
	if (nla_put_string(msg, RXCACHE_A_CACHE_NAME, cache->name) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_ID, cache->id,
			      RXCACHE_A_CACHE_PAD) ||
	    (cache->origin_name[0] &&
	     nla_put_string(msg, RXCACHE_A_CACHE_ORIGIN, cache->origin_name)) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_ORIGIN_MAJOR, MAJOR(cache->origin_dev)) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_ORIGIN_MINOR, MINOR(cache->origin_dev)) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_STATE, cache->state) ||
	    (cache->state == RXCACHE_STATE_FAILED &&
	     (nla_put_u32(msg, RXCACHE_A_CACHE_ERROR, cache->error) ||
	      nla_put_string(msg, RXCACHE_A_CACHE_MESSAGE, cache->message))) ||
	    nla_put_u8(msg, RXCACHE_A_CACHE_WORKING, cache->backlog.running) ||
	    put_cache(msg, cache) || put_sharing(msg, cache) ||
	    (device && put_open_device(msg, cache)) ||
	    put_stats(msg, cache) || put_latency(msg, cache) ||
	    put_verify(msg, cache) || put_shadow(msg, cache) ||
	    put_resize(msg, cache) || (whole_pool(cache) && put_compressed(msg, cache))) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

struct genl_family rxc_family __ro_after_init = {
	.name		= RXCACHE_FAMILY_NAME,
	.version	= RXCACHE_FAMILY_VERSION,
	.module		= THIS_MODULE,
	.parallel_ops	= true,
	.ops		= rxcache_nl_ops,
	.n_ops		= ARRAY_SIZE(rxcache_nl_ops),
	.mcgrps		= rxcache_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(rxcache_nl_mcgrps),
};

/*
 * Sends an event if there are listeners. Without memory the event is lost, and a listener
 * sees the change in the next dump. @cause is used for a change only.
 */
static void message_notify(struct rxc_cache *cache, u8 cmd, enum rxcache_cause cause)
{
	struct sk_buff *msg;
	void *hdr;

	lockdep_assert_held(&rxc_mutex);
	if (!genl_has_listeners(&rxc_family, &init_net, RXCACHE_NLGRP_MONITOR))
		return;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &rxc_family, 0, cmd);
	if (!hdr || (cmd == RXCACHE_CMD_CACHE_CHANGE_NTF &&
		     nla_put_u32(msg, RXCACHE_A_CACHE_CAUSE, cause)) ||
	    rxc_message_fill(msg, cache, hdr)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_multicast_netns(&rxc_family, &init_net, msg, 0,
				RXCACHE_NLGRP_MONITOR, GFP_KERNEL);
}

/* Sends the event that a cache is new, or gone. */
void rxc_notify(struct rxc_cache *cache, u8 cmd)
{
	message_notify(cache, cmd, 0);
}

void rxc_notify_change(struct rxc_cache *cache, enum rxcache_cause cause)
{
	message_notify(cache, RXCACHE_CMD_CACHE_CHANGE_NTF, cause);
}

/* Tells of each cache of a pool that has a device. */
void rxc_notify_sharers(const struct rxc_pool *pool, enum rxcache_cause cause)
{
	struct rxc_cache *cache;
	unsigned int key;

	lockdep_assert_held(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++) {
		cache = pool->cache[key];
		if (cache && cache->state != RXCACHE_STATE_STARTING &&
		    cache->state != RXCACHE_STATE_FAILED)
			rxc_notify_change(cache, cause);
	}
}

int __init rxc_message_init(void)
{
	return genl_register_family(&rxc_family);
}

void rxc_message_exit(void)
{
	genl_unregister_family(&rxc_family);
}
