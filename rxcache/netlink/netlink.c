// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handlers of the requests and dumps of the netlink family "rxcache".
 * module/spec/rxcache.yaml defines the protocol, and the policies and the table of
 * operations are generated from it.
 *
 * Handlers run in parallel and take rxc_mutex. No handler waits for I/O, because generic
 * netlink calls it under a lock that all families share. Long work begins here and
 * ends on a worker.
 */
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <net/genetlink.h>
#include <uapi/linux/rxcache.h>
#include "cache.h"
#include "figures/latency.h"
#include "figures/recent.h"
#include "figures/sampler.h"
#include "figures/stats.h"
#include "io/ahead.h"
#include "io/origin.h"
#include "life/backlog.h"
#include "life/bounds.h"
#include "life/follow.h"
#include "life/join.h"
#include "life/message.h"
#include "life/mode.h"
#include "life/pin.h"
#include "life/resize.h"
#include "life/start.h"
#include "life/stop.h"
#include "life/verify.h"
#include "memory/pool.h"
#include "netlink/dump.h"
#include "netlink/netlink_gen.h"
#include "netlink/request.h"

int rxcache_nl_cache_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxc_cache *cache;
	int err;

	mutex_lock(&rxc_mutex);
	cache = rxc_cache_named(info, &err);
	if (cache)
		err = rxc_reply_with(info, cache);
	mutex_unlock(&rxc_mutex);
	return err;
}

/* cb->args[0] is the lowest number that is still to be shown. */
int rxcache_nl_cache_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct rxc_cache *cache;
	void *hdr;

	mutex_lock(&rxc_mutex);
	cb->seq = rxc_generation;
	list_for_each_entry(cache, &rxc_caches, node) {
		if (cache->number < cb->args[0])
			continue;
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, &rxc_family, NLM_F_MULTI,
				  RXCACHE_CMD_CACHE_GET);
		if (!hdr)
			break;
		genl_dump_check_consistent(cb, hdr);
		if (rxc_message_fill(skb, cache, hdr))
			break;
		cb->args[0] = cache->number + 1;
	}
	mutex_unlock(&rxc_mutex);
	return skb->len;
}

/* Reads what a new cache wants of its disk. Returns 0, or an errno with its text. */
static int new_terms(struct genl_info *info, const struct rxc_cache *cache, struct rxc_terms *terms)
{
	struct nlattr **attrs = info->attrs;
	struct nlattr *own = attrs[RXCACHE_A_CACHE_OWN_DISK];
	struct nlattr *codec = attrs[RXCACHE_A_CACHE_COMPRESS];
	struct nlattr *size = attrs[RXCACHE_A_CACHE_SIZE];

	*terms = (struct rxc_terms){
		.size = size ? round_up(nla_get_u64(size), SZ_4K) : 0,
		.erase = attrs[RXCACHE_A_CACHE_ERASE],
		.own_disk = own && nla_get_u8(own),
		.compress = codec && nla_get_u32(codec) != RXCACHE_COMPRESS_OFF,
		.bounds = cache->bounds,
	};
	return rxc_request_bounds(info, &terms->bounds);
}

/*
 * Checks the values of a request without a disk, before all that depends on the origin and
 * on other caches.
 */
static int new_check_size(struct genl_info *info, const struct rxc_cache *cache,
			  const struct rxc_terms *terms)
{
	const char *why = NULL;
	int err = terms->size ? rxc_pool_check_size(cache, terms, terms->size, &why) : 0;

	return err ? rxc_refuse(info, err, why) : 0;
}

