// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where reads come from: the page cache, or somebody with memory of his own. If
 * the page cache reads much, it may make better use of the memory.
 */
#include <linux/bio.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include "map.h"
#include "source.h"
#include "stats.h"

enum {
	/* The lowest bits of a folio's mapping say when it is no file's. */
	NO_FILE = 3,
};

/*
 * A folio that the page cache is filling belongs to a file and is locked until
 * that is done. A process's memory belongs to none, or is a file's that it has
 * mapped and nobody has locked. A driver's page is any page: one of a slab has
 * something else where others have the mapping, and of the rest the mapping is
 * looked at as a number. The flags of neither can be gone, for the bio has the
 * page until it ends.
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

/* Looks where a read comes from that has not ended. Context: any. */
void rxc_source_look(struct rxc_map *map, const struct bio *bio)
{
	rxc_count(map, RXC_SOURCE_SAMPLED, 1);
	if (is_filling(bio_page(bio)))
		rxc_count(map, RXC_SOURCE_BUFFERED, 1);
}
