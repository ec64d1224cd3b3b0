/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies between the pages of a disk or cache and those of a bio. */
#ifndef _RX_MEMCPY_H
#define _RX_MEMCPY_H

#include <linux/align.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#include <asm/cpufeature.h>
#endif

/* The sanitizers check accesses of memcpy(), but not those of copy_page(). */
#define RX_COPY_PAGE	(!IS_ENABLED(CONFIG_KASAN) && !IS_ENABLED(CONFIG_KCSAN) && \
			 !IS_ENABLED(CONFIG_KMSAN))

/*
 * Does what memcpy() does, but copies whole pages with copy_page(). On x86 without
 * FSRM, where memcpy() of newer kernels is a loop of loads and stores, copy_page()
 * takes a third of the instructions and about half the time. Context: any.
 */
static inline void rx_memcpy(void *dst, const void *src, unsigned int len)
{
	if (!RX_COPY_PAGE || !IS_ALIGNED(len, PAGE_SIZE) ||
	    !PAGE_ALIGNED(dst) || !PAGE_ALIGNED(src)) {
		memcpy(dst, src, len);
		return;
	}
	for (; len; len -= PAGE_SIZE) {
		copy_page(dst, (void *)src);
		dst += PAGE_SIZE;
		src += PAGE_SIZE;
	}
}

/*
 * Returns whether copy_mc_to_kernel() is memcpy(). It is on processors without ERMS,
 * unless they were booted with mce=recovery, which no module can see; see rxcache(4).
 */
static inline bool rx_mc_is_memcpy(void)
{
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	return !boot_cpu_has(X86_FEATURE_ERMS);
#else
	return false;
#endif
}

/*
 * Copies from memory of a disk or cache that may have an error. Return: how many bytes
 * were not copied because the processor found an error in them. Context: any.
 */
static inline unsigned int rx_memcpy_mc(void *dst, const void *src, unsigned int len)
{
	if (rx_mc_is_memcpy()) {
		rx_memcpy(dst, src, len);
		return 0;
	}
	return copy_mc_to_kernel(dst, src, len);
}

/* Returns whether the kernel has marked one of 2^@order pages as failed memory. Context: any. */
static inline bool rx_pages_poisoned(struct page *page, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < 1U << order; i++)
		if (PageHWPoison(page + i))
			return true;
	return false;
}

/*
 * Reports the page in which rx_memcpy_mc() found an error. A worker of the kernel marks it
 * later. The page must not be freed and used again before that, so this takes a reference
 * that is never dropped. Context: any.
 */
static inline void rx_memory_failed(struct page *page)
{
	if (IS_ENABLED(CONFIG_MEMORY_FAILURE)) {
		get_page(page);
		memory_failure_queue(page_to_pfn(page), 0);
	}
}

#endif
