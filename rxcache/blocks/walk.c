// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks through an index to take out or settle the keys of a range, to list all keys, or
 * to find a block to evict. See index.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include "blocks/index.h"
#include "blocks/table.h"

enum {
	/* Sets that one call visits before its caller may reschedule. */
	WALK_SETS = 1024,
	/* The same where it looks at each block of a set, maybe in an interrupt. */
	OWN_SETS = RXC_CUT_SETS,
};

/*
 * Returns where the hashes in the set of @hash end, by their upper halves. A walk goes
 * through these halves in their order, not through the sets of a table. So the walk
 * misses no block if blocks move to another table meanwhile.
 */
static u64 set_end(const struct rxc_table *table, u64 hash)
{
	u64 nr = (hash >> 32) * table->nr_sets >> 32;

	return DIV64_U64_ROUND_UP((nr + 1) << 32, table->nr_sets);
}

struct rxc_set *rxc_walk_lock(struct rxc_index *index, u64 *cursor,
			      struct rxc_table **table, unsigned long *flags)
{
	u64 hash = *cursor << 32;
	struct rxc_set *set = rxc_set_lock(index, hash, table, flags);

	*cursor = set_end(*table, hash);
	/* The set of the first table has moved, but the one behind it may not have. */
	if (unlikely(*table != rxc_index_table(index)))
		*cursor = min(*cursor, set_end(rxc_index_table(index), hash));
	return set;
}

/* Skips the set at *@cursor if it is empty and has not moved; returns whether it did. */
static bool walk_skips(struct rxc_index *index, u64 *cursor)
{
	const struct rxc_table *table;
	const struct rxc_set *set;
	bool empty;

	rcu_read_lock();
	table = rxc_index_table(index);
	set = rxc_table_set(table, *cursor << 32);
	empty = !READ_ONCE(set->taken) && !rxc_set_moved(set);
	if (empty)
		*cursor = set_end(table, *cursor << 32);
	rcu_read_unlock();
	return empty;
}

struct page *rxc_index_remove_next(struct rxc_index *index, u64 first,
				   u64 last, u64 *cursor)
{
	struct rxc_taken taken = { .page = NULL };
	unsigned int way, visits = WALK_SETS;
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	u64 left, next, key;

	for (; *cursor < RXC_WALK_END && visits && !taken.page; visits--) {
		/* An empty set gets no key of the range meanwhile, see index.h. */
		if (walk_skips(index, cursor))
			continue;
		next = *cursor;
		set = rxc_walk_lock(index, &next, &table, &flags);
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			key = rxc_way_key(&set->way[way]);
			if (key < first || key > last)
				continue;
			rxc_set_take(table, set, way, RXC_EXIT_DROP, &taken);
			rxc_index_count_left(index, &taken);
			break;
		}
		rxc_set_unlock(set, flags);
		if (!taken.page)
			*cursor = next;
	}
	return taken.page;
}

/* Which blocks of a set may be taken out: rxc_set_victims() or rxc_set_surplus(). */
typedef u64 (*choose_fn)(const struct rxc_index *index, const struct rxc_table *table,
			 const struct rxc_set *set, unsigned int cache);

/*
 * Returns the plain blocks of @caches among those that may go, or if there are none, all. A
 * compressed block gives no page back before all blocks of its bin have gone, whatever their
 * place in the order is: a pool that has not enough pages for a while would lose most of what
 * the packer has gained. Unread blocks are to stay until their reader comes.
 */
static u64 plain_first(const struct rxc_set *set, u64 may_go, u32 caches)
{
	u64 plain = 0, left;

	for (left = may_go; left; left &= left - 1) {
		const struct rxc_way *way = &set->way[__ffs64(left)];

		if (!rxc_way_packed(way) && !rxc_way_unread(way) &&
		    caches >> rxc_key_cache(rxc_way_key(way)) & 1)
			plain |= left & -left;
	}
	return plain ?: may_go;
}

/*
 * Takes the policy's victim out of a set, full or not: of the caches in @plain a plain block,
 * if the set has some. Returns whether there was a victim: a set that is not full may have
 * pinned blocks only.
 */
