/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxcache.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_RXCACHE_GEN_H
#define _LINUX_RXCACHE_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/rxcache.h>

extern const struct nla_policy rxcache_cache_get_nl_policy[RXCACHE_A_CACHE_NAME + 1];

extern const struct nla_policy rxcache_cache_new_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1];

extern const struct nla_policy rxcache_cache_del_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_drop_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_set_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1];

extern const struct nla_policy rxcache_cache_verify_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_reset_stats_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_pin_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_unpin_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1];

extern const struct nla_policy rxcache_cache_blocks_nl_policy[RXCACHE_A_CACHE_CURSOR + 1];

extern const struct nla_policy rxcache_cache_weigh_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1];

/* Ops table for rxcache */
extern const struct genl_ops rxcache_nl_ops[11];
extern const struct genl_multicast_group rxcache_nl_mcgrps[1];

int rxcache_nl_cache_get_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int rxcache_nl_cache_new_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_del_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_drop_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_set_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_verify_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_reset_stats_doit(struct sk_buff *skb,
				      struct genl_info *info);
int rxcache_nl_cache_pin_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_unpin_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_blocks_doit(struct sk_buff *skb, struct genl_info *info);
int rxcache_nl_cache_weigh_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	RXCACHE_NLGRP_MONITOR,
};

#endif /* _LINUX_RXCACHE_GEN_H */
