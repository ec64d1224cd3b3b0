// SPDX-License-Identifier: GPL-2.0-only
/*
 * The request for what compression would save. Its figures are named as those of a cache, so
 * that a program needs no other names for them.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <net/genetlink.h>
#include <uapi/linux/rxcache.h>
#include "cache.h"
#include "life/compress.h"
#include "life/message.h"
#include "memory/pool.h"
#include "netlink/netlink_gen.h"
#include "netlink/request.h"
#include "packed/codec.h"
#include "packed/weigh.h"

static int put_u64(struct sk_buff *msg, int attr, u64 value)
{
	return nla_put_u64_64bit(msg, attr, value, RXCACHE_A_CACHE_PAD);
}

static int weigh_fill(struct sk_buff *msg, const struct rxc_cache *cache, u32 codec,
		      const struct rxc_weighed *sum)
{
	u64 memory = (sum->plain - sum->done) * PAGE_SIZE + sum->bytes;

	if (nla_put_string(msg, RXCACHE_A_CACHE_NAME, cache->name) ||
	    put_u64(msg, RXCACHE_A_CACHE_ID, cache->id) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_COMPRESS, codec) ||
	    put_u64(msg, RXCACHE_A_CACHE_COMPRESSED, sum->plain * PAGE_SIZE) ||
	    put_u64(msg, RXCACHE_A_CACHE_COMPRESSED_MEMORY, memory) ||
	    put_u64(msg, RXCACHE_A_CACHE_COMPRESS_TRIED, sum->tried) ||
	    put_u64(msg, RXCACHE_A_CACHE_COMPRESS_DONE, sum->done))
		return -EMSGSIZE;
	return 0;
}

/* Returns 0, or an errno with its text. Context: process, may sleep, under rxc_mutex. */
static int weigh(struct genl_info *info, struct rxc_weigher *weigher, u32 codec,
		 struct sk_buff *msg)
{
	struct rxc_weighed sum;
	struct rxc_cache *cache;
	void *hdr;
	int err;

	cache = rxc_cache_named_live(info, &err);
	if (!cache)
		return err;
	if (cache->pool->order)
		return rxc_refuse(info, -EINVAL, rxc_compress_one_page);
	if (cache->state == RXCACHE_STATE_DEAD)
		return rxc_refuse(info, -ENODATA, "the origin is gone, and with it the cached blocks");
	rxc_weigh(weigher, cache->pool, cache->key, codec, &sum);
	hdr = genlmsg_put_reply(msg, info, &rxc_family, 0, info->genlhdr->cmd);
	if (!hdr || weigh_fill(msg, cache, codec, &sum))
		return -EMSGSIZE;
	genlmsg_end(msg, hdr);
	return 0;
}

int rxcache_nl_cache_weigh_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[RXCACHE_A_CACHE_COMPRESS];
	u32 codec = rxc_codec_of(attr ? nla_get_u32(attr) : RXCACHE_COMPRESS_OFF);
	int err = rxc_check_admin(skb, info);
	struct rxc_weigher *weigher;
	struct sk_buff *msg;
	const char *why;

	if (err)
		return err;
	if (codec == RXCACHE_COMPRESS_OFF)
		return rxc_refuse(info, -EINVAL, "compress is missing or off");
	/* May load a module, so rxc_mutex is not held. */
	weigher = rxc_weigher_new(codec);
	if (IS_ERR(weigher)) {
		err = rxc_codec_refusal(PTR_ERR(weigher), &why);
		return rxc_refuse(info, err, why);
	}
	msg = rxc_reply_new(info);
	if (msg) {
		mutex_lock(&rxc_mutex);
		err = weigh(info, weigher, codec, msg);
		mutex_unlock(&rxc_mutex);
	}
	rxc_weigher_free(weigher);
	if (!msg)
		return -ENOMEM;
	if (!err)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return err;
}
