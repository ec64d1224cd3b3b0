/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxdsk.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_RXDSK_GEN_H
#define _LINUX_RXDSK_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/rxdsk.h>

extern const struct nla_policy rxdsk_disk_get_nl_policy[RXDSK_A_DISK_NAME + 1];

extern const struct nla_policy rxdsk_disk_new_nl_policy[RXDSK_A_DISK_VALIDATE + 1];

extern const struct nla_policy rxdsk_disk_del_nl_policy[RXDSK_A_DISK_VALIDATE + 1];

extern const struct nla_policy rxdsk_disk_resize_nl_policy[RXDSK_A_DISK_VALIDATE + 1];

extern const struct nla_policy rxdsk_disk_erase_nl_policy[RXDSK_A_DISK_VALIDATE + 1];

extern const struct nla_policy rxdsk_disk_extents_nl_policy[RXDSK_A_DISK_CURSOR + 1];

extern const struct nla_policy rxdsk_disk_set_nl_policy[RXDSK_A_DISK_VALIDATE + 1];

/* Ops table for rxdsk */
extern const struct genl_ops rxdsk_nl_ops[7];
extern const struct genl_multicast_group rxdsk_nl_mcgrps[1];

int rxdsk_nl_disk_get_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int rxdsk_nl_disk_new_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_del_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_resize_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_erase_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_extents_doit(struct sk_buff *skb, struct genl_info *info);
int rxdsk_nl_disk_set_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	RXDSK_NLGRP_MONITOR,
};

#endif /* _LINUX_RXDSK_GEN_H */
