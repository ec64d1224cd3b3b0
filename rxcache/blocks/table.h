/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: the sets of an index. Only the files of the index include this header:
 * table.c, walk.c, rehash.c, pinned_blocks.c, packed_ways.c and index.c.
 *
 * An index has one table. While its size changes there is a second one, to which the
 * sets of the first move their blocks, one set after the other (rehash.c). A set whose
 * blocks have moved stays marked as moved. At any time a key belongs to one set: its set
 * in the first table or, if that has moved, its set in the next table.
 *
 * A reader of a table is in an RCU read-side section, and begins with the table of the
 * index. So a table can be freed a grace period after another one took its place.
 */
#ifndef _RXC_TABLE_H
#define _RXC_TABLE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>
#include "blocks/index.h"
#include "blocks/policy.h"

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
 * A set changes under @lock. Look-ups read @print, @way and @taken within @seq instead,
 * so these fields change within @seq too. The policy's state has its own rules, see
 * policy.h. A set has 1024 bytes, 16 for each block: 12 for the way, 1 for the
 * fingerprint, and 3 for @policy and the fields before it. A hit reads the first cache
 * line, one of @print and one of @way.
 */
struct rxc_set {
	spinlock_t lock;
	seqcount_spinlock_t seq;
	u64 taken;			/* bit set: way holds a block */
	u8 policy[RXC_POLICY_STATE] __aligned(8);
	u8 print[RXC_WAYS_MAX] ____cacheline_aligned;	/* 8 bits of the hash */
	struct rxc_way way[RXC_WAYS_MAX];
} ____cacheline_aligned;

/*
 * Set in the key of a way whose block is unread, so that the key differs from the one that
 * readers look for. No cache has a number that large.
 */
#define RXC_KEY_UNREAD	(1ULL << 63)

/* Set likewise if the block is compressed. Never set together with the other one. */
#define RXC_KEY_PACKED	(1ULL << 62)

static_assert(RXC_SHARERS <= 1 << (62 - RXC_KEY_BLOCK_BITS));

/*
 * The bits of a way's key that are compared: all of them, so that a block is not found that
 * is unread or compressed, or all but one of these, or all but both.
 */
#define RXC_KEY_WHOLE	(~0ULL)
#define RXC_KEY_PLAIN	(~RXC_KEY_UNREAD)
#define RXC_KEY_ANY	(~(RXC_KEY_UNREAD | RXC_KEY_PACKED))

/* The key in the first way of a set that has moved. No block has this key. */
#define RXC_KEY_MOVED	(~0ULL)

/**
 * struct rxc_table - sets; constant but for the sets' content, @next and @pinned
 * @policy: of all sets
 * @sets: the sets, in the order of the hashes that belong to them
 * @nr_sets: at most U32_MAX
 * @ways: of a set
 * @next: the table that the blocks move to; set before the first block moves
 * @pinned: bits of the pinned ways; NULL until a range is pinned. Set once, under
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
	 * the most of one discard. A discard of a huge origin then walks the
	 * index only for the regions that have cached blocks. Regions whose
	 * distance is a multiple of NR_REGIONS share a counter, and those of
	 * the caches of a pool begin at different ones.
	 */
	REGION_SHIFT = 20,
	NR_REGIONS = 4096,
};

/**
 * struct rxc_sharer - the blocks of one cache
 * @used: how many there are
 * @unread: how many of them are unread
 * @packed: how many of them are compressed
 * @vain: how many have left unread; only grows
 * @min: bound; READ_ONCE/WRITE_ONCE
 * @max: bound; READ_ONCE/WRITE_ONCE
 */
struct rxc_sharer {
	atomic_long_t used;
	atomic_long_t unread;
	atomic_long_t packed;
	atomic64_t vain;
	u64 min;
	u64 max;
} ____cacheline_aligned_in_smp;

struct rxc_index {
	/* Hot and nearly constant: every look-up reads it. */
	struct rxc_table __rcu *table;
	u32 guarded;			/* caches that have a min; READ_ONCE/WRITE_ONCE */
	u32 capped;			/* caches that have a max; READ_ONCE/WRITE_ONCE */
	u8 numbers;			/* those of its caches are below it; READ_ONCE/WRITE_ONCE */
	bool shared;			/* by several caches; READ_ONCE/WRITE_ONCE */
	u32 packing;			/* caches that compress; READ_ONCE/WRITE_ONCE */
	u32 packed_once;		/* caches that have had a compressed block; READ_ONCE/WRITE_ONCE */
	u64 page_room;			/* see rxc_index_page_bound(); READ_ONCE/WRITE_ONCE */
	/* Written for each block that enters or leaves the index. */
	struct rxc_sharer sharer[RXC_SHARERS];
	atomic_t region[NR_REGIONS];
	atomic_long_t bin_pages;	/* of all bins */
	/* Cold: used under memory pressure, and to change the size. */
	atomic64_t shrink_cursor ____cacheline_aligned_in_smp;
	u64 moved;			/* sets of the table that have moved; READ_ONCE/WRITE_ONCE */
	struct rxc_pins *pins;		/* NULL until a range is pinned; set once */
	struct mutex pin_lock;		/* held to change the pins or to add or drop a table */
};

