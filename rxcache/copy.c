// SPDX-License-Identifier: GPL-2.0-only
/* Copies between pages of the cache and a user's bio. */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#include <asm/cpufeature.h>
#endif
#include <rx/memcpy.h>
#include "block.h"
#include "copy.h"

/*
 * Returns whether copy_mc_to_kernel() is memcpy(). It is on processors without ERMS,
 * unless they were booted with mce=recovery, which no module can see; see rxcache(4).
 */
static bool mc_is_memcpy(void)
{
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	return !boot_cpu_has(X86_FEATURE_ERMS);
#else
	return false;
#endif
}

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
	if (mc_is_memcpy()) {
		rx_memcpy(dst, src, len);
		return true;
	}
	if (likely(!copy_mc_to_kernel(dst, src, len)))
		return true;
	/*
	 * A worker marks the page later. It must not be freed and used again before that,
	 * so this reference is never dropped.
	 */
	if (IS_ENABLED(CONFIG_MEMORY_FAILURE)) {
		get_page(page);
		memory_failure_queue(page_to_pfn(page), 0);
	}
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
