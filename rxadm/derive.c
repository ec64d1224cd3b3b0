// SPDX-License-Identifier: GPL-2.0-only
/* What follows from what the kernel sends of a cache: sums and ratios. */
#define _GNU_SOURCE
#include "rxadm.h"

static uint64_t sum(const uint64_t *v, size_t n)
{
	uint64_t total = 0;
	bool any = false;

	for (; n; n--, v++) {
		if (*v != RX_NONE) {
			total += *v;
			any = true;
		}
	}
	return any ? total : RX_NONE;
}

static double ratio(uint64_t part, uint64_t all)
{
	return part == RX_NONE || all == RX_NONE || !all ? -1 :
	       (double)part / all;
}

void model_derive(struct rx_cache *cache)
{
	const struct rx_stats *s = &cache->stats;

	cache->bypass = sum((uint64_t[]){ s->bypass_memory, s->bypass_write,
					  s->bypass_fill, s->bypass_mode }, 4);
	cache->errors = sum((uint64_t[]){ s->read_errors, s->write_errors },
			    2);
	cache->read_blocks = sum((uint64_t[]){ s->read_hit, s->read_miss,
					       s->read_join, cache->bypass }, 4);
	cache->write_blocks = sum((uint64_t[]){ s->write_update,
						s->write_allocate,
						s->write_bypass }, 3);
	cache->hit_ratio = ratio(s->read_hit, cache->read_blocks);
	/* What was refused comes back and is counted then. */
	cache->hit_ratio_requests =
		ratio(s->read_full, sum((uint64_t[]){ s->read_full,
					s->read_partial, s->read_none }, 3));
	cache->hit_ratio_bytes = ratio(s->read_hit_bytes, s->read_bytes);
	cache->status = cache->state;
	if (cache->state == RX_STATE_ACTIVE && cache->mode == RX_MODE_BYPASS)
		cache->status = cache->verify.mismatches != RX_NONE &&
				cache->verify.mismatches ?
				RX_STATUS_MISMATCH : RX_STATUS_BYPASS;
}
