/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies between the pages of a disk or cache and those of a bio. */
#ifndef _RX_MEMCPY_H
#define _RX_MEMCPY_H

#include <linux/align.h>
#include <linux/mm.h>
#include <linux/string.h>

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

#endif
