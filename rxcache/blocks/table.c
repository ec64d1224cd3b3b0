// SPDX-License-Identifier: GPL-2.0-only
/* Sets, and tables of them. See table.h. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "blocks/index.h"
#include "blocks/pinned_ranges.h"
#include "blocks/table.h"

u64 rxc_index_divide(u64 blocks, unsigned int *ways)
{
	u64 sets = DIV_ROUND_UP_ULL(blocks, RXC_WAYS_MAX);

	*ways = div64_u64(blocks, sets);
	if (sets * *ways < round_down(blocks, RXC_WAYS_MAX)) {
		sets = div_u64(blocks, RXC_WAYS_MAX);
		*ways = RXC_WAYS_MAX;
	}
	return sets;
}

u64 rxc_index_room(u64 blocks)
{
	unsigned int ways;
	u64 sets = rxc_index_divide(blocks, &ways);

	return sets * ways;
}

bool rxc_index_pins_fit(const struct rxc_index *index, u64 blocks)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);

	return !pins || rxc_pins_blocks(pins) <= rxc_index_room(blocks) / 2;
}

/*
 * rxc_table_set() multiplies two 32-bit numbers. A disk may be larger than the machine's
 * memory, and its index must not cause an OOM kill.
 */
static bool table_fits(u64 nr_sets)
{
	return nr_sets <= U32_MAX &&
	       nr_sets * sizeof(struct rxc_set) >> PAGE_SHIFT < si_mem_available() / 2;
}

bool rxc_index_fits(u64 blocks)
{
	unsigned int ways;

	return table_fits(rxc_index_divide(blocks, &ways));
}

struct rxc_table *rxc_table_new(u64 blocks, const struct rxc_policy *policy)
{
	struct rxc_table *table = kvzalloc(sizeof(*table), GFP_KERNEL | __GFP_NOWARN);
	u64 nr;

	if (!table)
		return ERR_PTR(-ENOMEM);
	table->policy = policy;
	table->nr_sets = rxc_index_divide(blocks, &table->ways);
	if (policy->state_size(table->ways) > RXC_POLICY_STATE) {
		kvfree(table);
		return ERR_PTR(-EINVAL);
	}
	if (table_fits(table->nr_sets))
		table->sets = __vmalloc(table->nr_sets * sizeof(*table->sets),
					GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					__GFP_RETRY_MAYFAIL);
	if (!table->sets) {
		kvfree(table);
		return ERR_PTR(-ENOMEM);
	}
	for (nr = 0; nr < table->nr_sets; nr++) {
		spin_lock_init(&table->sets[nr].lock);
		seqcount_spinlock_init(&table->sets[nr].seq,
				       &table->sets[nr].lock);
		policy->init(table->sets[nr].policy, table->ways);
		if (!(nr % 1024))
			cond_resched();
	}
	return table;
}

void rxc_table_free(struct rxc_table *table)
{
	if (!table)
		return;
	rxc_pinned_free(table->pinned);
	vfree(table->sets);
	kvfree(table);
}

int rxc_table_pin(struct rxc_table *table, struct rxc_pins *pins)
{
	struct rxc_pinned *pinned;

	if (table->pinned)
		return 0;
	pinned = rxc_pinned_new(pins, table->nr_sets, table->ways);
	if (!pinned)
		return -ENOMEM;
	/* Pairs with the acquire in table_pinned(). */
	smp_store_release(&table->pinned, pinned);
	return 0;
}

u64 rxc_table_bytes(const struct rxc_table *table)
{
	u64 set = sizeof(*table->sets) + (READ_ONCE(table->pinned) ? sizeof(u64) : 0);

	return sizeof(*table) + table->nr_sets * set;
}

/* Returns the bits of a table's pinned ways, or NULL if no range was ever pinned. */
static struct rxc_pinned *table_pinned(const struct rxc_table *table)
{
	return smp_load_acquire(&table->pinned);
}

u64 rxc_set_may_go(const struct rxc_table *table, const struct rxc_set *set)
{
	struct rxc_pinned *pinned = table_pinned(table);
	u64 taken = READ_ONCE(set->taken);

	if (likely(!pinned))
		return taken;
	return taken & ~rxc_pinned_ways(pinned, set - table->sets);
}

void rxc_set_settle(const struct rxc_table *table, const struct rxc_set *set,
		    unsigned int way)
{
	struct rxc_pinned *pinned = table_pinned(table);

	lockdep_assert_held(&set->lock);
	if (unlikely(pinned))
		rxc_pinned_settle(pinned, set - table->sets, way,
				  rxc_way_key(&set->way[way]));
}

