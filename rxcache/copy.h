/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes between pages of the cache and a user's bio. A copy out of the cache may meet
 * an error of its memory; a copy into it has the user's bytes.
 */
#ifndef _RXC_COPY_H
#define _RXC_COPY_H

#include <linux/blk_types.h>
#include <linux/compiler.h>

struct page;

/*
 * Copies from @offset of a block's pages into a bio. @iter moves on by @len, whole
 * sectors. Returns false at an error of the memory of @page, and leaves @iter as it
 * was. Context: any.
 */
bool __must_check rxc_copy_to_bio(struct bio *bio, struct bvec_iter *iter,
				  struct page *page, unsigned int offset,
				  unsigned int len);

/* Copies from a bio into a block's pages. @iter moves on by @len. Context: any. */
void rxc_copy_from_bio(struct bio *bio, struct bvec_iter *iter,
		       struct page *page, unsigned int offset, unsigned int len);

/* Copies a page. Returns false at an error of @from's memory. Context: any. */
bool __must_check rxc_copy_page(struct page *to, struct page *from);

#endif
