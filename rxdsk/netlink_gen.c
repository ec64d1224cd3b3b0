// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxdsk.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/rxdsk.h>

/* RXDSK_CMD_DISK_GET - do */
const struct nla_policy rxdsk_disk_get_nl_policy[RXDSK_A_DISK_NAME + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* RXDSK_CMD_DISK_NEW - do */
const struct nla_policy rxdsk_disk_new_nl_policy[RXDSK_A_DISK_VALIDATE + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_SIZE] = { .type = NLA_U64, },
	[RXDSK_A_DISK_BLOCK_SIZE] = { .type = NLA_U32, },
	[RXDSK_A_DISK_QUEUES] = NLA_POLICY_MIN(NLA_U32, 1),
	[RXDSK_A_DISK_QUEUE_MODE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXDSK_A_DISK_PREALLOC] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXDSK_A_DISK_NODE] = { .type = NLA_U32, },
	[RXDSK_A_DISK_INTERLEAVE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXDSK_A_DISK_ZERO_DETECT] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXDSK_A_DISK_LIMIT] = { .type = NLA_U64, },
	[RXDSK_A_DISK_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXDSK_CMD_DISK_DEL - do */
const struct nla_policy rxdsk_disk_del_nl_policy[RXDSK_A_DISK_VALIDATE + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXDSK_CMD_DISK_RESIZE - do */
const struct nla_policy rxdsk_disk_resize_nl_policy[RXDSK_A_DISK_VALIDATE + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_SIZE] = { .type = NLA_U64, },
	[RXDSK_A_DISK_SHRINK] = { .type = NLA_FLAG, },
	[RXDSK_A_DISK_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXDSK_CMD_DISK_ERASE - do */
const struct nla_policy rxdsk_disk_erase_nl_policy[RXDSK_A_DISK_VALIDATE + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXDSK_CMD_DISK_EXTENTS - do */
const struct nla_policy rxdsk_disk_extents_nl_policy[RXDSK_A_DISK_CURSOR + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_CURSOR] = { .type = NLA_U64, },
};

/* RXDSK_CMD_DISK_SET - do */
const struct nla_policy rxdsk_disk_set_nl_policy[RXDSK_A_DISK_VALIDATE + 1] = {
	[RXDSK_A_DISK_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXDSK_A_DISK_LIMIT] = { .type = NLA_U64, },
	[RXDSK_A_DISK_VALIDATE] = { .type = NLA_FLAG, },
};

/* Ops table for rxdsk */
const struct genl_ops rxdsk_nl_ops[7] = {
	{
		.cmd		= RXDSK_CMD_DISK_GET,
		.doit		= rxdsk_nl_disk_get_doit,
		.dumpit		= rxdsk_nl_disk_get_dumpit,
		.policy		= rxdsk_disk_get_nl_policy,
		.maxattr	= RXDSK_A_DISK_NAME,
	},
	{
		.cmd		= RXDSK_CMD_DISK_NEW,
		.doit		= rxdsk_nl_disk_new_doit,
		.policy		= rxdsk_disk_new_nl_policy,
		.maxattr	= RXDSK_A_DISK_VALIDATE,
	},
	{
		.cmd		= RXDSK_CMD_DISK_DEL,
		.doit		= rxdsk_nl_disk_del_doit,
		.policy		= rxdsk_disk_del_nl_policy,
		.maxattr	= RXDSK_A_DISK_VALIDATE,
	},
	{
		.cmd		= RXDSK_CMD_DISK_RESIZE,
		.doit		= rxdsk_nl_disk_resize_doit,
		.policy		= rxdsk_disk_resize_nl_policy,
		.maxattr	= RXDSK_A_DISK_VALIDATE,
	},
	{
		.cmd		= RXDSK_CMD_DISK_ERASE,
		.doit		= rxdsk_nl_disk_erase_doit,
		.policy		= rxdsk_disk_erase_nl_policy,
		.maxattr	= RXDSK_A_DISK_VALIDATE,
	},
	{
		.cmd		= RXDSK_CMD_DISK_EXTENTS,
		.doit		= rxdsk_nl_disk_extents_doit,
		.policy		= rxdsk_disk_extents_nl_policy,
		.maxattr	= RXDSK_A_DISK_CURSOR,
	},
	{
		.cmd		= RXDSK_CMD_DISK_SET,
		.doit		= rxdsk_nl_disk_set_doit,
		.policy		= rxdsk_disk_set_nl_policy,
		.maxattr	= RXDSK_A_DISK_VALIDATE,
	},
};

const struct genl_multicast_group rxdsk_nl_mcgrps[1] = {
	[RXDSK_NLGRP_MONITOR] = { "monitor", },
};
