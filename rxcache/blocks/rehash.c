// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes the number of sets of an index in use. table.h tells how a key is found
 * meanwhile.
 *
 * A set moves as a whole, under its lock and within its sequence count. Look-ups in this
 * set try again until the set has moved, and then go to the next table. So every block
 * is found in one of the two tables. Blocks that are in the next table already may be
 * evicted from there meanwhile. The moving set still has their keys, but look-ups accept
 * no result from the set before it has moved.
 *
 * A pinned block gets its pin in the next table as it enters, so it is not evicted there.
 *
 * In each table, the sets are in the order of their hashes. So the blocks of a set go to
 * neighbouring sets, and the sets of a smaller table fill up one after the other.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include "blocks/index.h"
#include "blocks/table.h"

/* Only one caller at a time changes the table, so the table stays for this caller. */
static struct rxc_table *own_table(struct rxc_index *index)
{
	return rcu_dereference_protected(index->table, true);
}

/* Prepares the next table for the pinned keys. Returns 0, -ENOMEM or -ENOSPC. */
static int pins_follow(struct rxc_index *index, struct rxc_table *next, u64 blocks)
{
	lockdep_assert_held(&index->pin_lock);
	if (!index->pins)
		return 0;
	if (!rxc_index_pins_fit(index, blocks))
		return -ENOSPC;
	return rxc_table_pin(next, index->pins);
}

int rxc_index_resize_begin(struct rxc_index *index, u64 blocks)
{
	struct rxc_table *table = own_table(index);
	struct rxc_table *next = rxc_table_new(blocks, table->policy);
	int err;

	if (IS_ERR(next))
		return PTR_ERR(next);
	mutex_lock(&index->pin_lock);
	err = pins_follow(index, next, blocks);
	if (!err) {
		WRITE_ONCE(index->moved, 0);
		/* The sets of @next are complete before a reader finds them. */
		smp_store_release(&table->next, next);
	}
	mutex_unlock(&index->pin_lock);
	if (err)
		rxc_table_free(next);
	return err;
}

/*
 * Moves a block with its heat to @table. *@old is the block evicted for it, or the block
 * itself if none may be evicted, or none. A pinned block stays, even if another cache then
 * has less than its min.
 */
static void set_adopt(struct rxc_index *index, struct rxc_table *table,
		      const struct rxc_way *block, u8 heat, bool pinned,
		      struct rxc_taken *old)
{
	u64 key = rxc_way_key(block), hash = rxc_hash_key(key);
	struct rxc_set *set = rxc_table_set(table, hash);
	int way;

	spin_lock_nested(&set->lock, SINGLE_DEPTH_NESTING);
	way = rxc_set_free_way(index, table, set, rxc_key_cache(key), false, old);
	if (way < 0 && pinned && rxc_set_may_go(table, set))
		way = rxc_set_evict(table, set, rxc_set_may_go(table, set), old);
	if (way < 0) {
		old->page = pfn_to_page(block->frame);
		old->key = key;
		old->unread = rxc_way_unread(block);
		old->packed = rxc_way_packed(block);
	} else {
		rxc_set_put(table, set, way, block->key, hash, pfn_to_page(block->frame));
		table->policy->adopt(set->policy, way, heat);
	}
	if (old->page)
		rxc_index_count_left(index, old);
	spin_unlock(&set->lock);
}

/* Moves a set. Returns how many blocks were evicted to make room; they are in @old. */
static unsigned int set_move(struct rxc_index *index, struct rxc_table *table,
			     struct rxc_set *set, struct rxc_taken *old)
{
	unsigned int way, heat, nr = 0;
	u8 heats[RXC_WAYS_MAX];
	u64 left, loose = rxc_set_may_go(table, set);

	lockdep_assert_held(&set->lock);
	for (left = set->taken; left; left &= left - 1) {
		way = __ffs64(left);
		heats[way] = table->policy->heat(set->policy, way);
	}
	/* Nested for lockdep: within this, counts of the next table's sets change. */
	write_seqcount_begin_nested(&set->seq, SINGLE_DEPTH_NESTING);
	/* Cold blocks move first, because a full set evicts those that came first. */
	for (heat = 0; heat <= RXC_HEAT_MAX; heat++) {
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			if (heats[way] != heat)
				continue;
			rxc_set_unpin(table, set, way);
			set_adopt(index, table->next, &set->way[way], heat,
				  !(loose >> way & 1), &old[nr]);
			if (old[nr].page)
				nr++;
		}
	}
	WRITE_ONCE(set->way[0].key, RXC_KEY_MOVED);
	/* Pairs with the acquire of rxc_set_moved(). */
	smp_store_release(&set->taken, 0);
	write_seqcount_end(&set->seq);
	return nr;
}

bool rxc_index_resize_next(struct rxc_index *index, struct rxc_taken *old,
			   unsigned int *nr)
{
	struct rxc_table *table = own_table(index);
	struct rxc_set *set = &table->sets[index->moved];
	unsigned long flags;

	*nr = 0;
	if (index->moved == table->nr_sets)
		return false;
	spin_lock_irqsave(&set->lock, flags);
	*nr = set_move(index, table, set, old);
	spin_unlock_irqrestore(&set->lock, flags);
	WRITE_ONCE(index->moved, index->moved + 1);
	return true;
}

unsigned int rxc_index_resize_done(struct rxc_index *index)
{
	u64 moved = READ_ONCE(index->moved), sets;

	rcu_read_lock();
	sets = rcu_dereference(index->table)->nr_sets;
	rcu_read_unlock();
	return div64_u64(min(moved, sets) * 1000, sets);
}

/*
 * Readers find the former table through the index alone, in an RCU read-side section. So
 * after a grace period no reader has this table.
 */
void rxc_index_resize_end(struct rxc_index *index)
{
	struct rxc_table *table = own_table(index);

	mutex_lock(&index->pin_lock);
	rcu_assign_pointer(index->table, table->next);
	WRITE_ONCE(index->moved, 0);
	mutex_unlock(&index->pin_lock);
	synchronize_rcu();
	rxc_table_free(table);
}
