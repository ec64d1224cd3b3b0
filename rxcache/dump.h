/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of the blocks that a cache holds. */
#ifndef _RXC_DUMP_H
#define _RXC_DUMP_H

struct genl_info;
struct rxc_map;

/*
 * Answers cache-blocks for a cache that has an index. Context: process, under rxc_mutex.
 * 0 or an errno with its text.
 */
int rxc_dump_reply(struct genl_info *info, struct rxc_map *map);

#endif
