// SPDX-License-Identifier: GPL-2.0-only
/* Sets, and tables of them. See table.h. */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "index.h"
#include "pins.h"
#include "table.h"

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

bool rxc_index_pins_fit(const struct rxc_index *index, u64 blocks)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);
	unsigned int ways;
	u64 sets = rxc_index_divide(blocks, &ways);

	return !pins || rxc_pins_blocks(pins) <= sets * ways / 2;
}

struct rxc_table *rxc_table_new(u64 blocks, const struct rxc_policy *policy)
{
	struct rxc_table *table = kvzalloc(sizeof(*table), GFP_KERNEL | __GFP_NOWARN);
	u64 nr, bytes;

	if (!table)
		return ERR_PTR(-ENOMEM);
	table->policy = policy;
	table->nr_sets = rxc_index_divide(blocks, &table->ways);
	if (policy->state_size(table->ways) > RXC_POLICY_STATE) {
		kvfree(table);
		return ERR_PTR(-EINVAL);
	}
	/*
	 * rxc_table_set() multiplies two 32-bit numbers. A disk may be larger than
	 * the machine's memory, and its index must not cause an OOM kill.
	 */
	bytes = table->nr_sets * sizeof(*table->sets);
	if (table->nr_sets <= U32_MAX &&
	    bytes >> PAGE_SHIFT < si_mem_available() / 2)
		table->sets = __vmalloc(bytes, GFP_KERNEL | __GFP_ZERO |
					__GFP_NOWARN | __GFP_RETRY_MAYFAIL);
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
		rxc_pinned_settle(pinned, set - table->sets, way, set->way[way].key);
}

void rxc_set_unpin(const struct rxc_table *table, const struct rxc_set *set,
		   unsigned int way)
{
	struct rxc_pinned *pinned = table_pinned(table);

	lockdep_assert_held(&set->lock);
	if (unlikely(pinned))
		rxc_pinned_leave(pinned, set - table->sets, way, set->way[way].key);
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

struct page *rxc_set_take(const struct rxc_table *table, struct rxc_set *set,
			  unsigned int way, enum rxc_policy_exit exit)
{
	struct page *page = rxc_set_page(set, way);
	u64 hash = rxc_hash_key(set->way[way].key);

	rxc_set_unpin(table, set, way);
	empty_way(set, way);
	table->policy->remove(set->policy, way, (u16)hash, exit);
	return page;
}

unsigned int rxc_set_evict(const struct rxc_table *table, struct rxc_set *set,
			   struct rxc_taken *evicted)
{
	unsigned int way = table->policy->victim(set->policy, table->ways,
						 rxc_set_may_go(table, set));

	evicted->key = set->way[way].key;
	evicted->page = rxc_set_take(table, set, way, RXC_EXIT_EVICT);
	return way;
}

unsigned int rxc_set_free_way(const struct rxc_table *table, struct rxc_set *set,
			      struct rxc_taken *evicted)
{
	u64 all = GENMASK_ULL(table->ways - 1, 0);

	lockdep_assert_held(&set->lock);
	evicted->page = NULL;
	if (set->taken != all)
		return __ffs64(~set->taken & all);
	return rxc_set_evict(table, set, evicted);
}
