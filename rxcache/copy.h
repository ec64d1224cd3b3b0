/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes between pages of the cache and a user's bio. What is copied out of the
 * cache may meet an error of its memory; what is copied in comes from the user.
 */
#ifndef _RXC_COPY_H
#define _RXC_COPY_H

#include <linux/blk_types.h>
#include <linux/compiler.h>

struct page;

/*
 * From @offset of a block's pages into a bio. Context: any. @iter moves on by @len,
 * whole sectors. @fresh: the device has just written the page. Returns false at an
 * error of the memory that @page is in, with @iter where it was.
 */
bool __must_check rxc_copy_to_bio(struct bio *bio, struct bvec_iter *iter,
				  struct page *page, unsigned int offset,
				  unsigned int len, bool fresh);

/* The other way. Context: any. @iter moves on by @len, whole sectors. */
void rxc_copy_from_bio(struct bio *bio, struct bvec_iter *iter,
		       struct page *page, unsigned int offset, unsigned int len);

/* One page to another. Context: any. Returns false at an error of @from's memory. */
bool __must_check rxc_copy_page(struct page *to, struct page *from);

#endif
