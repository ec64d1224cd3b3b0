// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the pages of the kernel's own, in use, that begin with the word @stamp, and
 * prints their frame numbers. Loading it always fails, so that it can be done again.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

static unsigned long long stamp;
module_param(stamp, ullong, 0);
MODULE_PARM_DESC(stamp, "first eight bytes of the pages that are looked for");

static bool begins_with_stamp(struct page *page)
{
	u64 word;

	if (page_count(compound_head(page)) != 1 || PageReserved(page) || PageLRU(page) ||
	    PageSlab(page))
		return false;
	return !copy_from_kernel_nofault(&word, page_address(page), sizeof(word)) &&
	       word == stamp;
}

static int __init rxtpoison_init(void)
{
	unsigned long pfn;
	struct page *page;

	for (pfn = 0; pfn < 1UL << (34 - PAGE_SHIFT); pfn++) {
		page = pfn_to_online_page(pfn);
		if (page && begins_with_stamp(page))
			pr_info("rxtpoison: %#llx at %#lx\n", stamp, pfn);
		if (!(pfn % 1024))
			cond_resched();
	}
	return -EAGAIN;
}
module_init(rxtpoison_init);

MODULE_DESCRIPTION("Finds pages by what is in them, for tests");
MODULE_LICENSE("GPL");
