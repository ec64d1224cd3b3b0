/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of compressed blocks. They decompress into a lane in the reader's context and copy
 * from there, because another task may change the reader's own page meanwhile. A block whose
 * memory has failed is dropped, and counted, and so is not cached.
 */
#ifndef _RXC_UNPACK_H
#define _RXC_UNPACK_H

#include <linux/bvec.h>
#include <linux/types.h>

struct bio;
struct page;
struct rxc_cache;

/*
 * Copies the blocks at the front of @iter that are compressed, and moves @iter on. Returns how
 * many, which the caller counts. Context: process, sleeps not.
 */
unsigned int rxc_unpack_hits(struct rxc_cache *cache, struct bio *bio,
			     struct bvec_iter *iter);

/*
 * Decompresses a block into @to, if it is compressed. Returns whether it did. No hit for the
 * policy. Context: as above.
 */
bool rxc_unpack_block(struct rxc_cache *cache, u64 block, struct page *to);

/*
 * Does the same with @page, the bin of the block, to which the caller has a reference. A block
 * whose memory has failed is dropped. Context: as above.
 */
bool rxc_unpack_from(struct rxc_cache *cache, struct page *page, u64 block, struct page *to);

#endif
