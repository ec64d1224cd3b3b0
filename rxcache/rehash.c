// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of sets of an index changes while it is in use. See table.h for what the
 * others see of it.
 *
 * A set moves as a whole, under its lock and within its sequence count: look-ups that
 * want one of its blocks try again until it has moved, and then go to the next table. So
 * nobody sees a block twice or not at all. Blocks that are in the next table already may
 * be evicted from there meanwhile; the moving set, which still names them, tells nobody.
 *
 * A block that is pinned is pinned in the next table as soon as it is there, so it stays.
 *
 * Sets are in the order of the hashes that belong to them, in any table. The blocks of a
 * set go to neighbouring sets, and those of a smaller table fill up one after the other.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include "index.h"
#include "table.h"

/* There is one caller that changes the table. */
static struct rxc_table *own_table(struct rxc_index *index)
{
	return rcu_dereference_protected(index->table, true);
}

/* What is pinned has to find room in the next table. 0, -ENOMEM or -ENOSPC. */
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
		index->moved = 0;
		/* Its sets are complete before anybody finds them. */
		smp_store_release(&table->next, next);
	}
	mutex_unlock(&index->pin_lock);
	if (err)
		rxc_table_free(next);
	return err;
}

/* Moves a block, of which the policy says @heat. *@old is a block that made room, or none. */
static void set_adopt(struct rxc_index *index, struct rxc_table *table,
		      const struct rxc_way *block, u8 heat, struct rxc_taken *old)
{
	u64 hash = rxc_hash_key(block->key);
	struct rxc_set *set = rxc_table_set(table, hash);
	unsigned int way;

	spin_lock_nested(&set->lock, SINGLE_DEPTH_NESTING);
	way = rxc_set_free_way(table, set, old);
	if (old->page)
		rxc_index_count(index, old->key, -1);
	rxc_set_put(table, set, way, block->key, hash, pfn_to_page(block->frame));
	table->policy->adopt(set->policy, way, heat);
	spin_unlock(&set->lock);
}

/* Moves a set. Returns how many blocks found no room and are in @old. */
static unsigned int set_move(struct rxc_index *index, struct rxc_table *table,
			     struct rxc_set *set, struct rxc_taken *old)
{
	unsigned int way, heat, nr = 0;
	u8 heats[RXC_WAYS_MAX];
	u64 left;

	lockdep_assert_held(&set->lock);
	for (left = set->taken; left; left &= left - 1) {
		way = __ffs64(left);
		heats[way] = table->policy->heat(set->policy, way);
	}
	/* The sets of the next table have such a count, too. */
	write_seqcount_begin_nested(&set->seq, SINGLE_DEPTH_NESTING);
	/* If there is no room for all, the ones that came first go first. */
	for (heat = 0; heat <= RXC_HEAT_MAX; heat++) {
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			if (heats[way] != heat)
				continue;
			rxc_set_unpin(table, set, way);
			set_adopt(index, table->next, &set->way[way], heat, &old[nr]);
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
	index->moved++;
	return true;
}

/*
 * The former table is found through the index alone, by readers in an RCU read-side
 * section, so after a grace period nobody looks at it.
 */
void rxc_index_resize_end(struct rxc_index *index)
{
	struct rxc_table *table = own_table(index);

	mutex_lock(&index->pin_lock);
	rcu_assign_pointer(index->table, table->next);
	mutex_unlock(&index->pin_lock);
	synchronize_rcu();
	rxc_table_free(table);
}
