// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out, with --dry-run, whether the kernel would refuse a request for lack of room: the
 * rules are those of bounds.c, resize.c and pin.c of the module.
 *
 * The kernel tells how much is pinned, but not what, and rounds min shares in bytes down to
 * whole blocks. So only what is refused in any case is refused here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/mem.h"
#include "base/units.h"
#include "kernel/protocol.h"
#include "kernel/request.h"
#include "run/foresee.h"
#include "run/foresee_room.h"
#include "system/holder.h"
#include "system/planned.h"

#define WAYS	64		/* blocks of a set of the module's index */

/* What the caches on a disk have together, one of them left out. */
struct others {
	uint64_t least;		/* bytes of their min shares */
	uint64_t pinned;
};

/* How much a share is of a disk of SIZE bytes. */
static uint64_t share(uint64_t percent, uint64_t bytes, uint64_t size)
{
	return or_zero(percent) ? (uint64_t)((unsigned __int128)size * percent / 100) :
				  or_zero(bytes);
}

/* NAME, which is left out, may be NULL. The min shares of a cache that ends do not count. */
static struct others others_of(const struct rx_disk *disk, const char *name, uint64_t size)
{
	const char *rest = disk->holder;
	struct others others = { 0 };
	char holder[RX_NAME_LEN];
	struct rx_cache cache;
	struct rx_err err;

	while (holder_next(&rest, holder)) {
		if ((name && !strcmp(holder, name)) ||
		    planned_get(RX_CACHE, holder, &cache, &err))
			continue;
		others.pinned += or_zero(cache.pinned);
		if (cache.state == RX_STATE_ACTIVE || cache.state == RX_STATE_STARTING)
			others.least += share(cache.min_share_percent, cache.min_share, size);
	}
	return others;
}

/* The shares that a cache has after a request. */
struct shares {
	uint64_t min, min_percent, max, max_percent;
};

static bool ask_share(const struct rx_req *req, int bytes_attr, int percent_attr,
		      uint64_t *bytes, uint64_t *percent)
{
	uint64_t asked = req_number(req, percent_attr);

	if (asked != RX_NONE) {
		*percent = asked;
		*bytes = 0;
		return true;
	}
	asked = req_number(req, bytes_attr);
	if (asked == RX_NONE)
		return false;
	*bytes = asked;
	*percent = RX_NONE;
	return true;
}

/* Changes the shares that a request names. Returns whether it names any. */
static bool ask_shares(const struct rx_req *req, struct shares *shares)
{
	bool min = ask_share(req, RXCACHE_A_CACHE_MIN_SHARE, RXCACHE_A_CACHE_MIN_SHARE_PERCENT,
			     &shares->min, &shares->min_percent);
	bool max = ask_share(req, RXCACHE_A_CACHE_MAX_SHARE, RXCACHE_A_CACHE_MAX_SHARE_PERCENT,
			     &shares->max, &shares->max_percent);

	return min || max;
}

/* Refuses shares that do not fit a disk of SIZE bytes, or the other caches there. */
static int check_shares(const struct rx_run *run, const struct shares *shares, uint64_t size,
			uint64_t block, uint64_t others)
{
	uint64_t least = share(shares->min_percent, shares->min, size);
	uint64_t most = shares->max == RX_NONE ? size :
			share(shares->max_percent, shares->max, size);

	if (least > size)
		return foresee_refused(run, EINVAL, "the min share is larger than the disk");
	if (most < or_zero(block))
		return foresee_refused(run, EINVAL,
				       "the max share is less than a cache block");
	if (most < least)
		return foresee_refused(run, EINVAL,
				       "the max share is smaller than the min share");
	if (least > size - (others < size ? others : size))
		return foresee_refused(run, EINVAL,
				       "the min shares of the caches on the disk would be over 100 % of it");
	return RX_OK;
}

bool room_is_asked(const struct rx_req *req)
{
	struct shares ignored;

	return req_number(req, RXCACHE_A_CACHE_SIZE) != RX_NONE || ask_shares(req, &ignored);
}

int room_for_new(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_disk *disk)
{
	struct shares shares = { 0, RX_NONE, RX_NONE, RX_NONE };

	if (disk->size == RX_NONE || !ask_shares(req, &shares))
		return RX_OK;
	return check_shares(run, &shares, disk->size, RXCACHE_BLOCK_MIN,
			    others_of(disk, NULL, disk->size).least);
}

/* How many of BLOCKS the module's index has room for. */
static uint64_t index_room(uint64_t blocks)
{
	uint64_t sets = (blocks + WAYS - 1) / WAYS, ways = sets ? blocks / sets : 0;

	if (sets * ways < blocks / WAYS * WAYS) {
		sets = blocks / WAYS;
		ways = WAYS;
	}
	return sets * ways;
}