static bool shrink_set(struct rxc_index *index, const struct rxc_table *table,
		       struct rxc_set *set, unsigned int cache, u32 plain,
		       choose_fn choose, struct rxc_taken *old)
{
	unsigned long flags;
	u64 may_go;

	if (!rxc_set_may_go(table, set))
		return false;
	spin_lock_irqsave(&set->lock, flags);
	may_go = choose(index, table, set, cache);
	if (plain)
		may_go = plain_first(set, may_go, plain);
	if (may_go) {
		rxc_set_evict(table, set, may_go, old);
		rxc_index_count_left(index, old);
	}
	spin_unlock_irqrestore(&set->lock, flags);
	return may_go;
}

/*
 * Returns set @nr modulo the number of sets of *@table. If this set has moved, *@table
 * becomes the next table, and the set is taken from there.
 */
static struct rxc_set *nth_set(const struct rxc_table **table, u64 nr)
{
	struct rxc_set *set;
	u64 rest;

	div64_u64_rem(nr, (*table)->nr_sets, &rest);
	set = &(*table)->sets[rest];
	if (likely(!rxc_set_moved(set)))
		return set;
	*table = READ_ONCE((*table)->next);
	div64_u64_rem(nr, (*table)->nr_sets, &rest);
	return &(*table)->sets[rest];
}

/* Looks for a victim in up to @most sets. */
static bool shrink_next(struct rxc_index *index, u64 most, unsigned int cache, bool plain,
			choose_fn choose, struct rxc_taken *old)
{
	u32 packing = plain ? rxc_index_packers(index) : 0;
	const struct rxc_table *table;
	struct rxc_set *set;
	bool found = false;
	u64 nr, tries;

	rcu_read_lock();
	tries = min(most, rxc_index_table(index)->nr_sets);
	for (; tries && !found; tries--) {
		nr = atomic64_inc_return(&index->shrink_cursor);
		table = rxc_index_table(index);
		set = nth_set(&table, nr);
		found = shrink_set(index, table, set, cache, packing, choose, old);
	}
	rcu_read_unlock();
	return found;
}

bool rxc_index_shrink(struct rxc_index *index, unsigned int cache, bool plain,
		      struct rxc_taken *old)
{
	bool bounded = cache != RXC_NOBODY && rxc_index_bounded(index);

	/* Called for each failed allocation, so an empty index is not walked through. */
	if (!rxc_index_used(index))
		return false;
	return shrink_next(index, bounded ? OWN_SETS : WALK_SETS, cache, plain,
			   rxc_set_victims, old);
}

bool rxc_index_cut(struct rxc_index *index, unsigned int cache, struct rxc_taken *old)
{
	return rxc_index_over(index, cache) &&
	       shrink_next(index, OWN_SETS, cache, true, rxc_set_surplus, old);
}

void rxc_index_walk(struct rxc_index *index, u64 *cursor, unsigned int sets,
		    void (*visit)(void *arg, u64 key, unsigned int heat), void *arg)
{
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	u64 left, from, key;
	unsigned int way;

	for (; *cursor < RXC_WALK_END && sets; sets--) {
		from = *cursor;
		set = rxc_walk_lock(index, cursor, &table, &flags);
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			key = rxc_way_key(&set->way[way]);
			/* While there are two tables, a set may exceed this step. */
			if (rxc_hash_key(key) >> 32 >= from &&
			    rxc_hash_key(key) >> 32 < *cursor)
				visit(arg, key, table->policy->heat(set->policy, way));
		}
		rxc_set_unlock(set, flags);
	}
}

void rxc_index_settle_all(struct rxc_index *index, u64 first, u64 last, u64 *cursor)
{
	unsigned int way, visits;
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	u64 left, key;

	for (visits = WALK_SETS; *cursor < RXC_WALK_END && visits; visits--) {
		set = rxc_walk_lock(index, cursor, &table, &flags);
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			key = rxc_way_key(&set->way[way]);
			if (key >= first && key <= last)
				rxc_set_settle(table, set, way);
		}
		rxc_set_unlock(set, flags);
	}
}

void rxc_index_packing(struct rxc_index *index, unsigned int cache, bool is)
{
	u32 bit = 1U << cache, others = index->packing & ~bit;

	WRITE_ONCE(index->packing, is ? others | bit : others);
}

u32 rxc_index_packers(const struct rxc_index *index)
{
	return READ_ONCE(index->packing);
}
