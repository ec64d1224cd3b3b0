// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxcache.yaml */
/* YNL-GEN kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/rxcache.h>

/* RXCACHE_CMD_CACHE_GET - do */
const struct nla_policy rxcache_cache_get_nl_policy[RXCACHE_A_CACHE_NAME + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
};

/* RXCACHE_CMD_CACHE_NEW - do */
const struct nla_policy rxcache_cache_new_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_DISK] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_ORIGIN] = { .type = NLA_NUL_STRING, .len = 4095, },
	[RXCACHE_A_CACHE_SIZE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_BLOCK_SIZE] = { .type = NLA_U32, },
	[RXCACHE_A_CACHE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RXCACHE_A_CACHE_WRITE_ALLOCATE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_CACHE_ERASE] = { .type = NLA_FLAG, },
	[RXCACHE_A_CACHE_OWN_DISK] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_CACHE_FLOOR] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_READ_ONLY] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_CACHE_MIN_SHARE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_MAX_SHARE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_MIN_SHARE_PERCENT] = NLA_POLICY_MAX(NLA_U32, 100),
	[RXCACHE_A_CACHE_MAX_SHARE_PERCENT] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RXCACHE_A_CACHE_READ_AHEAD] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_COMPRESS] = NLA_POLICY_MAX(NLA_U32, 3),
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_DEL - do */
const struct nla_policy rxcache_cache_del_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_DROP - do */
const struct nla_policy rxcache_cache_drop_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_SET - do */
const struct nla_policy rxcache_cache_set_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[RXCACHE_A_CACHE_WRITE_ALLOCATE] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_CACHE_FLOOR] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_SIZE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_FROZEN] = NLA_POLICY_MAX(NLA_U8, 1),
	[RXCACHE_A_CACHE_MIN_SHARE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_MAX_SHARE] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_MIN_SHARE_PERCENT] = NLA_POLICY_MAX(NLA_U32, 100),
	[RXCACHE_A_CACHE_MAX_SHARE_PERCENT] = NLA_POLICY_RANGE(NLA_U32, 1, 100),
	[RXCACHE_A_CACHE_READ_AHEAD] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_COMPRESS] = NLA_POLICY_MAX(NLA_U32, 3),
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_VERIFY - do */
const struct nla_policy rxcache_cache_verify_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_SAMPLE] = NLA_POLICY_RANGE(NLA_U32, 1, RXCACHE_SAMPLE_MAX),
	[RXCACHE_A_CACHE_STOP] = { .type = NLA_FLAG, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_RESET_STATS - do */
const struct nla_policy rxcache_cache_reset_stats_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_PIN - do */
const struct nla_policy rxcache_cache_pin_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_OFFSET] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_LENGTH] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_UNPIN - do */
const struct nla_policy rxcache_cache_unpin_nl_policy[RXCACHE_A_CACHE_VALIDATE + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_OFFSET] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_LENGTH] = { .type = NLA_U64, },
	[RXCACHE_A_CACHE_VALIDATE] = { .type = NLA_FLAG, },
};

/* RXCACHE_CMD_CACHE_BLOCKS - do */
const struct nla_policy rxcache_cache_blocks_nl_policy[RXCACHE_A_CACHE_CURSOR + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_CURSOR] = { .type = NLA_U64, },
};

/* RXCACHE_CMD_CACHE_WEIGH - do */
const struct nla_policy rxcache_cache_weigh_nl_policy[RXCACHE_A_CACHE_COMPRESS + 1] = {
	[RXCACHE_A_CACHE_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[RXCACHE_A_CACHE_COMPRESS] = NLA_POLICY_MAX(NLA_U32, 3),
};

/* Ops table for rxcache */
const struct genl_ops rxcache_nl_ops[11] = {
	{
		.cmd		= RXCACHE_CMD_CACHE_GET,
		.doit		= rxcache_nl_cache_get_doit,
		.dumpit		= rxcache_nl_cache_get_dumpit,
		.policy		= rxcache_cache_get_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_NAME,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_NEW,
		.doit		= rxcache_nl_cache_new_doit,
		.policy		= rxcache_cache_new_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_COMPRESS,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_DEL,
		.doit		= rxcache_nl_cache_del_doit,
		.policy		= rxcache_cache_del_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_DROP,
		.doit		= rxcache_nl_cache_drop_doit,
		.policy		= rxcache_cache_drop_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_SET,
		.doit		= rxcache_nl_cache_set_doit,
		.policy		= rxcache_cache_set_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_COMPRESS,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_VERIFY,
		.doit		= rxcache_nl_cache_verify_doit,
		.policy		= rxcache_cache_verify_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_RESET_STATS,
		.doit		= rxcache_nl_cache_reset_stats_doit,
		.policy		= rxcache_cache_reset_stats_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_PIN,
		.doit		= rxcache_nl_cache_pin_doit,
		.policy		= rxcache_cache_pin_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_UNPIN,
		.doit		= rxcache_nl_cache_unpin_doit,
		.policy		= rxcache_cache_unpin_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_VALIDATE,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_BLOCKS,
		.doit		= rxcache_nl_cache_blocks_doit,
		.policy		= rxcache_cache_blocks_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_CURSOR,
	},
	{
		.cmd		= RXCACHE_CMD_CACHE_WEIGH,
		.doit		= rxcache_nl_cache_weigh_doit,
		.policy		= rxcache_cache_weigh_nl_policy,
		.maxattr	= RXCACHE_A_CACHE_COMPRESS,
	},
};

const struct genl_multicast_group rxcache_nl_mcgrps[1] = {
	[RXCACHE_NLGRP_MONITOR] = { "monitor", },
};
