// SPDX-License-Identifier: GPL-2.0-only
/* The index: sets, search, insertion and removal. See index.h. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/prefetch.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "blocks/index.h"
#include "blocks/pinned_ranges.h"
#include "blocks/table.h"

struct rxc_index *rxc_index_new(u64 blocks, const struct rxc_policy *policy)
{
	struct rxc_index *index;
	struct rxc_table *table;

	index = kvzalloc(sizeof(*index), GFP_KERNEL | __GFP_NOWARN);
	if (!index)
		return ERR_PTR(-ENOMEM);
	index->numbers = RXC_SHARERS;
	atomic64_set(&index->shrink_cursor, 0);
	mutex_init(&index->pin_lock);
	table = rxc_table_new(blocks, policy);
	if (IS_ERR(table)) {
		kvfree(index);
		return ERR_CAST(table);
	}
	RCU_INIT_POINTER(index->table, table);
	return index;
}

void rxc_index_free(struct rxc_index *index)
{
	/* The caller is the only one that has the index. */
	struct rxc_table *table = rcu_dereference_protected(index->table, true);

	WARN_ON_ONCE(rxc_index_used(index));
	rxc_table_free(table->next);
	rxc_table_free(table);
	rxc_pins_free(index->pins);
	kvfree(index);
}

void rxc_index_prefetch(struct rxc_index *index, u64 key)
{
	const struct rxc_set *set = rxc_table_set(rxc_index_table(index),
						  rxc_hash_key(key));

	prefetch(set);
	prefetch(set->print);
}

/*
 * Takes no lock and stores nothing. The answer was true at some moment within the call,
 * and may be outdated when the caller gets it.
 */
bool rxc_index_has(struct rxc_index *index, u64 key)
{
	u64 hash = rxc_hash_key(key);
	const struct rxc_table *table;
	struct rxc_set *set;
	unsigned int seq;
	bool moved;
	int way;

	rcu_read_lock();
	for (table = rxc_index_table(index);; table = READ_ONCE(table->next)) {
		set = rxc_table_set(table, hash);
		do {
			seq = read_seqcount_begin(&set->seq);
			way = rxc_set_find(set, key, hash, RXC_KEY_ANY);
			moved = way < 0 && rxc_set_moved(set);
		} while (read_seqcount_retry(&set->seq, seq));
		if (likely(!moved))
			break;
	}
	rcu_read_unlock();
	return way >= 0;
}

/*
 * Takes no lock, but checks @seq twice. The first check makes sure that the frame
 * belongs to the key: without it, the machine might not even have the frame (0, or
 * removed memory). After this check the page may still be freed and get another owner.
 * That owner then sees the page's count go up and down again, as any look-up in the page
 * cache may cause. If the second check finds @seq unchanged, the page was still in the
 * index when the look-up already had its reference, so the page keeps its content.
 *
 * A page whose count is zero is being freed and has left the index before, so the next
 * round finds a changed set.
 */
static __always_inline struct page *index_get(struct rxc_index *index, u64 key, u64 bits,
					      u64 mask, bool hit)
{
	u64 hash = rxc_hash_key(key);
	struct rxc_table *table = rxc_index_table(index);
	struct rxc_set *set = rxc_table_set(table, hash);
	struct page *page;
	unsigned int seq;
	bool moved;
	u32 frame;
	int way;

	for (;;) {
		seq = read_seqcount_begin(&set->seq);
		way = rxc_set_find(set, key | bits, hash, mask);
		page = NULL;
		moved = false;
		if (likely(way >= 0)) {
			frame = READ_ONCE(set->way[way].frame);
			if (unlikely(read_seqcount_retry(&set->seq, seq)))
				continue;
			page = pfn_to_page(frame);
			if (unlikely(!get_page_unless_zero(page))) {
				cpu_relax();
				continue;
			}
		} else {
			moved = rxc_set_moved(set);
		}
		if (unlikely(read_seqcount_retry(&set->seq, seq))) {
			if (page)
				rxc_page_put(page);
			continue;
		}
		if (likely(!moved))
			break;
		table = READ_ONCE(table->next);
		set = rxc_table_set(table, hash);
	}
	if (page && hit)
		table->policy->hit(set->policy, way);
	return page;
}

struct page *rxc_index_get(struct rxc_index *index, u64 key)
{
	return index_get(index, key, 0, RXC_KEY_WHOLE, true);
}

struct page *rxc_index_peek(struct rxc_index *index, u64 key)
{
	return index_get(index, key, 0, RXC_KEY_PLAIN, false);
}

struct page *rxc_index_get_packed(struct rxc_index *index, u64 key, bool hit)
{
	return index_get(index, key, RXC_KEY_PACKED, RXC_KEY_WHOLE, hit);
}

