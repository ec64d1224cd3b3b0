// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtflip.ko: flips a bit of the first block in each bin of compressed blocks, as failing
 * memory would, or with @look only prints the bins. Loading it fails with ENOENT if it finds
 * no bin.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include "packed/bin.h"

static unsigned int flipped;
module_param(flipped, uint, 0444);

static bool look;
module_param(look, bool, 0);
MODULE_PARM_DESC(look, "print frame number and order of each bin");

/* No other page has a number like that: a pointer, for one, has more bits set. */
static bool is_bin(struct page *page)
{
	unsigned long users = READ_ONCE(page->private) ^ RXC_BIN;

	return users && users <= RXC_BIN_BLOCKS + 1 && page_count(page) &&
	       compound_order(page) <= RXC_BIN_ORDER;
}

static int __init flip_init(void)
{
	unsigned long pfn, end = 2 * totalram_pages();

	for (pfn = 0; pfn < end; pfn++) {
		struct page *page = pfn_valid(pfn) ? pfn_to_page(pfn) : NULL;
		u8 *at;

		if (!page || PageTail(page) || !is_bin(page))
			continue;
		flipped++;
		if (look) {
			pr_info("rxtflip: bin %#lx %u\n", pfn, compound_order(page));
			continue;
		}
		/* A bin has the bytes of its first block at its end. */
		at = page_address(page) + (PAGE_SIZE << compound_order(page));
		at[-1] ^= 0x10;
		cond_resched();
	}
	pr_info("rxtflip: %u bins\n", flipped);
	return flipped ? 0 : -ENOENT;
}

static void __exit flip_exit(void)
{
}

module_init(flip_init);
module_exit(flip_exit);
MODULE_DESCRIPTION("Damages compressed blocks of caches, for tests");
MODULE_LICENSE("GPL");
