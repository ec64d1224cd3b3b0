/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a device, in bytes: of a cache, given as a range or by a file, or of a disk. */
#ifndef RXADM_EXTENTS_H
#define RXADM_EXTENTS_H

#include "kernel/object.h"

struct rx_extents {
	struct rx_extent {
		uint64_t offset, length;
		bool unwritten;	/* reads of the file find zeroes, not these bytes */
	} *at;
	size_t n;
	uint64_t bytes;		/* of all of them */
};

void extents_add(struct rx_extents *extents, uint64_t offset, uint64_t length,
		 bool unwritten);
bool extents_of_range(const char *text, struct rx_extents *extents);
bool extents_of_file(const char *path, const struct rx_cache *cache,
		     struct rx_extents *extents, char *why, size_t len);
void extents_free(struct rx_extents *extents);

#endif