void rxc_set_unpin(const struct rxc_table *table, const struct rxc_set *set,
		   unsigned int way)
{
	struct rxc_pinned *pinned = table_pinned(table);

	lockdep_assert_held(&set->lock);
	if (unlikely(pinned))
		rxc_pinned_leave(pinned, set - table->sets, way,
				 rxc_way_key(&set->way[way]));
}

static void empty_way(struct rxc_set *set, unsigned int way)
{
	write_seqcount_begin(&set->seq);
	WRITE_ONCE(set->taken, set->taken & ~BIT_ULL(way));
	write_seqcount_end(&set->seq);
}

void rxc_set_put(const struct rxc_table *table, struct rxc_set *set, unsigned int way,
		 u64 key, u8 print, struct page *page)
{
	write_seqcount_begin(&set->seq);
	set->print[way] = print;
	set->way[way].key = key;
	set->way[way].frame = page_to_pfn(page);
	WRITE_ONCE(set->taken, set->taken | BIT_ULL(way));
	write_seqcount_end(&set->seq);
	rxc_set_settle(table, set, way);
}

void rxc_set_take(const struct rxc_table *table, struct rxc_set *set, unsigned int way,
		  enum rxc_policy_exit exit, struct rxc_taken *taken)
{
	taken->page = rxc_set_page(set, way);
	taken->key = rxc_way_key(&set->way[way]);
	taken->unread = rxc_way_unread(&set->way[way]);
	taken->packed = rxc_way_packed(&set->way[way]);
	rxc_set_unpin(table, set, way);
	empty_way(set, way);
	table->policy->remove(set->policy, way, (u16)rxc_hash_key(taken->key), exit);
}

u64 rxc_index_used_by(const struct rxc_index *index, unsigned int cache)
{
	long used = atomic_long_read(&index->sharer[cache].used);

	return used > 0 ? used : 0;
}

u64 rxc_index_unread(const struct rxc_index *index, unsigned int cache)
{
	long unread = atomic_long_read(&index->sharer[cache].unread);

	return unread > 0 ? unread : 0;
}

u64 rxc_index_vain(const struct rxc_index *index, unsigned int cache)
{
	return atomic64_read(&index->sharer[cache].vain);
}

/* A cache keeps its pinned blocks, even if these are more than its max. */
static u64 most_of(const struct rxc_index *index, unsigned int cache)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);

	return max(READ_ONCE(index->sharer[cache].max), pins ? rxc_pins_used(pins, cache) : 0);
}

u64 rxc_index_most(const struct rxc_index *index, unsigned int cache)
{
	return READ_ONCE(index->sharer[cache].max);
}

static bool at_max(const struct rxc_index *index, unsigned int cache)
{
	return READ_ONCE(index->capped) >> cache & 1 &&
	       rxc_index_pages_by(index, cache) >= most_of(index, cache);
}

static bool at_min(const struct rxc_index *index, unsigned int cache)
{
	return READ_ONCE(index->guarded) >> cache & 1 &&
	       rxc_index_pages_by(index, cache) <= READ_ONCE(index->sharer[cache].min);
}

/* The ways with blocks of some caches, which are given as bits. */
static u64 ways_of(const struct rxc_set *set, u64 caches)
{
	u64 left, ways = 0;
	unsigned int way;

	lockdep_assert_held(&set->lock);
	for (left = set->taken; left; left &= left - 1) {
		way = __ffs64(left);
		if (caches >> rxc_key_cache(rxc_way_key(&set->way[way])) & 1)
			ways |= BIT_ULL(way);
	}
	return ways;
}

/* @may_go without the blocks of other caches that have no more than their min. */
static u64 unguarded(const struct rxc_index *index, const struct rxc_set *set,
		     unsigned int cache, u64 may_go)
{
	u64 left = READ_ONCE(index->guarded) & ~BIT_ULL(cache), others = 0;
	unsigned int other;

	for (; left; left &= left - 1) {
		other = __ffs64(left);
		if (at_min(index, other))
			others |= BIT_ULL(other);
	}
	return likely(!others) ? may_go : may_go & ~ways_of(set, others);
}

