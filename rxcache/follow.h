/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of an origin that changes. */
#ifndef _RXC_FOLLOW_H
#define _RXC_FOLLOW_H

#include <linux/blkdev.h>
#include "map.h"

/* Whether the origin has another size than follow.c last applied. Context: any. */
static inline bool rxc_follow_due(const struct rxc_map *map)
{
	return bdev_nr_sectors(map->origin.bdev) != READ_ONCE(map->origin_sectors);
}

sector_t rxc_follow_note(struct rxc_map *map);	/* any context */
void rxc_follow(struct rxc_map *map);		/* may sleep; rxc_mutex */

#endif
