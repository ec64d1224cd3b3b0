// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of the cached blocks, for a program that reads them again after the next
 * start. A reply holds the part of the list that fits into a message. A request walks a
 * bounded number of sets of the index, each under its own lock. Blocks come and go between
 * the requests. The list is a hint, because a block's bytes always come from the origin.
 */
#include <linux/mutex.h>
#include <net/genetlink.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "life/message.h"
#include "netlink/dump.h"

enum {
	/* The most sets that a request walks, even if all are empty. */
	WALK_SETS = 1024,
	/* The most blocks in a message. The walk stops before a set that might not fit. */
	DUMP_BLOCKS = 1024,
	/* Bytes of the other attributes and the headers. */
	DUMP_REST = 256,
};
static_assert((int)DUMP_BLOCKS >= (int)RXC_WAYS_MAX);

struct dump {
	const struct rxc_cache *cache;
	void *to;		/* aligned to 4 bytes, as attributes are */
	unsigned int nr;
};

static void put_block(void *arg, u64 key, unsigned int heat)
{
	struct dump *dump = arg;
	u64 value;

	if (key != rxc_cache_key(dump->cache, rxc_key_block(key)))
		return;
	value = rxc_key_block(key) << RXC_WORTH_BITS | dump->cache->policy->worth[heat];
	memcpy(dump->to + dump->nr++ * sizeof(value), &value, sizeof(value));
}

static int put_blocks(struct sk_buff *msg, struct rxc_cache *cache, u64 *cursor)
{
	struct dump dump = { .cache = cache };
	unsigned int sets = WALK_SETS;
	struct nlattr *attr;

	attr = nla_reserve(msg, RXCACHE_A_CACHE_BLOCKS,
			   DUMP_BLOCKS * sizeof(u64));
	if (!attr)
		return -EMSGSIZE;
	dump.to = nla_data(attr);
	for (; *cursor < RXC_WALK_END && sets &&
	       dump.nr + RXC_WAYS_MAX <= DUMP_BLOCKS; sets--)
		rxc_index_walk(cache->index, cursor, 1, put_block, &dump);
	/* Reserved bytes that were not written must not be sent. */
	attr->nla_len = nla_attr_size(dump.nr * sizeof(u64));
	nlmsg_trim(msg, (void *)attr + attr->nla_len);
	return 0;
}

/* Puts the blocks from @cursor on, and the next cursor unless the walk is done. */
static int dump_fill(struct sk_buff *msg, struct rxc_cache *cache, u64 cursor)
{
	if (nla_put_string(msg, RXCACHE_A_CACHE_NAME, cache->name) ||
	    nla_put_u64_64bit(msg, RXCACHE_A_CACHE_ID, cache->id,
			      RXCACHE_A_CACHE_PAD) ||
	    nla_put_u32(msg, RXCACHE_A_CACHE_BLOCK_SIZE, 1U << cache->block_shift) ||
	    put_blocks(msg, cache, &cursor))
		return -EMSGSIZE;
	if (cursor < RXC_WALK_END)
		return nla_put_u64_64bit(msg, RXCACHE_A_CACHE_CURSOR, cursor,
					 RXCACHE_A_CACHE_PAD);
	return 0;
}

int rxc_dump_reply(struct genl_info *info, struct rxc_cache *cache)
{
	struct nlattr *from = info->attrs[RXCACHE_A_CACHE_CURSOR];
	u64 cursor = from ? nla_get_u64(from) : 0;
	struct sk_buff *msg;
	void *hdr;

	lockdep_assert_held(&rxc_mutex);
	/* Its blocks go, and the rest of them would be taken for the list. */
	if (cache->state == RXCACHE_STATE_DEAD) {
		GENL_SET_ERR_MSG(info, "the origin is gone, and with it the cached blocks");
		return -ENODATA;
	}
	if (cursor >= RXC_WALK_END) {
		GENL_SET_ERR_MSG(info, "cursor is not one of a reply");
		return -EINVAL;
	}
	msg = genlmsg_new(DUMP_BLOCKS * sizeof(u64) + DUMP_REST, GFP_KERNEL);
	if (!msg) {
		GENL_SET_ERR_MSG(info, "no memory for the reply");
		return -ENOMEM;
	}
	hdr = genlmsg_put_reply(msg, info, &rxc_family, 0, info->genlhdr->cmd);
	if (!hdr || dump_fill(msg, cache, cursor)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}