/* Whether an unread block of @key may be there. False was true at some moment in the call. */
static bool may_be_unread(struct rxc_index *index, u64 key, u64 hash)
{
	struct rxc_set *set;
	unsigned int seq;
	bool unread;

	rcu_read_lock();
	set = rxc_table_set(rxc_index_table(index), hash);
	do {
		seq = read_seqcount_begin(&set->seq);
		/* If the set has moved, the lock of the next one tells. */
		unread = rxc_set_find(set, key | RXC_KEY_UNREAD, hash, RXC_KEY_WHOLE) >= 0 ||
			 rxc_set_moved(set);
	} while (read_seqcount_retry(&set->seq, seq));
	rcu_read_unlock();
	return unread;
}

/* The first read of the block in a way. Context: under the lock of the set. */
static bool set_use(struct rxc_index *index, struct rxc_table *table, struct rxc_set *set,
		    unsigned int way)
{
	enum rxc_policy_entry entry = RXC_ENTRY_READ;
	u64 key = rxc_way_key(&set->way[way]);

	lockdep_assert_held(&set->lock);
	write_seqcount_begin(&set->seq);
	set->way[way].key = key;
	write_seqcount_end(&set->seq);
	atomic_long_dec(&index->sharer[rxc_key_cache(key)].unread);
	if (unlikely(READ_ONCE(index->shared)))
		entry |= RXC_ENTRY_SHARED;
	return table->policy->use(set->policy, way, (u16)rxc_hash_key(key), entry);
}

bool rxc_index_use(struct rxc_index *index, u64 key, bool *known)
{
	u64 hash = rxc_hash_key(key);
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way;

	if (!rxc_index_unread(index, rxc_key_cache(key)) || !may_be_unread(index, key, hash))
		return false;
	set = rxc_set_lock(index, hash, &table, &flags);
	way = rxc_set_find(set, key | RXC_KEY_UNREAD, hash, RXC_KEY_WHOLE);
	if (way >= 0)
		*known = set_use(index, table, set, way);
	rxc_set_unlock(set, flags);
	return way >= 0;
}

/* Counts that @in took the place of @old, which is mostly of the same region. */
static void index_count_swap(struct rxc_index *index, const struct rxc_taken *old, u64 in)
{
	u64 out = old->key;
	atomic_t *to = rxc_index_region(index, in), *from = rxc_index_region(index, out);

	if (to != from) {
		atomic_inc(to);
		atomic_dec(from);
	}
	if (rxc_key_cache(in) != rxc_key_cache(out)) {
		atomic_long_inc(&index->sharer[rxc_key_cache(in)].used);
		atomic_long_dec(&index->sharer[rxc_key_cache(out)].used);
	}
	rxc_index_count_vain(index, out, old->unread);
	rxc_index_count_unpacked(index, out, old->packed);
}

/* Stores a key that is not in its set. *@old is the block that made room, or none. */
static __always_inline enum rxc_stored
set_insert(struct rxc_index *index, struct rxc_table *table, struct rxc_set *set, u64 key,
	   u64 hash, struct page *page, enum rxc_policy_entry entry, struct rxc_taken *old)
{
	int way = rxc_set_new_way(index, table, set, rxc_key_cache(key), old);

	if (way < 0)
		return RXC_STORED_FULL;
	if (old->page)
		index_count_swap(index, old, key);
	else
		rxc_index_count(index, key, 1);
	if (unlikely(entry == RXC_ENTRY_AHEAD)) {
		atomic_long_inc(&index->sharer[rxc_key_cache(key)].unread);
		key |= RXC_KEY_UNREAD;
	}
	rxc_set_put(table, set, way, key, hash, page);
	if (unlikely(READ_ONCE(index->shared)))
		entry |= RXC_ENTRY_SHARED;
	/* The policy knows a block by 16 bits that do not depend on the set. */
	old->known = table->policy->insert(set->policy, way, (u16)hash, entry);
	return old->page ? RXC_STORED_EVICTED : RXC_STORED_INSERTED;
}

/* Gives the block in a way another page, which is returned. Context: under the lock. */
static struct page *set_replace(struct rxc_index *index, struct rxc_table *table,
				struct rxc_set *set, unsigned int way, struct page *page,
				struct rxc_taken *old, enum rxc_store how)
{
	struct page *former = rxc_set_page(set, way);

	if (how == RXC_STORE_AHEAD)
		return page;
	rxc_index_count_unpacked(index, old->key, rxc_way_packed(&set->way[way]));
	write_seqcount_begin(&set->seq);
	set->way[way].key &= ~RXC_KEY_PACKED;
	set->way[way].frame = page_to_pfn(page);
	write_seqcount_end(&set->seq);
	if (how == RXC_STORE_READ && unlikely(rxc_way_unread(&set->way[way]))) {
		old->known = set_use(index, table, set, way);
		old->unread = true;
	}
	return former;
}

