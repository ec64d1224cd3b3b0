/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: the sets of an index. For the files of the index alone:
 * table.c, walk.c, rehash.c and index.c.
 *
 * An index has one table. While its size changes there is a second one, and the sets of
 * the first hand their blocks over to it, one set after the other (rehash.c). A set that
 * has done so is marked as moved, for good. At any time a key belongs to one set: that of
 * the first table or, if this has moved, that of the next table.
 *
 * Whoever looks at a table is in an RCU read-side section, and begins with the table of
 * the index. So a table can be freed a grace period after another one took its place.
 */
#ifndef _RXC_TABLE_H
#define _RXC_TABLE_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "policy.h"

struct page;
struct rxc_pinned;
struct rxc_pins;
struct rxc_taken;

/* Adjacent, because a match of the key is followed by a read of the frame. */
struct rxc_way {
	u64 key;
	u32 frame;			/* page frame number */
} __packed __aligned(4);

/*
 * A set changes under @lock. Look-ups do not take it: they read @print, @way and
 * @taken within @seq, so changes of these are within @seq too. The policy's state has
 * its own rules, see policy.h. A set has 1024 bytes, 16 for each block: 12 for the way,
 * 1 for the fingerprint, and 3 for policy and head. A hit reads the first cache line,
 * one of @print and one of @way.
 */
struct rxc_set {
	spinlock_t lock;
	seqcount_spinlock_t seq;
	u64 taken;			/* bit set: way holds a block */
	u8 policy[RXC_POLICY_STATE] __aligned(8);
	u8 print[RXC_WAYS_MAX] ____cacheline_aligned;	/* 8 bits of the hash */
	struct rxc_way way[RXC_WAYS_MAX];
} ____cacheline_aligned;

/* In the first way of a set without blocks: the set has moved. No block has this key. */
#define RXC_KEY_MOVED	(~0ULL)

/**
 * struct rxc_table - sets; constant but for their content, @next and @pinned
 * @policy: of all sets
 * @sets: the sets, in the order of the hashes that belong to them
 * @nr_sets: at most U32_MAX
 * @ways: of a set
 * @next: the table that the blocks move to; set before the first of them moves
 * @pinned: which ways are pinned; NULL before something is. Set once, under
 *	rxc_index.pin_lock
 */
struct rxc_table {
	const struct rxc_policy *policy;
	struct rxc_set *sets;
	u64 nr_sets;
	unsigned int ways;
	struct rxc_table *next;
	struct rxc_pinned *pinned;
} ____cacheline_aligned_in_smp;	/* read by every hit: no written field beside it */

enum {
	/*
	 * Keys are counted by regions of 2^20 keys: 4 GiB with blocks of 4 KiB,
	 * the size of one discard. A discard of a huge origin then walks the
	 * index only for the regions that have cached blocks. Regions whose
	 * distance is a multiple of NR_REGIONS share a counter.
	 */
	REGION_SHIFT = 20,
	NR_REGIONS = 4096,
};

struct rxc_index {
	/* Hot and nearly constant: every look-up reads it. */
	struct rxc_table __rcu *table;
	/* In flight: written for each block that comes or goes. */
	atomic_long_t used ____cacheline_aligned_in_smp;
	atomic_t region[NR_REGIONS];
	/* Cold: used under memory pressure, and to change the size. */
	atomic64_t shrink_cursor ____cacheline_aligned_in_smp;
	u64 moved;			/* sets of the table that have moved */
	struct rxc_pins *pins;		/* NULL before something is pinned; set once */
	struct mutex pin_lock;		/* held to change the pins or to add or drop a table */
};

/* Fields that hits read must not share a line with fields that others write. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_index, used) % SMP_CACHE_BYTES == 0 &&
	       offsetof(struct rxc_index, shrink_cursor) % SMP_CACHE_BYTES == 0));

/* The finalizer of MurmurHash3: every bit of the key affects every bit of the hash. */
static inline u64 rxc_hash_key(u64 key)
{
	key ^= key >> 33;
	key *= 0xff51afd7ed558ccdULL;
	key ^= key >> 33;
	key *= 0xc4ceb9fe1a85ec53ULL;
	key ^= key >> 33;
	return key;
}

/*
 * The set of a hash, or of any other number with the same upper half: that spreads over
 * the sets without a division, and in order.
 */
static inline struct rxc_set *rxc_table_set(const struct rxc_table *table, u64 hash)
{
	return &table->sets[((hash >> 32) * table->nr_sets) >> 32];
}

