// SPDX-License-Identifier: GPL-2.0-only
/* Copies between pages of the cache and a user's bio. */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <rx/memcpy.h>
#include "block.h"
#include "io/copy.h"

/*
 * Copies from memory that may have an error. The kernel has marked the page if it knows
 * the error; otherwise the processor finds the error during the copy. Returns whether
 * the copy is whole. Context: any.
 */
static bool copy_out(void *dst, const void *src, unsigned int len,
		     struct page *page)
{
	if (unlikely(PageHWPoison(page)))
		return false;
	if (likely(!rx_memcpy_mc(dst, src, len)))
		return true;
	rx_memory_failed(page);
	return false;
}

bool rxc_copy_page(struct page *to, struct page *from)
{
	void *dst = kmap_local_page(to), *src = kmap_local_page(from);
	bool whole = copy_out(dst, src, PAGE_SIZE, from);

	kunmap_local(src);
	kunmap_local(dst);
	return whole;
}

bool rxc_copy_to_bio(struct bio *bio, struct bvec_iter *iter,
		     struct page *page, unsigned int offset, unsigned int len)
{
	struct bvec_iter at = *iter;

	rxc_iter_moved(&at, len);
	while (len) {
		struct bio_vec bv = bio_iter_iovec(bio, at);
		unsigned int n = min3(len, bv.bv_len,
				      (unsigned int)(PAGE_SIZE - offset_in_page(offset)));
		void *dst = bvec_kmap_local(&bv);
		struct page *from = page + (offset >> PAGE_SHIFT);
		void *src = kmap_local_page(from);
		bool whole = copy_out(dst, src + offset_in_page(offset), n, from);

		kunmap_local(src);
		flush_dcache_page(bv.bv_page);
		kunmap_local(dst);
		if (unlikely(!whole))
			return false;
		rxc_iter_step(bio, &at, n);
		offset += n;
		len -= n;
	}
	*iter = at;
	return true;
}

void rxc_copy_from_bio(struct bio *bio, struct bvec_iter *iter,
		       struct page *page, unsigned int offset,
		       unsigned int len)
{
	rxc_iter_moved(iter, len);
	while (len) {
		struct bio_vec bv = bio_iter_iovec(bio, *iter);
		unsigned int n = min3(len, bv.bv_len,
				      (unsigned int)(PAGE_SIZE - offset_in_page(offset)));
		void *src = bvec_kmap_local(&bv);
		void *dst = kmap_local_page(page + (offset >> PAGE_SHIFT));

		rx_memcpy(dst + offset_in_page(offset), src, n);
		kunmap_local(dst);
		kunmap_local(src);
		rxc_iter_step(bio, iter, n);
		offset += n;
		len -= n;
	}
}
