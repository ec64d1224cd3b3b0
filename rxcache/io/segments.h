/* SPDX-License-Identifier: GPL-2.0-only */
/* What the origin takes as one request. */
#ifndef _RXC_SEGMENTS_H
#define _RXC_SEGMENTS_H

#include <linux/bio.h>
#include <linux/blkdev.h>

struct rxc_cache;

/* Context: any. */
unsigned int rxc_segments_block(const struct rxc_cache *cache);
unsigned int rxc_segments_room(const struct rxc_cache *cache, u64 sector);
bool rxc_segments_hold(const struct rxc_cache *cache, const struct bio *bio);
bool rxc_segments_fit(const struct rxc_cache *cache, const struct bio *bio);

#endif
