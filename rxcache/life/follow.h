/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of an origin that changes. */
#ifndef _RXC_FOLLOW_H
#define _RXC_FOLLOW_H

struct rxc_map;

void rxc_follow(struct rxc_map *map);		/* may sleep; rxc_mutex */

#endif
