/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies between pages of the cache and a user's bio. Only a copy out of the cache
 * looks for memory errors.
 */
#ifndef _RXC_COPY_H
#define _RXC_COPY_H

#include <linux/bio.h>
#include <linux/compiler.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include "block.h"

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

/*
 * Does what rxc_copy_to_bio() does, with half the instructions around the copy if one page of
 * the cache becomes one page of the bio, as in most hits. Context: any.
 */
static __always_inline bool rxc_copy_hit(struct bio *bio, struct bvec_iter *iter,
					 struct page *page, unsigned int offset,
					 unsigned int len)
{
	struct page *to;
	bool whole;

	if (len != PAGE_SIZE || offset || bvec_iter_offset(bio->bi_io_vec, *iter) ||
	    mp_bvec_iter_len(bio->bi_io_vec, *iter) < PAGE_SIZE)
		return rxc_copy_to_bio(bio, iter, page, offset, len);
	to = bvec_iter_page(bio->bi_io_vec, *iter);
	whole = rxc_copy_page(to, page);
	flush_dcache_page(to);
	if (unlikely(!whole))
		return false;
	rxc_iter_moved(iter, PAGE_SIZE);
	rxc_iter_step(bio, iter, PAGE_SIZE);
	return true;
}

#endif
