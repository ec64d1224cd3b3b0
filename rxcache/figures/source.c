// SPDX-License-Identifier: GPL-2.0-only
/*
 * The source of reads: the page cache, or a caller with its own memory. If the page cache
 * reads much, the memory may be of more use to the page cache than to this cache.
 */
#include <linux/bio.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include "cache.h"
#include "figures/source.h"
#include "figures/stats.h"

enum {
	/* A folio whose mapping has one of these lowest bits set belongs to no file. */
	NO_FILE = 3,
};

/*
 * Returns whether the page cache is filling the folio of @page. Such a folio belongs to a
 * file and is locked until it is filled. Memory of a process belongs to no file, or to a
 * file that the process has mapped, and then the folio is not locked. A driver may pass
 * any page. A slab page has other data in the place of the mapping, so slab pages are left
 * out. The mapping of any other page is compared as a number and never followed. The
 * flags can be read, because the bio holds the page until the bio ends.
 */
static bool is_filling(struct page *page)
{
	struct folio *folio = page_folio(page);
	unsigned long mapping;

	if (folio_test_slab(folio) || !folio_test_locked(folio))
		return false;
	mapping = (unsigned long)READ_ONCE(folio->mapping);
	return mapping && !(mapping & NO_FILE);
}

/* Counts the source of a read that has not ended. Context: any. */
void rxc_source_look(struct rxc_cache *cache, const struct bio *bio)
{
	rxc_count(cache, RXC_SOURCE_SAMPLED, 1);
	if (is_filling(bio_page(bio)))
		rxc_count(cache, RXC_SOURCE_BUFFERED, 1);
}