/*
 * Bounds of caches. They are about the blocks that a cache has in the whole index, and not
 * in each set: hashing spreads a cache's blocks unevenly over the sets, so its part of each
 * set would be too small for one set and too large for the next.
 *
 * The min is exact, but for others that evict at the same moment and saw the same number.
 * Blocks of a cache at its min are no victims for blocks of others. If a set has no other
 * block, the new block is not stored. That is rare, unless nearly all of the index is
 * guarded: if the other blocks are the part p of the index, a set of 64 ways has none of
 * them with a probability of (1 - p)^64.
 *
 * The max is exact in sets where the cache has a block, for that makes room, even if
 * another way is free. In a set where it has none it gets one more block. Otherwise its
 * blocks would be confined to the sets that had some when it came to its max. The caller
 * that stored the block then takes another block of the cache out of a set near by
 * (rxc_index_over()). Even without that the cache would have at most one block too many for
 * each set, because such a block makes room for the next one of its set.
 */
u64 rxc_set_victims(const struct rxc_index *index, const struct rxc_table *table,
		    const struct rxc_set *set, unsigned int cache)
{
	u64 may_go = rxc_set_may_go(table, set);

	if (cache == RXC_NOBODY)
		return may_go;
	if (cache != RXC_ANYBODY && unlikely(at_max(index, cache)))
		return may_go & ways_of(set, BIT_ULL(cache));
	return unguarded(index, set, cache, may_go);
}

void rxc_index_bound(struct rxc_index *index, unsigned int cache, u64 min, u64 max)
{
	u32 bit = 1U << cache;
	u32 guarded = index->guarded & ~bit, capped = index->capped & ~bit;

	WRITE_ONCE(index->sharer[cache].min, min);
	WRITE_ONCE(index->sharer[cache].max, max);
	WRITE_ONCE(index->guarded, min ? guarded | bit : guarded);
	WRITE_ONCE(index->capped, max < U64_MAX ? capped | bit : capped);
}

void rxc_index_share(struct rxc_index *index, u32 caches)
{
	WRITE_ONCE(index->numbers, fls(caches));
	/* More than one bit is set. */
	WRITE_ONCE(index->shared, caches & (caches - 1));
}

bool rxc_index_over(const struct rxc_index *index, unsigned int cache)
{
	return READ_ONCE(index->capped) >> cache & 1 &&
	       rxc_index_pages_by(index, cache) > most_of(index, cache);
}

u64 rxc_set_surplus(const struct rxc_index *index, const struct rxc_table *table,
		    const struct rxc_set *set, unsigned int cache)
{
	/* Others that give up blocks meanwhile may have seen the same number. */
	if (!rxc_index_over(index, cache))
		return 0;
	return rxc_set_may_go(table, set) & ways_of(set, BIT_ULL(cache));
}

unsigned int rxc_set_evict(const struct rxc_table *table, struct rxc_set *set,
			   u64 may_go, struct rxc_taken *evicted)
{
	unsigned int way = table->policy->victim(set->policy, table->ways, may_go);

	rxc_set_take(table, set, way, RXC_EXIT_EVICT, evicted);
	return way;
}

int rxc_set_free_way(const struct rxc_index *index, const struct rxc_table *table,
		     struct rxc_set *set, unsigned int cache, bool new,
		     struct rxc_taken *evicted)
{
	u64 all = GENMASK_ULL(table->ways - 1, 0), own = 0, may_go, theirs;
	unsigned int way;

	lockdep_assert_held(&set->lock);
	evicted->page = NULL;
	if (new && at_max(index, cache)) {
		own = rxc_set_may_go(table, set) & ways_of(set, BIT_ULL(cache));
		evicted->over = !own;
	}
	/*
	 * With more ways than pages a way may be free although the pool is full. Then a new
	 * block needs one that may go, as in a full set, or mins and pins would not hold.
	 */
	if (!own && set->taken != all) {
		if (unlikely(new && rxc_index_crowded(index)) &&
		    !unguarded(index, set, cache, rxc_set_may_go(table, set)))
			return -1;
		return __ffs64(~set->taken & all);
	}
	may_go = own ?: unguarded(index, set, cache, rxc_set_may_go(table, set));
	/* Where blocks just move, a cache would lose its own for its own, and fall below. */
	if (unlikely(!new && at_min(index, cache))) {
		theirs = may_go & ~ways_of(set, BIT_ULL(cache));
		may_go = theirs ?: may_go;
	}
	if (!may_go)
		return -1;
	way = rxc_set_evict(table, set, may_go, evicted);
	/* A compressed block gives no page back as long as there are others in its bin. */
	if (own && evicted->packed)
		evicted->over = true;
	return way;
}