/* Reads a request into a new cache and its terms. Returns 0, or an errno with its text. */
static int new_parse(struct genl_info *info, struct rxc_cache *cache, struct rxc_terms *terms)
{
	struct nlattr **attrs = info->attrs;
	struct nlattr *block = attrs[RXCACHE_A_CACHE_BLOCK_SIZE];
	int err;

	if (!attrs[RXCACHE_A_CACHE_SIZE] && !attrs[RXCACHE_A_CACHE_DISK])
		return rxc_refuse(info, -EINVAL, "disk is missing");
	if (!attrs[RXCACHE_A_CACHE_ORIGIN])
		return rxc_refuse(info, -EINVAL, "origin is missing");
	if (attrs[RXCACHE_A_CACHE_DISK])
		nla_strscpy(cache->disk_name, attrs[RXCACHE_A_CACHE_DISK],
			    sizeof(cache->disk_name));
	err = rxc_request_block(info) ?: rxc_request_size(info);
	err = err ?: rxc_request_ahead(info);
	if (err)
		return err;
	/* The pool sets the block size that the request leaves out. */
	cache->block_shift = block ? ilog2(nla_get_u32(block)) : 0;
	if (attrs[RXCACHE_A_CACHE_MODE])
		cache->mode = nla_get_u32(attrs[RXCACHE_A_CACHE_MODE]);
	if (attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE])
		cache->write_allocate =
			nla_get_u8(attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE]);
	if (attrs[RXCACHE_A_CACHE_READ_ONLY])
		cache->read_only = nla_get_u8(attrs[RXCACHE_A_CACHE_READ_ONLY]);
	cache->floor_given = attrs[RXCACHE_A_CACHE_FLOOR];
	if (cache->floor_given)
		cache->floor = nla_get_u64(attrs[RXCACHE_A_CACHE_FLOOR]);
	err = new_terms(info, cache, terms);
	err = err ?: new_check_size(info, cache, terms);
	return err ?: rxc_request_codec(info, block ? nla_get_u32(block) : 0);
}

/* Without memory for it, a new cache does not read ahead. */
static void new_begin_ahead(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr *ahead = info->attrs[RXCACHE_A_CACHE_READ_AHEAD];
	struct rxc_forecast *forecast;

	if (ahead && !rxc_ahead_prepare(cache, nla_get_u64(ahead), &forecast))
		rxc_ahead_set(cache, nla_get_u64(ahead), forecast);
}

static int new_find_origin(struct genl_info *info, struct rxc_cache *cache)
{
	const char *path = nla_data(info->attrs[RXCACHE_A_CACHE_ORIGIN]);
	int err;

	if (path[0] != '/')
		return rxc_refuse(info, -EINVAL, "origin must be an absolute path");
	err = rxc_origin_find(path, &cache->origin_dev);
	return !err ? 0 :
	       rxc_refuse(info, err, err == -ENOTBLK ? "origin is not a block device" :
			  err == -EAGAIN ? "origin must be resolved first, by realpath(3)" :
			  "origin not found");
}

/*
 * Gives the cache a name and a place in the pool on its disk. Returns 0, or an errno with
 * its text; the caller then takes the cache off the list and calls rxc_pool_leave().
 * Context: process, may sleep, under rxc_mutex.
 */
static int new_settle(struct genl_info *info, struct rxc_cache *cache,
		      const struct rxc_terms *terms)
{
	struct nlattr *name = info->attrs[RXCACHE_A_CACHE_NAME];
	const char *why = NULL;
	struct rxc_cache *other;
	int err;

	list_for_each_entry(other, &rxc_caches, node)
		if (other->origin_dev == cache->origin_dev)
			return rxc_refuse(info, -EBUSY, "origin is mapped already");
	err = rxc_cache_add(cache, name ? nla_data(name) : NULL, rxc_commits(info));
	if (err)
		return rxc_refuse(info, err, err == -EEXIST ? "name is taken" :
				  err == -ENOSPC ? "all names are taken" :
				  "name must be rxc and a number below 1048576");
	err = rxc_pool_join(cache, terms, rxc_commits(info), &why);
	if (err)
		return rxc_refuse(info, err, why);
	if (!rxc_commits(info))
		return 0;
	err = rxc_request_compress(info, cache);
	if (err)
		return err;
	rxc_sampler_new(cache);
	new_begin_ahead(info, cache);
	return 0;
}

/*
 * Whoever claims the origin, and what it is, turn out when a worker opens it, for which no
 * request can wait: the device may be far away or broken. So validate does not look at the
 * origin beyond its path and the caches that there are, and no concurrent opener is in its
 * way. A program can open the origin itself, with O_EXCL.
 */
int rxcache_nl_cache_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxc_terms terms;
	struct rxc_cache *cache;
	bool done;
	int err = rxc_check_admin(skb, info);

	if (err)
		return err;
	/* Fails only while the module is being unloaded. */
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	cache = rxc_cache_new();
	if (!cache) {
		module_put(THIS_MODULE);
		return -ENOMEM;
	}
	err = new_parse(info, cache, &terms);
	if (!err)
		err = new_find_origin(info, cache);
	if (err)
		goto err_free;

	mutex_lock(&rxc_mutex);
	err = new_settle(info, cache, &terms);
	done = !err && rxc_commits(info);
	if (done) {
		err = rxc_reply_with(info, cache);
		done = !err;
	}
	if (done)
		rxc_cache_start(cache);
	else
		list_del_init(&cache->node);
	mutex_unlock(&rxc_mutex);
	if (done)
		return 0;
	rxc_pool_leave(cache);
