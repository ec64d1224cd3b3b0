// SPDX-License-Identifier: GPL-2.0-only
/* Pinned ranges of keys. See pins.h. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "index.h"
#include "pins.h"

enum {
	/* These take 1 MiB of memory. */
	RANGES_MAX = 65536,
	/* Replaced ranges of more bytes than this are freed after a grace period. */
	RETIRED_MAX = 1 << 20,
};

struct span {
	u64 first;
	u64 last;
};

/* Ranges in order, with a gap between any two. Constant once published, but for @next. */
struct ranges {
	struct ranges *next;		/* in rxc_pins.retired */
	unsigned int nr;
	struct span at[];
};

struct rxc_pins {
	struct ranges __rcu *ranges;	/* NULL: none */
	u64 blocks;			/* of the ranges; READ_ONCE/WRITE_ONCE */
	atomic_long_t used[RXC_SHARERS];
	/* Replaced ranges, which readers may have. Their bytes: READ_ONCE/WRITE_ONCE. */
	struct ranges *retired;
	u64 retired_bytes;
};

struct rxc_pinned {
	struct rxc_pins *pins;
	unsigned int most;		/* pinned ways of a set */
	u64 way[];			/* of each set; its lock */
};

struct rxc_pins *rxc_pins_new(void)
{
	return kvzalloc(sizeof(struct rxc_pins), GFP_KERNEL);
}

/* Frees the replaced ranges, which no reader has any more. */
static void pins_reap(struct rxc_pins *pins)
{
	struct ranges *ranges;

	while ((ranges = pins->retired)) {
		pins->retired = ranges->next;
		kvfree(ranges);
	}
	WRITE_ONCE(pins->retired_bytes, 0);
}

void rxc_pins_free(struct rxc_pins *pins)
{
	if (!pins)
		return;
	pins_reap(pins);
	kvfree(rcu_dereference_protected(pins->ranges, true));
	kvfree(pins);
}

static void ranges_put(struct ranges *ranges, u64 first, u64 last)
{
	ranges->at[ranges->nr++] = (struct span){ first, last };
}

/* @new gets the ranges of @old and the keys from @first to @last. */
static void ranges_join(const struct ranges *old, u64 first, u64 last,
			struct ranges *new)
{
	const struct span *range = old->at, *end = range + old->nr;

	for (; range < end && range->last + 1 < first; range++)
		ranges_put(new, range->first, range->last);
	for (; range < end && range->first <= last + 1; range++) {
		first = min(first, range->first);
		last = max(last, range->last);
	}
	ranges_put(new, first, last);
	for (; range < end; range++)
		ranges_put(new, range->first, range->last);
}

/* @new gets the ranges of @old without the keys from @first to @last. */
static void ranges_cut(const struct ranges *old, u64 first, u64 last,
		       struct ranges *new)
{
	const struct span *range = old->at, *end = range + old->nr;

	for (; range < end; range++) {
		if (range->first < first)
			ranges_put(new, range->first, min(range->last, first - 1));
		if (range->last > last)
			ranges_put(new, max(range->first, last + 1), range->last);
	}
}

static u64 ranges_blocks(const struct ranges *ranges)
{
	u64 blocks = 0;
	unsigned int i;

	for (i = 0; i < ranges->nr; i++)
		blocks += ranges->at[i].last - ranges->at[i].first + 1;
	return blocks;
}

