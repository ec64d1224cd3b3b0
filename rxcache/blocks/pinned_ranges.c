// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned ranges of keys. See pinned_ranges.h.
 *
 * The ranges are in a maple tree, whose readers need no lock but RCU. The value of a key is
 * the number of its cache, so ranges of two caches are never joined. A change costs a walk
 * through the ranges that it replaces, and a file's extents come one by one.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/maple_tree.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include "blocks/key.h"
#include "blocks/pinned_ranges.h"
#include "compat_maple.h"

enum {
	/* These take about 4 MiB of memory. */
	RANGES_MAX = 65536,
	/* Memory of a range and the gap behind it, in nodes that are mostly half full. */
	RANGE_BYTES = 64,
};

/* The keys of the tree. */
static_assert(sizeof(unsigned long) == sizeof(u64));

struct rxc_pins {
	struct maple_tree ranges;	/* changed by pins_store() alone, one call at a time */
	unsigned int nr;		/* of the ranges; READ_ONCE/WRITE_ONCE */
	u64 blocks;			/* of the ranges; READ_ONCE/WRITE_ONCE */
	u64 blocks_of[RXC_SHARERS];	/* by cache; READ_ONCE/WRITE_ONCE */
	atomic_long_t used[RXC_SHARERS];
};

struct rxc_pinned {
	struct rxc_pins *pins;
	unsigned int most;		/* pinned ways of a set */
	u64 way[];			/* of each set; its lock */
};

struct rxc_pins *rxc_pins_new(void)
{
	struct rxc_pins *pins = kvzalloc(sizeof(*pins), GFP_KERNEL);

	/*
	 * Without MT_FLAGS_ALLOC_RANGE, Linux 6.12 follows what is no pointer when it frees a
	 * tree of several levels after a grace period. It frees those of processes well.
	 */
	if (pins)
		mt_init_flags(&pins->ranges, MT_FLAGS_USE_RCU | MT_FLAGS_ALLOC_RANGE);
	return pins;
}

void rxc_pins_free(struct rxc_pins *pins)
{
	if (!pins)
		return;
	mtree_destroy(&pins->ranges);
	kvfree(pins);
}

/* The value of the keys of a cache. */
static void *value_of(u64 key)
{
	return xa_mk_value(rxc_key_cache(key));
}

struct span {
	u64 first;
	u64 last;
};

/* Extends @span, of keys of one cache, over the range that has @key, if it is of that cache. */
static void span_join(struct rxc_pins *pins, struct span *span, u64 key)
{
	MA_STATE(mas, &pins->ranges, key, key);

	rcu_read_lock();
	if (mas_walk(&mas) == value_of(span->first)) {
		span->first = min_t(u64, span->first, mas.index);
		span->last = max_t(u64, span->last, mas.last);
	}
	rcu_read_unlock();
}

/* What the ranges have of a span: how many reach into it, and stay in part outside. */
struct common {
	unsigned int nr;
	unsigned int parts;
	u64 blocks;
};

static void pins_common(struct rxc_pins *pins, const struct span *span,
			struct common *common)
{
	MA_STATE(mas, &pins->ranges, span->first, span->first);

	*common = (struct common){ 0 };
	rcu_read_lock();
	while (mas_find(&mas, span->last)) {
		common->nr++;
		common->parts += (mas.index < span->first) + (mas.last > span->last);
		common->blocks += min_t(u64, span->last, mas.last) -
				  max_t(u64, span->first, mas.index) + 1;
	}
	rcu_read_unlock();
}

/*
 * Makes a span one range, or no range if @value is NULL, in place of @common; without @commit
 * it only looks. A reader sees
 * the former ranges or the new one. The tree frees the nodes that it replaces after a grace
 * period. Returns 0 or an errno; then nothing has changed.
 */