enum rxc_stored rxc_index_store(struct rxc_index *index, u64 key,
				struct page *page, enum rxc_store how,
				struct rxc_taken *old)
{
	static const enum rxc_policy_entry entries[] = {
		[RXC_STORE_READ] = RXC_ENTRY_READ, [RXC_STORE_WRITE] = RXC_ENTRY_WRITE,
		[RXC_STORE_AHEAD] = RXC_ENTRY_AHEAD,
	};
	enum rxc_stored result = RXC_STORED_NOT;
	u64 hash = rxc_hash_key(key);
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way;

	old->page = page;
	old->key = key;
	old->known = false;
	old->over = false;
	old->unread = false;
	old->packed = false;
	if (unlikely(!rxc_index_takes(page)))
		return RXC_STORED_NOT;

	set = rxc_set_lock(index, hash, &table, &flags);
	way = rxc_set_find(set, key, hash, RXC_KEY_ANY);
	if (way >= 0) {
		old->page = set_replace(index, table, set, way, page, old, how);
		result = RXC_STORED_REPLACED;
	} else if (how != RXC_STORE_REPLACE) {
		result = set_insert(index, table, set, key, hash, page,
				    entries[how], old);
		if (result == RXC_STORED_FULL) {
			old->page = page;
			old->key = key;
		}
	}
	rxc_set_unlock(set, flags);
	if (unlikely(rxc_index_page_room(index)))
		old->over |= rxc_index_crowded(index) ||
			     rxc_index_over(index, rxc_key_cache(key));
	return result;
}

struct page *rxc_index_remove(struct rxc_index *index, u64 key)
{
	struct rxc_taken taken = { .page = NULL };
	u64 hash = rxc_hash_key(key);
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way;

	set = rxc_set_lock(index, hash, &table, &flags);
	way = rxc_set_find(set, key, hash, RXC_KEY_ANY);
	if (way >= 0) {
		rxc_set_take(table, set, way, RXC_EXIT_DROP, &taken);
		rxc_index_count_left(index, &taken);
	}
	rxc_set_unlock(set, flags);
	return taken.page;
}

void rxc_index_settle(struct rxc_index *index, u64 key)
{
	u64 hash = rxc_hash_key(key);
	struct rxc_table *table;
	struct rxc_set *set;
	unsigned long flags;
	int way;

	set = rxc_set_lock(index, hash, &table, &flags);
	way = rxc_set_find(set, key, hash, RXC_KEY_ANY);
	if (way >= 0)
		rxc_set_settle(table, set, way);
	rxc_set_unlock(set, flags);
}

bool rxc_index_may_hold(struct rxc_index *index, u64 first, u64 last)
{
	u64 region, end = last >> REGION_SHIFT;

	for (region = first >> REGION_SHIFT; region <= end; region++)
		if (end - region >= NR_REGIONS ||
		    atomic_read(rxc_index_region(index, region << REGION_SHIFT)))
			return true;
	return false;
}

/* Returns the table that has all blocks, or will have them when they have moved. */
static const struct rxc_table *last_table(const struct rxc_index *index)
{
	const struct rxc_table *table = rxc_index_table(index);

	return READ_ONCE(table->next) ?: table;
}

u64 rxc_index_blocks(const struct rxc_index *index)
{
	const struct rxc_table *table;
	u64 blocks;

	rcu_read_lock();
	table = last_table(index);
	blocks = table->nr_sets * table->ways;
	rcu_read_unlock();
	return blocks;
}

u64 rxc_index_sets(const struct rxc_index *index)
{
	u64 sets;

	rcu_read_lock();
	sets = last_table(index)->nr_sets;
	rcu_read_unlock();
	return sets;
}

u64 rxc_index_used(const struct rxc_index *index)
{
	unsigned int cache, end = READ_ONCE(index->numbers);
	u64 used = 0;

	for (cache = 0; cache < end; cache++)
		used += rxc_index_used_by(index, cache);
	return used;
}

u64 rxc_index_vacant(const struct rxc_index *index)
{
	u64 all = rxc_index_blocks(index), used = rxc_index_used(index);
	u64 room = rxc_index_page_room(index), pages;

	if (all <= used)
		return 0;
	if (likely(!room))
		return all - used;
	pages = rxc_index_pages(index);
	return room > pages ? min(all - used, room - pages) : 0;
}

u64 rxc_index_bytes(const struct rxc_index *index)
{
	const struct rxc_pins *pins = READ_ONCE(index->pins);
	const struct rxc_table *table;
	u64 bytes = sizeof(*index);

	rcu_read_lock();
	for (table = rxc_index_table(index); table; table = READ_ONCE(table->next))
		bytes += rxc_table_bytes(table);
	rcu_read_unlock();
	return bytes + (pins ? rxc_pins_bytes(pins) : 0);
}
