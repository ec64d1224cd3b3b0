/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of the blocks that a cache holds. */
#ifndef _RXC_DUMP_H
#define _RXC_DUMP_H

struct genl_info;
struct rxc_cache;

/*
 * Answers cache-blocks for a cache that has an index. Returns 0 or an errno. Context:
 * process, may sleep, under rxc_mutex.
 */
int rxc_dump_reply(struct genl_info *info, struct rxc_cache *cache);

#endif