static int pins_store(struct rxc_pins *pins, const struct span *span, void *value,
		      const struct common *common, u64 most, bool commit)
{
	unsigned int cache = rxc_key_cache(span->first);
	unsigned int nr = pins->nr - common->nr + common->parts + !!value;
	u64 more = value ? span->last - span->first + 1 : 0;
	u64 blocks = pins->blocks - common->blocks + more;
	int err;

	if (nr > RANGES_MAX)
		return -EOVERFLOW;
	if (blocks > most)
		return -ENOSPC;
	if (!commit)
		return 0;
	err = rx_maple_store(&pins->ranges, span->first, span->last, value);
	if (err)
		return err;
	WRITE_ONCE(pins->nr, nr);
	WRITE_ONCE(pins->blocks, blocks);
	WRITE_ONCE(pins->blocks_of[cache], pins->blocks_of[cache] - common->blocks + more);
	return 0;
}

static int pins_add(struct rxc_pins *pins, u64 first, u64 last, u64 most, bool commit)
{
	struct span span = { first, last };
	struct common common;

	if (rxc_key_block(first))
		span_join(pins, &span, first - 1);
	span_join(pins, &span, last + 1);
	pins_common(pins, &span, &common);
	return pins_store(pins, &span, value_of(first), &common, most, commit);
}

int rxc_pins_add(struct rxc_pins *pins, u64 first, u64 last, u64 most)
{
	return pins_add(pins, first, last, most, true);
}

int rxc_pins_may_add(struct rxc_pins *pins, u64 first, u64 last, u64 most)
{
	return pins_add(pins, first, last, most, false);
}

static int pins_remove(struct rxc_pins *pins, u64 first, u64 last, bool commit)
{
	struct span span = { first, last };
	struct common common;

	pins_common(pins, &span, &common);
	if (!common.nr)
		return 0;
	return pins_store(pins, &span, NULL, &common, U64_MAX, commit);
}

int rxc_pins_remove(struct rxc_pins *pins, u64 first, u64 last)
{
	return pins_remove(pins, first, last, true);
}

int rxc_pins_may_remove(struct rxc_pins *pins, u64 first, u64 last)
{
	return pins_remove(pins, first, last, false);
}

u64 rxc_pins_blocks(const struct rxc_pins *pins)
{
	return READ_ONCE(pins->blocks);
}

u64 rxc_pins_blocks_of(const struct rxc_pins *pins, unsigned int cache)
{
	return READ_ONCE(pins->blocks_of[cache]);
}

u64 rxc_pins_used(const struct rxc_pins *pins, unsigned int cache)
{
	long used = atomic_long_read(&pins->used[cache]);

	return used > 0 ? used : 0;
}

u64 rxc_pins_bytes(const struct rxc_pins *pins)
{
	return sizeof(*pins) + (u64)READ_ONCE(pins->nr) * RANGE_BYTES;
}

struct rxc_pinned *rxc_pinned_new(struct rxc_pins *pins, u64 sets, unsigned int ways)
{
	struct rxc_pinned *pinned = kvzalloc(struct_size(pinned, way, sets),
					     GFP_KERNEL | __GFP_NOWARN);

	if (pinned) {
		pinned->pins = pins;
		pinned->most = ways * 3 / 4;
	}
	return pinned;
}

void rxc_pinned_free(struct rxc_pinned *pinned)
{
	kvfree(pinned);
}

u64 rxc_pinned_ways(const struct rxc_pinned *pinned, u64 set)
{
	return READ_ONCE(pinned->way[set]);
}

void rxc_pinned_leave(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key)
{
	u64 ways = pinned->way[set];

	if (!(ways & BIT_ULL(way)))
		return;
	WRITE_ONCE(pinned->way[set], ways & ~BIT_ULL(way));
	atomic_long_dec(&pinned->pins->used[rxc_key_cache(key)]);
}

void rxc_pinned_settle(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key)
{
	if (!mtree_load(&pinned->pins->ranges, key)) {
		rxc_pinned_leave(pinned, set, way, key);
	} else if (!(pinned->way[set] & BIT_ULL(way)) &&
		   hweight64(pinned->way[set]) < pinned->most) {
		WRITE_ONCE(pinned->way[set], pinned->way[set] | BIT_ULL(way));
		atomic_long_inc(&pinned->pins->used[rxc_key_cache(key)]);
	}
}