/*
 * Whether a set has moved. It then stays so; without a lock, or outside of @seq, the
 * answer "no" may be outdated.
 */
static inline bool rxc_set_moved(const struct rxc_set *set)
{
	/* Pairs with the release by which a set moves. */
	return !smp_load_acquire(&set->taken) &&
	       READ_ONCE(set->way[0].key) == RXC_KEY_MOVED;
}

/*
 * The table of an index. The caller is in an RCU read-side section, or holds a spin
 * lock, which is one.
 */
static inline struct rxc_table *rxc_index_table(const struct rxc_index *index)
{
	return rcu_dereference_check(index->table, rcu_read_lock_any_held());
}

/*
 * Locks the set that a hash belongs to, in *@table, to be unlocked by rxc_set_unlock().
 * Context: any.
 */
static inline struct rxc_set *rxc_set_lock(struct rxc_index *index, u64 hash,
					   struct rxc_table **table,
					   unsigned long *flags)
{
	struct rxc_set *set;

	rcu_read_lock();
	*table = rxc_index_table(index);
	set = rxc_table_set(*table, hash);
	spin_lock_irqsave(&set->lock, *flags);
	while (unlikely(rxc_set_moved(set))) {
		spin_unlock_irqrestore(&set->lock, *flags);
		*table = READ_ONCE((*table)->next);
		set = rxc_table_set(*table, hash);
		spin_lock_irqsave(&set->lock, *flags);
	}
	/* Sparse can't follow which lock it is. */
	__release(&set->lock);
	__release(RCU);
	return set;
}

static inline void rxc_set_unlock(struct rxc_set *set, unsigned long flags)
{
	__acquire(RCU);
	__acquire(&set->lock);
	spin_unlock_irqrestore(&set->lock, flags);
	rcu_read_unlock();
}

static inline atomic_t *rxc_index_region(struct rxc_index *index, u64 key)
{
	return &index->region[(key >> REGION_SHIFT) % NR_REGIONS];
}

/* Counts a block that came or went. */
static inline void rxc_index_count(struct rxc_index *index, u64 key, int n)
{
	atomic_add(n, rxc_index_region(index, key));
	atomic_long_add(n, &index->used);
}

static inline struct page *rxc_set_page(const struct rxc_set *set, unsigned int way)
{
	lockdep_assert_held(&set->lock);
	return pfn_to_page(set->way[way].frame);
}

/*
 * Makes a table for up to @blocks blocks (at least 1). Context: process, may sleep.
 * Returns the table, or ERR_PTR: -ENOMEM, -EINVAL if the policy's state is too large.
 */
struct rxc_table *rxc_table_new(u64 blocks, const struct rxc_policy *policy);

/* Nobody looks at it any more. NULL is allowed. Context: process, may sleep. */
void rxc_table_free(struct rxc_table *table);

/*
 * Makes room for what is pinned in a table, if it has none. Context: process, may sleep,
 * rxc_index.pin_lock. 0 or -ENOMEM.
 */
int rxc_table_pin(struct rxc_table *table, struct rxc_pins *pins);

/* Memory that it takes. Context: any. */
u64 rxc_table_bytes(const struct rxc_table *table);

/*
 * The ways whose blocks may make room for others, which without the lock of the set may be
 * others by now. A full set has some, see pins.h.
 */
u64 rxc_set_may_go(const struct rxc_table *table, const struct rxc_set *set);

/* What follows is done under the lock of the set, and counts no block. */

/* Pins the block in a way, or not, as the ranges want it now. */
void rxc_set_settle(const struct rxc_table *table, const struct rxc_set *set,
		    unsigned int way);

/* The block in a way goes, or moves. */
void rxc_set_unpin(const struct rxc_table *table, const struct rxc_set *set,
		   unsigned int way);

/* Takes a block out. Returns its page. */
struct page *rxc_set_take(const struct rxc_table *table, struct rxc_set *set,
			  unsigned int way, enum rxc_policy_exit exit);

/* Takes the policy's victim out of a set that has blocks to evict. Returns its way. */
unsigned int rxc_set_evict(const struct rxc_table *table, struct rxc_set *set,
			   struct rxc_taken *evicted);

/* Returns a free way; evicts a block if there is none, else evicted->page is NULL. */
unsigned int rxc_set_free_way(const struct rxc_table *table, struct rxc_set *set,
			      struct rxc_taken *evicted);

/* Puts a page into a free way. The policy is yet to be told. */
void rxc_set_put(const struct rxc_table *table, struct rxc_set *set, unsigned int way,
		 u64 key, u8 print, struct page *page);

#endif
