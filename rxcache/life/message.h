/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of the netlink family: a cache as attributes, and events. */
#ifndef _RXC_MESSAGE_H
#define _RXC_MESSAGE_H

#include <linux/types.h>
#include <uapi/linux/rxcache.h>

struct genl_family;
struct rxc_cache;
struct rxc_pool;
struct sk_buff;

extern struct genl_family rxc_family;

int rxc_message_init(void);
void rxc_message_exit(void);

/* Context: process, may sleep, under rxc_mutex. */
int rxc_message_fill(struct sk_buff *msg, struct rxc_cache *cache, void *hdr);
void rxc_notify(struct rxc_cache *cache, u8 cmd);
void rxc_notify_change(struct rxc_cache *cache, enum rxcache_cause cause);
void rxc_notify_sharers(const struct rxc_pool *pool, enum rxcache_cause cause);

#endif
