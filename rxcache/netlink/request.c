// SPDX-License-Identifier: GPL-2.0-only
/* Functions that the requests of the netlink family share, see request.h. */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <net/genetlink.h>
#include <uapi/linux/rxcache.h>
#include <uapi/linux/rxdsk.h>
#include "block.h"
#include "cache.h"
#include "io/ahead.h"
#include "life/compress.h"
#include "life/message.h"
#include "memory/pool.h"
#include "netlink/request.h"
#include "packed/codec.h"

int rxc_refuse(struct genl_info *info, int err, const char *why)
{
	if (info->extack)
		info->extack->_msg = why;
	return err;
}

bool rxc_commits(const struct genl_info *info)
{
	return !info->attrs[RXCACHE_A_CACHE_VALIDATE];
}

/*
 * GENL_ADMIN_PERM would only require CAP_NET_ADMIN. This requires CAP_SYS_ADMIN, in the
 * initial user namespace, of the sender and of the task that opened the socket.
 */
int rxc_check_admin(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	return rxc_refuse(info, -EPERM, "needs CAP_SYS_ADMIN");
}

/* Allocates the reply, before the caller changes anything. Returns NULL without memory. */
struct sk_buff *rxc_reply_new(struct genl_info *info)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!msg)
		rxc_refuse(info, -ENOMEM, "no memory for the reply");
	return msg;
}

/* Fills and sends @msg, which the caller must not use afterwards. */
int rxc_reply_send(struct sk_buff *msg, struct genl_info *info,
		      struct rxc_cache *cache)
{
	void *hdr = genlmsg_put_reply(msg, info, &rxc_family, 0,
				      info->genlhdr->cmd);

	if (!hdr || rxc_message_fill(msg, cache, hdr)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	return genlmsg_reply(msg, info);
}

int rxc_reply_with(struct genl_info *info, struct rxc_cache *cache)
{
	struct sk_buff *msg = rxc_reply_new(info);

	return msg ? rxc_reply_send(msg, info, cache) : -ENOMEM;
}

/* Returns the cache that a request names, or NULL and the reason in *@err. */
struct rxc_cache *rxc_cache_named(struct genl_info *info, int *err)
{
	struct rxc_cache *cache;

	if (!info->attrs[RXCACHE_A_CACHE_NAME]) {
		*err = rxc_refuse(info, -EINVAL, "name is missing");
		return NULL;
	}
	cache = rxc_cache_find(nla_data(info->attrs[RXCACHE_A_CACHE_NAME]));
	if (!cache)
		*err = rxc_refuse(info, -ENODEV, "no such cache");
	return cache;
}

/* As rxc_cache_named(), but only if the cache has a device and is not ending. */
struct rxc_cache *rxc_cache_named_live(struct genl_info *info, int *err)
{
	struct rxc_cache *cache = rxc_cache_named(info, err);

	if (cache && cache->state != RXCACHE_STATE_ACTIVE &&
	    cache->state != RXCACHE_STATE_DEAD) {
		*err = rxc_refuse(info, -EBUSY, cache->state == RXCACHE_STATE_STARTING ?
				  "is still starting" : "is being unmapped");
		return NULL;
	}
	return cache;
}

static int bound_parse(struct genl_info *info, const struct nlattr *bytes,
		       const struct nlattr *percent, struct rxc_bound *bound)
{
	if (bytes && percent)
		return rxc_refuse(info, -EINVAL, "a share is in bytes or in percent, not in both");
	if (bytes)
		*bound = (struct rxc_bound){ .bytes = nla_get_u64(bytes) };
	if (percent)
		*bound = (struct rxc_bound){ .percent = nla_get_u32(percent) };
	return 0;
}

bool rxc_request_has_bounds(struct nlattr **attrs)
{
	return attrs[RXCACHE_A_CACHE_MIN_SHARE] ||
	       attrs[RXCACHE_A_CACHE_MAX_SHARE] ||
	       attrs[RXCACHE_A_CACHE_MIN_SHARE_PERCENT] ||
	       attrs[RXCACHE_A_CACHE_MAX_SHARE_PERCENT];
}

int rxc_request_bounds(struct genl_info *info, struct rxc_bounds *bounds)
{
	struct nlattr **attrs = info->attrs;
	int err = bound_parse(info, attrs[RXCACHE_A_CACHE_MIN_SHARE],
			      attrs[RXCACHE_A_CACHE_MIN_SHARE_PERCENT], &bounds->min);

	return err ?: bound_parse(info, attrs[RXCACHE_A_CACHE_MAX_SHARE],
				  attrs[RXCACHE_A_CACHE_MAX_SHARE_PERCENT], &bounds->max);
}

/* A block is one or more whole pages. */
static_assert(PAGE_SIZE <= RXC_BLOCK_MAX);

int rxc_request_block(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXCACHE_A_CACHE_BLOCK_SIZE];
	u32 block;