/* Returns whether a range has @key: only the first that does not end before @key can. */
static bool ranges_have(const struct ranges *ranges, u64 key)
{
	unsigned int low = 0, high = ranges->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (ranges->at[middle].last < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ranges->nr && ranges->at[low].first <= key;
}

static size_t ranges_bytes(unsigned int nr)
{
	return struct_size((struct ranges *)NULL, at, nr);
}

/*
 * Readers of the ranges are done after a grace period. kvfree_rcu() frees later than that
 * and does not know sizes, so the thousands of changes that pin a fragmented file would
 * take gigabytes until then.
 */
static void pins_retire(struct rxc_pins *pins, struct ranges *ranges)
{
	ranges->next = pins->retired;
	pins->retired = ranges;
	WRITE_ONCE(pins->retired_bytes, pins->retired_bytes + ranges_bytes(ranges->nr));
	if (pins->retired_bytes <= RETIRED_MAX)
		return;
	synchronize_rcu_expedited();
	pins_reap(pins);
}

/* Replaces the ranges by the result of @change. */
static int pins_replace(struct rxc_pins *pins, u64 first, u64 last, u64 most,
			void (*change)(const struct ranges *old, u64 first, u64 last,
				       struct ranges *new))
{
	static const struct ranges none;
	struct ranges *old = rcu_dereference_protected(pins->ranges, true), *new;
	unsigned int nr = old ? old->nr : 0;
	u64 blocks;
	int err;

	/* A change adds one range at most. */
	new = kvmalloc(ranges_bytes(nr + 1), GFP_KERNEL | __GFP_NOWARN);
	if (!new)
		return -ENOMEM;
	new->nr = 0;
	change(old ?: &none, first, last, new);
	blocks = ranges_blocks(new);
	err = new->nr > RANGES_MAX ? -EOVERFLOW : blocks > most ? -ENOSPC : 0;
	if (err) {
		kvfree(new);
		return err;
	}
	WRITE_ONCE(pins->blocks, blocks);
	rcu_assign_pointer(pins->ranges, new);
	if (old)
		pins_retire(pins, old);
	return 0;
}

int rxc_pins_add(struct rxc_pins *pins, u64 first, u64 last, u64 most)
{
	return pins_replace(pins, first, last, most, ranges_join);
}

int rxc_pins_remove(struct rxc_pins *pins, u64 first, u64 last)
{
	return pins_replace(pins, first, last, U64_MAX, ranges_cut);
}

u64 rxc_pins_blocks(const struct rxc_pins *pins)
{
	return READ_ONCE(pins->blocks);
}

/* How many keys from @first to @last are in a span. */
static u64 span_common(const struct span *span, u64 first, u64 last)
{
	first = max(first, span->first);
	last = min(last, span->last);
	return first <= last ? last - first + 1 : 0;
}

/* Ranges of two caches whose numbers follow each other may have been joined. */
u64 rxc_pins_blocks_of(const struct rxc_pins *pins, unsigned int map)
{
	const struct ranges *ranges;
	unsigned int i;
	u64 blocks = 0;

	rcu_read_lock();
	ranges = rcu_dereference(pins->ranges);
	for (i = 0; ranges && i < ranges->nr; i++)
		blocks += span_common(&ranges->at[i], rxc_key(map, 0),
				      rxc_key(map, RXC_BLOCK_LAST));
	rcu_read_unlock();
	return blocks;
}

u64 rxc_pins_used(const struct rxc_pins *pins, unsigned int map)
{
	long used = atomic_long_read(&pins->used[map]);

	return used > 0 ? used : 0;
}

u64 rxc_pins_bytes(const struct rxc_pins *pins)
{
	const struct ranges *ranges;
	u64 bytes = sizeof(*pins) + READ_ONCE(pins->retired_bytes);

	rcu_read_lock();
	ranges = rcu_dereference(pins->ranges);
	if (ranges)
		bytes += ranges_bytes(ranges->nr);
	rcu_read_unlock();
	return bytes;
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
	atomic_long_dec(&pinned->pins->used[rxc_key_map(key)]);
}

void rxc_pinned_settle(struct rxc_pinned *pinned, u64 set, unsigned int way, u64 key)
{
	struct ranges *ranges;
	bool pin;

	rcu_read_lock();
	ranges = rcu_dereference(pinned->pins->ranges);
	pin = ranges && ranges_have(ranges, key);
	rcu_read_unlock();
	if (!pin) {
		rxc_pinned_leave(pinned, set, way, key);
	} else if (!(pinned->way[set] & BIT_ULL(way)) &&
		   hweight64(pinned->way[set]) < pinned->most) {
		WRITE_ONCE(pinned->way[set], pinned->way[set] | BIT_ULL(way));
		atomic_long_inc(&pinned->pins->used[rxc_key_map(key)]);
	}
}
