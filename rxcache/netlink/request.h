/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the requests of the netlink family: permission, the cache, and the reply. */
#ifndef _RXC_REQUEST_H
#define _RXC_REQUEST_H

#include <linux/types.h>

struct genl_info;
struct nlattr;
struct rxc_bounds;
struct rxc_cache;
struct sk_buff;

/* Returns @err and puts @why, a constant, into the reply. */
int rxc_refuse(struct genl_info *info, int err, const char *why);
int rxc_check_admin(struct sk_buff *skb, struct genl_info *info);

/*
 * Whether a request is to be carried out. One with "validate" takes the same locks and meets
 * the same checks, and ends where the first thing would change.
 */
bool rxc_commits(const struct genl_info *info);

/* Changes the bounds that a request names. 0 or an errno with its text. */
int rxc_request_bounds(struct genl_info *info, struct rxc_bounds *bounds);
bool rxc_request_has_bounds(struct nlattr **attrs);

/*
 * Refuse a block size, a distance to read ahead or a size that is out of range. Only a check
 * of a cache on a disk that is not made yet has a size. 0 or an errno with its text.
 */
int rxc_request_block(struct genl_info *info);
int rxc_request_ahead(struct genl_info *info);
int rxc_request_size(struct genl_info *info);

/* Context: process, may sleep. A caller that sends a cache holds rxc_mutex. */
struct sk_buff *rxc_reply_new(struct genl_info *info);
int rxc_reply_send(struct sk_buff *msg, struct genl_info *info,
		   struct rxc_cache *cache);
int rxc_reply_with(struct genl_info *info, struct rxc_cache *cache);

/* Under rxc_mutex, which the caller holds for as long as it uses the cache. */
struct rxc_cache *rxc_cache_named(struct genl_info *info, int *err);
struct rxc_cache *rxc_cache_named_live(struct genl_info *info, int *err);

/*
 * Loads the compressor that a request names, in which the kernel may take its time, and refuses
 * a request whose compressor or @block, 0 if not given, does not do. Called before rxc_mutex is
 * taken, for a request that may change something. 0 or an errno with its text.
 */
int rxc_request_codec(struct genl_info *info, u32 block);

/* Sets what a request says of compression, or only checks it. Likewise, under rxc_mutex. */
int rxc_request_compress(struct genl_info *info, struct rxc_cache *cache);

#endif