static int check_size(const struct rx_run *run, const struct rx_cache *cache,
		      const struct rx_disk *disk, const struct shares *shares, uint64_t size)
{
	struct others others;
	uint64_t least;

	if (cache->resize.running == 1)
		return foresee_refused(run, EALREADY, "is being resized already");
	if (!or_zero(cache->block) || size > RXDSK_SIZE_MAX)
		return RX_OK;
	if (size < cache->block)
		return foresee_refused(run, EINVAL,
				       "the size must be a cache block to 1 EiB");
	size = size_whole(size);
	others = others_of(disk, cache->name, size);
	if ((others.pinned + or_zero(cache->pinned)) / cache->block >
	    index_room(size / cache->block) / 2)
		return foresee_refused(run, ENOSPC, "more than half of that size is pinned");
	least = cache->state == RX_STATE_ACTIVE ?
		share(shares->min_percent, shares->min, size) : 0;
	if (others.least > size || least > size - others.least)
		return foresee_refused(run, ENOSPC,
				       "the min shares of its caches are more than that size");
	return RX_OK;
}

int room_for_set(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_cache *cache, const struct rx_disk *disk)
{
	struct shares shares = { cache->min_share, cache->min_share_percent,
				 cache->max_share, cache->max_share_percent };
	uint64_t size = req_number(req, RXCACHE_A_CACHE_SIZE), sure = disk->size;
	bool asked;
	int ret = RX_OK;

	/* In bytes it was rounded down to blocks, and to what the index has room for. */
	if (!or_zero(shares.max_percent) && shares.max != RX_NONE)
		shares.max = shares.max >= cache->size ? RX_NONE :
			     shares.max + or_zero(cache->block);
	asked = ask_shares(req, &shares);
	/* While the disk shrinks, it counts as small as it will be. */
	if (cache->resize.running == 1 && cache->resize.size < sure)
		sure = cache->resize.size;
	if (asked && sure != RX_NONE)
		ret = check_shares(run, &shares, sure, cache->block,
				   cache->state == RX_STATE_ACTIVE ?
				   others_of(disk, cache->name, sure).least : 0);
	return ret || size == RX_NONE ? ret : check_size(run, cache, disk, &shares, size);
}

/* The blocks of a cache that this dry run has pinned: ranges in order, with gaps between. */
static struct span { uint64_t first, last; } *spans;
static size_t n_spans;

/* Adds a range. Returns how many blocks all of them have. */
static uint64_t span_add(uint64_t first, uint64_t last)
{
	uint64_t blocks = 0;
	size_t i, n = 0, at;

	for (i = 0; i < n_spans && spans[i].last + 1 < first; i++)
		;
	for (at = i; i < n_spans && spans[i].first <= last + 1; i++, n++) {
		first = first < spans[i].first ? first : spans[i].first;
		last = last > spans[i].last ? last : spans[i].last;
	}
	if (!n)
		spans = mem_grow(spans, n_spans, sizeof(*spans));
	memmove(spans + at + 1, spans + at + n, (n_spans - at - n) * sizeof(*spans));
	spans[at] = (struct span){ first, last };
	n_spans = n_spans - n + 1;
	for (i = 0; i < n_spans; i++)
		blocks += spans[i].last - spans[i].first + 1;
	return blocks;
}

int room_for_pin(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_cache *cache, const struct rx_disk *disk)
{
	bool pin = req->op->cmd == RXCACHE_CMD_CACHE_PIN;
	uint64_t offset = req_number(req, RXCACHE_A_CACHE_OFFSET), blocks, others = 0;
	uint64_t length = req_number(req, RXCACHE_A_CACHE_LENGTH);

	if (offset == RX_NONE || !or_zero(cache->block))
		return RX_OK;
	if (cache->origin_size != RX_NONE &&
	    (!length || offset >= cache->origin_size || length > cache->origin_size - offset))
		return foresee_refused(run, EINVAL,
				       "range is empty or goes beyond the end of the origin");
	if (!pin || cache->pin_limit == RX_NONE)
		return RX_OK;
	blocks = span_add(offset / cache->block, (offset + length - 1) / cache->block);
	/* The ranges of this cache may be pinned already, those of other caches are not. */
	if (disk)
		others = others_of(disk, cache->name, disk->size).pinned;
	if (blocks < or_zero(cache->pinned) / cache->block)
		blocks = or_zero(cache->pinned) / cache->block;
	return blocks + others / cache->block > cache->pin_limit / cache->block ?
	       foresee_refused(run, ENOSPC, "no more than half of the disk can be pinned") :
	       RX_OK;
}