err_free:
	rxc_cache_free(cache);
	module_put(THIS_MODULE);
	return err;
}

int rxcache_nl_cache_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	const char *why = NULL;
	struct rxc_cache *cache;
	int err = rxc_check_admin(skb, info);

	if (err)
		return err;
	mutex_lock(&rxc_mutex);
	cache = rxc_cache_named(info, &err);
	if (cache) {
		err = rxc_cache_stop(cache, rxc_commits(info), &why);
		if (err)
			rxc_refuse(info, err, why);
	}
	mutex_unlock(&rxc_mutex);
	return err;
}

/* Calls @act for the cache that the request names. @act returns 0 or an errno. */
static int act_live(struct sk_buff *skb, struct genl_info *info,
		    int (*act)(struct genl_info *info, struct rxc_cache *cache))
{
	struct rxc_cache *cache;
	int err = rxc_check_admin(skb, info);

	if (err)
		return err;
	mutex_lock(&rxc_mutex);
	cache = rxc_cache_named_live(info, &err);
	if (cache)
		err = act(info, cache);
	mutex_unlock(&rxc_mutex);
	return err;
}

static int cache_drop(struct genl_info *info, struct rxc_cache *cache)
{
	if (rxc_commits(info))
		rxc_backlog_drop_all(cache);
	return 0;
}

int rxcache_nl_cache_drop_doit(struct sk_buff *skb, struct genl_info *info)
{
	return act_live(skb, info, cache_drop);
}

/* As act_live(), but if @change returns 0, the cache is sent as the reply to a change. */
static int change_live(struct sk_buff *skb, struct genl_info *info,
		       int (*change)(struct genl_info *info, struct rxc_cache *cache))
{
	struct sk_buff *msg;
	struct rxc_cache *cache;
	int err = rxc_check_admin(skb, info);

	if (err)
		return err;
	msg = rxc_reply_new(info);
	if (!msg)
		return -ENOMEM;
	mutex_lock(&rxc_mutex);
	cache = rxc_cache_named_live(info, &err);
	if (cache)
		err = change(info, cache);
	if (!err && rxc_commits(info))
		err = rxc_reply_send(msg, info, cache);
	else
		nlmsg_free(msg);
	mutex_unlock(&rxc_mutex);
	return err;
}

/* Checks the settings that may be refused. Bounds that are not given stay as they are. */
static int check_room(struct genl_info *info, struct rxc_cache *cache,
		      struct rxc_bounds *bounds)
{
	struct nlattr *size = info->attrs[RXCACHE_A_CACHE_SIZE];
	const char *why;
	int err;

	*bounds = cache->bounds;
	err = rxc_request_bounds(info, bounds);
	if (err)
		return err;
	/* Those that stay may not fit the size any more. */
	if (rxc_request_has_bounds(info->attrs))
		err = rxc_bounds_check(cache->pool, cache, bounds, &why);
	if (!err && size)
		err = rxc_resize_check(cache, bounds, nla_get_u64(size), &why);
	return err ? rxc_refuse(info, err, why) : 0;
}

static void set_room(struct nlattr **attrs, struct rxc_cache *cache,
		     const struct rxc_bounds *bounds)
{
	struct nlattr *size = attrs[RXCACHE_A_CACHE_SIZE];

	if (rxc_request_has_bounds(attrs))
		rxc_bounds_set(cache, bounds);
	if (size)
		rxc_resize_start(cache->pool, nla_get_u64(size));
	/* A change of the size does it at its end, when it has not failed. */
	else if (rxc_request_has_bounds(attrs))
		rxc_bounds_cut(cache->pool);
}

