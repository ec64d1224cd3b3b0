// SPDX-License-Identifier: GPL-2.0-only
/* The pinned ranges of an index, and how many of their blocks are cached. See index.h. */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include "blocks/index.h"
#include "blocks/pinned_ranges.h"
#include "blocks/table.h"

/* Makes the bits of the pinned ways in each table, also in the next one of a resize. */
static int tables_pin(struct rxc_index *index)
{
	struct rxc_table *table = rcu_dereference_protected(index->table,
						lockdep_is_held(&index->pin_lock));
	int err = 0;

	for (; table && !err; table = table->next)
		err = rxc_table_pin(table, index->pins);
	return err;
}

static int may_pin(struct rxc_index *index, u64 first, u64 last)
{
	u64 limit = rxc_index_pin_limit(index);

	lockdep_assert_held(&index->pin_lock);
	/* A range above the limit can never fit, so nothing is allocated for it. */
	if (last - first >= limit)
		return -ENOSPC;
	return index->pins ? rxc_pins_may_add(index->pins, first, last, limit) : 0;
}

int rxc_index_may_pin(struct rxc_index *index, u64 first, u64 last)
{
	int err;

	mutex_lock(&index->pin_lock);
	err = may_pin(index, first, last);
	mutex_unlock(&index->pin_lock);
	return err;
}

int rxc_index_pin(struct rxc_index *index, u64 first, u64 last)
{
	int err;

	mutex_lock(&index->pin_lock);
	err = may_pin(index, first, last);
	if (!err && !index->pins)
		smp_store_release(&index->pins, rxc_pins_new());
	if (!err)
		err = index->pins ? tables_pin(index) : -ENOMEM;
	if (!err)
		err = rxc_pins_add(index->pins, first, last, rxc_index_pin_limit(index));
	mutex_unlock(&index->pin_lock);
	return err;
}

static int unpin(struct rxc_index *index, u64 first, u64 last,
		 int (*remove)(struct rxc_pins *pins, u64 first, u64 last))
{
	int err = 0;

	mutex_lock(&index->pin_lock);
	if (index->pins)
		err = remove(index->pins, first, last);
	mutex_unlock(&index->pin_lock);
	return err;
}

int rxc_index_may_unpin(struct rxc_index *index, u64 first, u64 last)
{
	return unpin(index, first, last, rxc_pins_may_remove);
}

int rxc_index_unpin(struct rxc_index *index, u64 first, u64 last)
{
	return unpin(index, first, last, rxc_pins_remove);
}

u64 rxc_index_pinned(const struct rxc_index *index, unsigned int cache)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);

	return pins ? rxc_pins_blocks_of(pins, cache) : 0;
}

u64 rxc_index_pinned_used(const struct rxc_index *index, unsigned int cache)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);

	return pins ? rxc_pins_used(pins, cache) : 0;
}

u64 rxc_index_pinned_all(const struct rxc_index *index)
{
	struct rxc_pins *pins = READ_ONCE(index->pins);
	unsigned int cache, end = READ_ONCE(index->numbers);
	u64 used = 0;

	for (cache = 0; pins && cache < end; cache++)
		used += rxc_pins_used(pins, cache);
	return used;
}

u64 rxc_index_pin_limit(const struct rxc_index *index)
{
	u64 blocks = rxc_index_blocks(index), room = rxc_index_page_room(index);

	/* Compressed blocks may have to be plain again, and then take more memory. */
	return (room ? min(blocks, room) : blocks) / 2;
}