	if (!attr)
		return 0;
	block = nla_get_u32(attr);
	if (block < RXC_BLOCK_MIN || block > RXC_BLOCK_MAX ||
	    !is_power_of_2(block))
		return rxc_refuse(info, -EINVAL,
				  "cache block must be a power of two, 4 KiB to 64 KiB");
	if (block >= PAGE_SIZE)
		return 0;
	return rxc_refuse(info, -EINVAL, PAGE_SIZE == SZ_64K ?
			  "cache block is smaller than a page of this kernel, 64 KiB" :
			  PAGE_SIZE == SZ_16K ?
			  "cache block is smaller than a page of this kernel, 16 KiB" :
			  "cache block is smaller than a page of this kernel");
}

int rxc_request_ahead(struct genl_info *info)
{
	struct nlattr *ahead = info->attrs[RXCACHE_A_CACHE_READ_AHEAD];

	if (!ahead || rxc_ahead_fits(nla_get_u64(ahead)))
		return 0;
	return rxc_refuse(info, -EINVAL, "read-ahead must be 0, 1, or at least 4096 bytes");
}

int rxc_request_size(struct genl_info *info)
{
	struct nlattr *size = info->attrs[RXCACHE_A_CACHE_SIZE];

	if (!size)
		return 0;
	if (rxc_commits(info) || info->attrs[RXCACHE_A_CACHE_DISK])
		return rxc_refuse(info, -EINVAL, "only a check without a disk takes a size");
	/* In the words of rxdsk, which is to make the disk. */
	if (nla_get_u64(size) < RXDSK_SIZE_MIN || nla_get_u64(size) > RXDSK_SIZE_MAX)
		return rxc_refuse(info, -EINVAL, "the size must be 4 KiB to 1 EiB");
	return 0;
}

static int refuse_large_blocks(struct genl_info *info)
{
	return rxc_refuse(info, -EINVAL, rxc_compress_one_page);
}

int rxc_request_codec(struct genl_info *info, u32 block)
{
	struct nlattr *codec = info->attrs[RXCACHE_A_CACHE_COMPRESS];
	u32 nr = codec ? rxc_codec_of(nla_get_u32(codec)) : RXCACHE_COMPRESS_OFF;
	struct crypto_acomp *loaded;
	const char *why;
	int err;

	lockdep_assert_not_held(&rxc_mutex);
	if (nr == RXCACHE_COMPRESS_OFF)
		return 0;
	if (block > PAGE_SIZE)
		return refuse_large_blocks(info);
	loaded = rxc_codec_get(nr);
	if (!IS_ERR(loaded)) {
		rxc_codec_put(nr);
		return 0;
	}
	err = rxc_codec_refusal(PTR_ERR(loaded), &why);
	return rxc_refuse(info, err, why);
}

int rxc_request_compress(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr *attr = info->attrs[RXCACHE_A_CACHE_COMPRESS];
	u32 setting = attr ? nla_get_u32(attr) : RXCACHE_COMPRESS_OFF;
	const char *why;
	int err;

	lockdep_assert_held(&rxc_mutex);
	if (setting != RXCACHE_COMPRESS_OFF && cache->pool->order)
		return refuse_large_blocks(info);
	if (!attr || !rxc_commits(info))
		return 0;
	err = rxc_compress_prepare(cache->pool, setting, &why);
	if (err)
		return rxc_refuse(info, err, why);
	rxc_compress_set(cache, setting);
	return 0;
}