static int cache_set(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr **attrs = info->attrs, *ahead = attrs[RXCACHE_A_CACHE_READ_AHEAD];
	struct rxc_forecast *forecast = NULL;
	struct rxc_bounds bounds;
	int err = rxc_request_ahead(info);

	if (err)
		return err;
	if (ahead && rxc_ahead_prepare(cache, nla_get_u64(ahead), &forecast))
		return rxc_refuse(info, -ENOMEM, "no memory for read-ahead");
	err = check_room(info, cache, &bounds);
	/* The last one that may refuse: it changes the setting, too. */
	err = err ?: rxc_request_compress(info, cache);
	if (err || !rxc_commits(info)) {
		kvfree(forecast);
		return err;
	}
	rxc_follow(cache);
	set_room(attrs, cache, &bounds);
	if (ahead)
		rxc_ahead_set(cache, nla_get_u64(ahead), forecast);
	if (attrs[RXCACHE_A_CACHE_MODE])
		rxc_mode_set(cache, nla_get_u32(attrs[RXCACHE_A_CACHE_MODE]));
	if (attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE])
		WRITE_ONCE(cache->write_allocate,
			   nla_get_u8(attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE]));
	if (attrs[RXCACHE_A_CACHE_FLOOR])
		rxc_pool_set_floor(cache->pool, nla_get_u64(attrs[RXCACHE_A_CACHE_FLOOR]));
	if (attrs[RXCACHE_A_CACHE_FROZEN])
		rxc_mode_freeze(cache, nla_get_u8(attrs[RXCACHE_A_CACHE_FROZEN]));
	/* The counts so far are about a cache with the former settings. */
	if (attrs[RXCACHE_A_CACHE_MODE] || attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE])
		rxc_sampler_reset(cache, false);
	/* A request without settings, which udev's rule often sends, has no event. */
	if (attrs[RXCACHE_A_CACHE_FLOOR])
		rxc_notify_sharers(cache->pool, RXCACHE_CAUSE_SET);
	else if (attrs[RXCACHE_A_CACHE_SIZE] || attrs[RXCACHE_A_CACHE_MODE] ||
		 attrs[RXCACHE_A_CACHE_WRITE_ALLOCATE] ||
		 attrs[RXCACHE_A_CACHE_FROZEN] || attrs[RXCACHE_A_CACHE_READ_AHEAD] ||
		 attrs[RXCACHE_A_CACHE_COMPRESS] || rxc_request_has_bounds(attrs))
		rxc_notify_change(cache, RXCACHE_CAUSE_SET);
	return 0;
}

int rxcache_nl_cache_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = rxc_check_admin(skb, info) ?: rxc_request_codec(info, 0);

	return err ?: change_live(skb, info, cache_set);
}

static int cache_verify(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr *sample = info->attrs[RXCACHE_A_CACHE_SAMPLE];
	bool stop = info->attrs[RXCACHE_A_CACHE_STOP];

	if (cache->verify.running != stop)
		return rxc_refuse(info, -EALREADY, stop ? "is not being verified" :
							  "is being verified already");
	if (!rxc_commits(info))
		return 0;
	if (stop)
		WRITE_ONCE(cache->verify.stop, true);
	else
		rxc_verify_start(cache, sample ? nla_get_u32(sample) : 1);
	return 0;
}

int rxcache_nl_cache_verify_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_live(skb, info, cache_verify);
}

/* Pins or unpins the range that a request names, or without one the whole device. */
static int change_pins(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr *offset = info->attrs[RXCACHE_A_CACHE_OFFSET];
	struct nlattr *length = info->attrs[RXCACHE_A_CACHE_LENGTH];
	bool pin = info->genlhdr->cmd == RXCACHE_CMD_CACHE_PIN;
	const char *why = NULL;
	int err;

	if (!offset != !length)
		return rxc_refuse(info, -EINVAL, "offset and length belong together");
	err = (pin ? rxc_pin : rxc_unpin)(cache, offset ? nla_get_u64(offset) : 0,
					  length ? nla_get_u64(length) : cache->bytes,
					  rxc_commits(info), &why);
	return err ? rxc_refuse(info, err, why) : 0;
}

int rxcache_nl_cache_pin_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_live(skb, info, change_pins);
}

int rxcache_nl_cache_unpin_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_live(skb, info, change_pins);
}

static int cache_reset_stats(struct genl_info *info, struct rxc_cache *cache)
{
	struct rxc_stats sum;

	if (!rxc_commits(info))
		return 0;
	/* Comes first: counters that were reset before it would grow while it runs. */
	rxc_sampler_reset(cache, true);
	rxc_stats_reset(cache, &sum);
	rxc_latency_reset(cache);
	rxc_recent_reset(cache, &sum);
	rxc_notify_change(cache, RXCACHE_CAUSE_RESET);
	return 0;
}

int rxcache_nl_cache_reset_stats_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_live(skb, info, cache_reset_stats);
}

int rxcache_nl_cache_blocks_doit(struct sk_buff *skb, struct genl_info *info)
{
	return act_live(skb, info, rxc_dump_reply);
}
