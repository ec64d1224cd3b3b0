/* SPDX-License-Identifier: GPL-2.0-only */
/* Where reads come from. */
#ifndef _RXC_SOURCE_H
#define _RXC_SOURCE_H

#include "stats.h"

/* One hit in this many on a CPU is timed and looked at; a power of two. */
enum { RXC_HITS_TIMED = 64 };

void rxc_source_note(struct rxc_map *map, const struct bio *bio,
		     enum rxc_stat kind, u64 began);

#endif