/* Fields that hits read must not share a line with fields that others write. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_index, sharer) % SMP_CACHE_BYTES == 0 &&
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
 * Returns the set of a hash, or of any other number with the same upper half. The
 * multiplication spreads hashes over the sets, in their order, without a division.
 */
static inline struct rxc_set *rxc_table_set(const struct rxc_table *table, u64 hash)
{
	return &table->sets[((hash >> 32) * table->nr_sets) >> 32];
}

/*
 * Returns whether a set has moved. True is final; false may be outdated unless the
 * caller holds the lock or checks @seq afterwards.
 */
static inline bool rxc_set_moved(const struct rxc_set *set)
{
	/* Pairs with the release in set_move(). */
	if (smp_load_acquire(&set->taken) ||
	    READ_ONCE(set->way[0].key) != RXC_KEY_MOVED)
		return false;
	/*
	 * Whoever finds the set moved reads rxc_table.next. If the set was empty before it
	 * moved, the key alone says that this was set. Pairs with the barrier of
	 * write_seqcount_begin() in set_move().
	 */
	smp_rmb();
	return true;
}

/*
 * Returns the table of an index. The caller is in an RCU read-side section, or holds a
 * spin lock, which counts as one.
 */
static inline struct rxc_table *rxc_index_table(const struct rxc_index *index)
{
	return rcu_dereference_check(index->table, rcu_read_lock_any_held());
}

/*
 * Locks and returns the set that a hash belongs to, with its table in *@table.
 * rxc_set_unlock() unlocks the set. Context: any.
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
	/* Sparse can't tell which lock is held. */
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

static inline u64 rxc_way_key(const struct rxc_way *way)
{
	return way->key & RXC_KEY_ANY;
}

static inline bool rxc_way_unread(const struct rxc_way *way)
{
	return way->key & RXC_KEY_UNREAD;
}

static inline bool rxc_way_packed(const struct rxc_way *way)
{
	return way->key & RXC_KEY_PACKED;
}

/*
 * Returns the way of @key, or -1; see RXC_KEY_ANY for @mask. Compares eight fingerprints at a
 * time: a byte of the word is zero where the fingerprint equals @print. The classic test
 * for a zero byte may also flag the byte above a match, so each key is compared. Context:
 * under the lock, or within a read of @seq, which then decides whether the result holds.
 */
static __always_inline int rxc_set_find(const struct rxc_set *set, u64 key, u8 print,
					u64 mask)
{
	const u64 ones = 0x0101010101010101ULL, highs = ones << 7;
	unsigned int base, way;
	u64 word, match;

#pragma GCC unroll 8
	for (base = 0; base < RXC_WAYS_MAX; base += 8) {
		memcpy(&word, &set->print[base], sizeof(word));
		word ^= ones * print;
		match = le64_to_cpu((__force __le64)((word - ones) & ~word & highs));
		while (match) {
			way = base + __ffs64(match) / 8;
			match &= match - 1;
			if ((set->taken & BIT_ULL(way)) &&
			    (set->way[way].key & mask) == key)
				return way;
		}
	}
	return -1;
}

static inline atomic_t *rxc_index_region(struct rxc_index *index, u64 key)
{
	u64 start = rxc_key_cache(key) * (u64)(NR_REGIONS / RXC_SHARERS);

	return &index->region[((key >> REGION_SHIFT) + start) % NR_REGIONS];
}

/* Counts a block that entered (@n is 1) or left (-1). */
static inline void rxc_index_count(struct rxc_index *index, u64 key, int n)
{
	atomic_add(n, rxc_index_region(index, key));
	atomic_long_add(n, &index->sharer[rxc_key_cache(key)].used);
}

/* Counts that a block left the index before anybody had read it, if it is @unread. */
static inline void rxc_index_count_vain(struct rxc_index *index, u64 key, bool unread)
{
	struct rxc_sharer *sharer = &index->sharer[rxc_key_cache(key)];

	if (unlikely(unread)) {
		atomic_long_dec(&sharer->unread);
		atomic64_inc(&sharer->vain);
	}
}

