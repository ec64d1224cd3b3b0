/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads of blocks that are not cached. */
#ifndef _RXC_MISS_H
#define _RXC_MISS_H

#include "io/io.h"

u64 rxc_miss_most(const struct rxc_cache *cache, u64 first, bool whole);
u64 rxc_miss_count(struct rxc_cache *cache, struct bvec_iter iter, u64 most);
enum rxc_begun rxc_miss_read(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp);

#endif
