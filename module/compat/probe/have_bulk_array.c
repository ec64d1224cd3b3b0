// SPDX-License-Identifier: GPL-2.0-only
/* Up to Linux 6.13: pages are allocated in bulk into lists or arrays. */
#include <linux/gfp.h>

unsigned long rx_probe(struct page **pages);
unsigned long rx_probe(struct page **pages)
{
	return alloc_pages_bulk_array(GFP_NOWAIT, 2, pages);
}