/* Counts that a compressed block left the index, or is not compressed any more, if it was. */
static inline void rxc_index_count_unpacked(struct rxc_index *index, u64 key, bool packed)
{
	if (unlikely(packed))
		atomic_long_dec(&index->sharer[rxc_key_cache(key)].packed);
}

/* Counts a block that left the index. */
static inline void rxc_index_count_left(struct rxc_index *index,
					const struct rxc_taken *taken)
{
	rxc_index_count(index, taken->key, -1);
	rxc_index_count_vain(index, taken->key, taken->unread);
	rxc_index_count_unpacked(index, taken->key, taken->packed);
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

/* Frees a table that no reader can find, or NULL. Context: process, may sleep. */
void rxc_table_free(struct rxc_table *table);

/*
 * Makes the bits of a table's pinned ways, if it has none. Context: process, may sleep,
 * rxc_index.pin_lock. Returns 0 or -ENOMEM.
 */
int rxc_table_pin(struct rxc_table *table, struct rxc_pins *pins);

/* Returns the bytes of memory that the table takes. Context: any. */
u64 rxc_table_bytes(const struct rxc_table *table);

/*
 * Returns the ways whose blocks may be evicted. Without the lock of the set, the answer
 * may be outdated. A full set has at least one, see pinned_ranges.h.
 */
u64 rxc_set_may_go(const struct rxc_table *table, const struct rxc_set *set);

/* The functions below run under the lock of the set. The caller counts the blocks. */

/* Pins or unpins the block in a way, as the ranges say now. */
void rxc_set_settle(const struct rxc_table *table, const struct rxc_set *set,
		    unsigned int way);

/* Unpins a way whose block leaves or moves. */
void rxc_set_unpin(const struct rxc_table *table, const struct rxc_set *set,
		   unsigned int way);

/* Takes a block out, with its key and page in *@taken. */
void rxc_set_take(const struct rxc_table *table, struct rxc_set *set, unsigned int way,
		  enum rxc_policy_exit exit, struct rxc_taken *taken);

/* Whether a cache has bounds. */
static inline bool rxc_index_bounded(const struct rxc_index *index)
{
	return READ_ONCE(index->guarded) | READ_ONCE(index->capped);
}

/*
 * The ways whose blocks may make room for one of cache @cache, or for nobody (key.h). Those of
 * @cache itself if it has its max, maybe none.
 */
u64 rxc_set_victims(const struct rxc_index *index, const struct rxc_table *table,
		    const struct rxc_set *set, unsigned int cache);

/* The ways with blocks that cache @cache has to give up, because it has more than its max. */
u64 rxc_set_surplus(const struct rxc_index *index, const struct rxc_table *table,
		    const struct rxc_set *set, unsigned int cache);

/* Takes the policy's victim out of a set, one of the ways in @may_go. Returns its way. */
unsigned int rxc_set_evict(const struct rxc_table *table, struct rxc_set *set,
			   u64 may_go, struct rxc_taken *evicted);

/*
 * Returns a way for another block of cache @cache, or -1 if no block may make room for it.
 * evicted->page is NULL if the way was free. With @new the cache will have one more block,
 * otherwise the block just moves; evicted->over becomes true if the cache has its max, and
 * none of its plain blocks made room.
 */
int rxc_set_free_way(const struct rxc_index *index, const struct rxc_table *table,
		     struct rxc_set *set, unsigned int cache, bool new,
		     struct rxc_taken *evicted);

/* The same for a block that is new, quickly where no cache has bounds. */
static inline int rxc_set_new_way(const struct rxc_index *index,
				  const struct rxc_table *table, struct rxc_set *set,
				  unsigned int cache, struct rxc_taken *evicted)
{
	u64 all = GENMASK_ULL(table->ways - 1, 0);

	if (unlikely(rxc_index_bounded(index)))
		return rxc_set_free_way(index, table, set, cache, true, evicted);
	if (set->taken == all)
		return rxc_set_evict(table, set, rxc_set_may_go(table, set), evicted);
	evicted->page = NULL;
	return __ffs64(~set->taken & all);
}

/*
 * Locks the set at *@cursor, and moves *@cursor to the end of the hashes that are in this
 * set now. Otherwise this is like rxc_set_lock().
 */
struct rxc_set *rxc_walk_lock(struct rxc_index *index, u64 *cursor,
			      struct rxc_table **table, unsigned long *flags);

/* Puts a page into a free way; @key may have RXC_KEY_UNREAD or RXC_KEY_PACKED. The caller tells the policy. */
void rxc_set_put(const struct rxc_table *table, struct rxc_set *set, unsigned int way,
		 u64 key, u8 print, struct page *page);

#endif
