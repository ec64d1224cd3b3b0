/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies between pages of the cache and a user's bio. Only a copy out of the cache
 * looks for memory errors.
 */
#ifndef _RXC_COPY_H
#define _RXC_COPY_H

#include <linux/blk_types.h>
#include <linux/compiler.h>

struct page;

/*
 * Copies @len bytes, whole sectors, from @offset of a block's pages into a bio, and
 * moves @iter on by @len. Returns false at a memory error of these pages, and then
 * leaves @iter as it was. Context: any.
 */
bool __must_check rxc_copy_to_bio(struct bio *bio, struct bvec_iter *iter,
				  struct page *page, unsigned int offset,
				  unsigned int len);

/* Copies from a bio into a block's pages, and moves @iter on by @len. Context: any. */
void rxc_copy_from_bio(struct bio *bio, struct bvec_iter *iter,
		       struct page *page, unsigned int offset, unsigned int len);

/* Copies a page. Returns false at a memory error of @from. Context: any. */
bool __must_check rxc_copy_page(struct page *to, struct page *from);

#endif
