// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxcache.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/rxcache.h>

/* RXCACHE_CMD_MAP_GET - do */
const struct nla_policy rxcache_map_get_nl_policy[RXCACHE_A_MAP_NAME + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* RXCACHE_CMD_MAP_NEW - do */
const struct nla_policy rxcache_map_new_nl_policy[RXCACHE_A_MAP_READ_ONLY + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_MAP_DISK] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_MAP_ORIGIN] = { .type = NLA_NUL_STRING, .len = 4095, },
	[RXCACHE_A_MAP_BLOCK_SIZE] = { .type = NLA_U32, },
	[RXCACHE_A_MAP_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RXCACHE_A_MAP_POLICY] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_MAP_WRITE_ALLOCATE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_MAP_ERASE] = { .type = NLA_FLAG, },
	[RXCACHE_A_MAP_OWN_DISK] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_MAP_FLOOR] = { .type = NLA_U64, },
	[RXCACHE_A_MAP_READ_ONLY] = NLA_POLICY_MAX(NLA_U8, 1),
};

/* RXCACHE_CMD_MAP_DEL - do */
const struct nla_policy rxcache_map_del_nl_policy[RXCACHE_A_MAP_NAME + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* RXCACHE_CMD_MAP_FLUSH - do */
const struct nla_policy rxcache_map_flush_nl_policy[RXCACHE_A_MAP_NAME + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* RXCACHE_CMD_MAP_SET - do */
const struct nla_policy rxcache_map_set_nl_policy[RXCACHE_A_MAP_FLOOR + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_MAP_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RXCACHE_A_MAP_WRITE_ALLOCATE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_MAP_FLOOR] = { .type = NLA_U64, },
};

/* RXCACHE_CMD_MAP_VERIFY - do */
const struct nla_policy rxcache_map_verify_nl_policy[RXCACHE_A_MAP_STOP + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_MAP_SAMPLE] = NLA_POLICY_RANGE(NLA_U32, 1, 10000),
	[RXCACHE_A_MAP_STOP] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_MAP_RESET_STATS - do */
const struct nla_policy rxcache_map_reset_stats_nl_policy[RXCACHE_A_MAP_NAME + 1] = {
	[RXCACHE_A_MAP_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* Ops table for rxcache */
const struct genl_ops rxcache_nl_ops[7] = {
	{
		.cmd		= RXCACHE_CMD_MAP_GET,
		.doit		= rxcache_nl_map_get_doit,
		.dumpit		= rxcache_nl_map_get_dumpit,
		.policy		= rxcache_map_get_nl_policy,
		.maxattr	= RXCACHE_A_MAP_NAME,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_NEW,
		.doit		= rxcache_nl_map_new_doit,
		.policy		= rxcache_map_new_nl_policy,
		.maxattr	= RXCACHE_A_MAP_READ_ONLY,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_DEL,
		.doit		= rxcache_nl_map_del_doit,
		.policy		= rxcache_map_del_nl_policy,
		.maxattr	= RXCACHE_A_MAP_NAME,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_FLUSH,
		.doit		= rxcache_nl_map_flush_doit,
		.policy		= rxcache_map_flush_nl_policy,
		.maxattr	= RXCACHE_A_MAP_NAME,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_SET,
		.doit		= rxcache_nl_map_set_doit,
		.policy		= rxcache_map_set_nl_policy,
		.maxattr	= RXCACHE_A_MAP_FLOOR,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_VERIFY,
		.doit		= rxcache_nl_map_verify_doit,
		.policy		= rxcache_map_verify_nl_policy,
		.maxattr	= RXCACHE_A_MAP_STOP,
	},
	{
		.cmd		= RXCACHE_CMD_MAP_RESET_STATS,
		.doit		= rxcache_nl_map_reset_stats_doit,
		.policy		= rxcache_map_reset_stats_nl_policy,
		.maxattr	= RXCACHE_A_MAP_NAME,
	},
};

const struct genl_multicast_group rxcache_nl_mcgrps[1] = {
	[RXCACHE_NLGRP_MONITOR] = { "monitor", },
};
