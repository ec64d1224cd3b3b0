// SPDX-License-Identifier: GPL-2.0-only
/* The index: sets, search, insertion and removal. See index.h. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/err.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/prefetch.h>
#include <linux/processor.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include "index.h"

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

enum {
	/* Sets that one call visits before its caller may reschedule. */
	WALK_SETS = 1024,
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
	/* Hot and constant: every look-up reads these. */
	const struct rxc_policy *policy;
	struct rxc_set *sets;
	u64 nr_sets;
	unsigned int ways;
	/* In flight: written for each block that comes or goes. */
	atomic_long_t used ____cacheline_aligned_in_smp;
	atomic_t region[NR_REGIONS];
	/* Cold: used under memory pressure alone. */
	atomic64_t shrink_cursor ____cacheline_aligned_in_smp;
};

/* Fields that hits read must not share a line with fields that others write. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_index, used) % SMP_CACHE_BYTES == 0 &&
	       offsetof(struct rxc_index, shrink_cursor) % SMP_CACHE_BYTES == 0 &&
	       offsetofend(struct rxc_index, ways) <= SMP_CACHE_BYTES));

/* The finalizer of MurmurHash3: every bit of the key affects every bit of the hash. */
static u64 hash_key(u64 key)
{
	key ^= key >> 33;
	key *= 0xff51afd7ed558ccdULL;
	key ^= key >> 33;
	key *= 0xc4ceb9fe1a85ec53ULL;
	key ^= key >> 33;
	return key;
}

static struct rxc_set *index_set(struct rxc_index *index, u64 hash)
{
	/* Spreads the upper 32 bits over the sets without a division. */
	return &index->sets[((hash >> 32) * index->nr_sets) >> 32];
}

static struct page *set_page(const struct rxc_set *set, unsigned int way)
{
	lockdep_assert_held(&set->lock);
	return pfn_to_page(set->way[way].frame);
}

/*
 * Finds the way of @key, or returns -1. Compares eight fingerprints at a time: a byte
 * of the word is zero where the fingerprint equals @print. The classic test for a zero
 * byte may also flag the byte above a match, so each key is compared. Context: under the
 * lock, or within a read of @seq, which then decides whether the result holds.
 */
static int set_find(const struct rxc_set *set, u64 key, u8 print)
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
			if ((set->taken & BIT_ULL(way)) && set->way[way].key == key)
				return way;
		}
	}
	return -1;
}

static atomic_t *region_of(struct rxc_index *index, u64 key)
{
	return &index->region[(key >> REGION_SHIFT) % NR_REGIONS];
}

static void index_count(struct rxc_index *index, u64 key, int n)
{
	atomic_add(n, region_of(index, key));
	atomic_long_add(n, &index->used);
}

/* One key makes room for another, which is mostly of the same region. */
static void index_count_swap(struct rxc_index *index, u64 out, u64 in)
{
	if (region_of(index, out) == region_of(index, in))
		return;
	atomic_inc(region_of(index, in));
	atomic_dec(region_of(index, out));
}

static void empty_way(struct rxc_set *set, unsigned int way)
{
	write_seqcount_begin(&set->seq);
	WRITE_ONCE(set->taken, set->taken & ~BIT_ULL(way));
	write_seqcount_end(&set->seq);
}

static void fill_way(struct rxc_set *set, unsigned int way, u64 key, u8 print,
		     struct page *page)
{
	write_seqcount_begin(&set->seq);
	set->print[way] = print;
	set->way[way].key = key;
	set->way[way].frame = page_to_pfn(page);
	WRITE_ONCE(set->taken, set->taken | BIT_ULL(way));
	write_seqcount_end(&set->seq);
}

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

struct rxc_index *rxc_index_new(u64 blocks, const struct rxc_policy *policy)
{
	struct rxc_index *index;
	u64 nr, bytes;

	index = kvzalloc(sizeof(*index), GFP_KERNEL | __GFP_NOWARN);
	if (!index)
		return ERR_PTR(-ENOMEM);
	index->policy = policy;
	index->nr_sets = rxc_index_divide(blocks, &index->ways);
	atomic_long_set(&index->used, 0);
	atomic64_set(&index->shrink_cursor, 0);
	if (policy->state_size(index->ways) > RXC_POLICY_STATE) {
		kvfree(index);
		return ERR_PTR(-EINVAL);
	}
	/*
	 * index_set() multiplies two 32-bit numbers. And a disk may be larger
	 * than the machine's memory: its index must not cause an OOM kill.
	 */
	bytes = index->nr_sets * sizeof(*index->sets);
	if (index->nr_sets <= U32_MAX &&
	    bytes >> PAGE_SHIFT < si_mem_available() / 2)
		index->sets = __vmalloc(bytes, GFP_KERNEL | __GFP_ZERO |
					__GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (!index->sets) {
		kvfree(index);
		return ERR_PTR(-ENOMEM);
	}
	for (nr = 0; nr < index->nr_sets; nr++) {
		spin_lock_init(&index->sets[nr].lock);
		seqcount_spinlock_init(&index->sets[nr].seq,
				       &index->sets[nr].lock);
		policy->init(index->sets[nr].policy, index->ways);
		if (!(nr % 1024))
			cond_resched();
	}
	return index;
}

void rxc_index_free(struct rxc_index *index)
{
	WARN_ON_ONCE(atomic_long_read(&index->used));
	vfree(index->sets);
	kvfree(index);
}

void rxc_index_prefetch(struct rxc_index *index, u64 key)
{
	const struct rxc_set *set = index_set(index, hash_key(key));

	prefetch(set);
	prefetch(set->print);
}

/*
 * Takes no lock and stores nothing. The answer was true at some moment within the call,
 * and may be outdated when the caller gets it.
 */
bool rxc_index_has(struct rxc_index *index, u64 key)
{
	u64 hash = hash_key(key);
	struct rxc_set *set = index_set(index, hash);
	unsigned int seq;
	int way;

	do {
		seq = read_seqcount_begin(&set->seq);
		way = set_find(set, key, hash);
	} while (read_seqcount_retry(&set->seq, seq));
	return way >= 0;
}

/*
 * Takes no lock, but checks @seq twice. The first check makes sure that the frame
 * belongs to the key: without it, the frame might even be none of the machine's (0, or
 * memory that is gone). After this check the page may still be freed and belong to
 * somebody else, who then sees its count go up and down again, as every look-up in the
 * page cache may do to any page. If the second check finds @seq unchanged, the page was
 * in the index when it already had our reference, so it keeps its content.
 *
 * A page whose count is zero is being freed, and had left the index before: the next
 * round finds a changed set.
 */
struct page *rxc_index_get(struct rxc_index *index, u64 key, bool hit)
{
	u64 hash = hash_key(key);
	struct rxc_set *set = index_set(index, hash);
	struct page *page;
	unsigned int seq;
	u32 frame;
	int way;

	for (;;) {
		seq = read_seqcount_begin(&set->seq);
		way = set_find(set, key, hash);
		page = NULL;
		if (way >= 0) {
			frame = READ_ONCE(set->way[way].frame);
			if (unlikely(read_seqcount_retry(&set->seq, seq)))
				continue;
			page = pfn_to_page(frame);
			if (unlikely(!get_page_unless_zero(page))) {
				cpu_relax();
				continue;
			}
		}
		if (likely(!read_seqcount_retry(&set->seq, seq)))
			break;
		if (page)
			rxc_page_put(page);
	}
	if (page && hit)
		index->policy->hit(set->policy, way);
	return page;
}

/* Takes a block out of a set without counting it. Returns its page. */
static struct page *set_take(struct rxc_index *index, struct rxc_set *set,
			     unsigned int way, enum rxc_policy_exit exit)
{
	struct page *page = set_page(set, way);
	u64 hash = hash_key(set->way[way].key);

	empty_way(set, way);
	index->policy->remove(set->policy, way, (u16)hash, exit);
	return page;
}

/* Takes the policy's victim out of a set that has blocks, uncounted. Returns its way. */
static unsigned int set_evict(struct rxc_index *index, struct rxc_set *set,
			      struct rxc_taken *evicted)
{
	unsigned int way = index->policy->victim(set->policy, index->ways, set->taken);

	evicted->key = set->way[way].key;
	evicted->page = set_take(index, set, way, RXC_EXIT_EVICT);
	return way;
}

static unsigned int free_way(struct rxc_index *index, struct rxc_set *set,
			     struct rxc_taken *evicted)
{
	u64 all = GENMASK_ULL(index->ways - 1, 0);

	lockdep_assert_held(&set->lock);
	evicted->page = NULL;
	if (set->taken != all)
		return __ffs64(~set->taken & all);
	return set_evict(index, set, evicted);
}

enum rxc_stored rxc_index_store(struct rxc_index *index, u64 key,
				struct page *page, enum rxc_store how,
				struct rxc_taken *old)
{
	enum rxc_stored result = RXC_STORED_NOT;
	u64 hash = hash_key(key);
	struct rxc_set *set = index_set(index, hash);
	unsigned long flags;
	int way;

	/* Sets keep 32 bits of a frame number, which beyond 16 TiB has more. */
	old->page = page;
	old->key = key;
	old->known = false;
	if (page_to_pfn(page) > U32_MAX)
		return RXC_STORED_NOT;

	spin_lock_irqsave(&set->lock, flags);
	way = set_find(set, key, hash);
	if (way >= 0) {
		old->page = set_page(set, way);
		write_seqcount_begin(&set->seq);
		set->way[way].frame = page_to_pfn(page);
		write_seqcount_end(&set->seq);
		result = RXC_STORED_REPLACED;
	} else if (how != RXC_STORE_REPLACE) {
		way = free_way(index, set, old);
		if (old->page) {
			index_count_swap(index, old->key, key);
			result = RXC_STORED_EVICTED;
		} else {
			index_count(index, key, 1);
			result = RXC_STORED_INSERTED;
		}
		fill_way(set, way, key, hash, page);
		/* The policy knows a block by 16 bits that do not depend on the set. */
		old->known = index->policy->insert(set->policy, way, (u16)hash,
						   how == RXC_STORE_READ ?
						   RXC_ENTRY_READ : RXC_ENTRY_WRITE);
	}
	spin_unlock_irqrestore(&set->lock, flags);
	return result;
}

struct page *rxc_index_remove(struct rxc_index *index, u64 key)
{
	u64 hash = hash_key(key);
	struct rxc_set *set = index_set(index, hash);
	struct page *page = NULL;
	unsigned long flags;
	int way;

	spin_lock_irqsave(&set->lock, flags);
	way = set_find(set, key, hash);
	if (way >= 0) {
		page = set_take(index, set, way, RXC_EXIT_DROP);
		index_count(index, key, -1);
	}
	spin_unlock_irqrestore(&set->lock, flags);
	return page;
}

bool rxc_index_may_hold(struct rxc_index *index, u64 first, u64 last)
{
	u64 region, end = last >> REGION_SHIFT;

	for (region = first >> REGION_SHIFT; region <= end; region++)
		if (end - region >= NR_REGIONS ||
		    atomic_read(region_of(index, region << REGION_SHIFT)))
			return true;
	return false;
}

struct page *rxc_index_remove_next(struct rxc_index *index, u64 first,
				   u64 last, u64 *cursor)
{
	struct page *page = NULL;
	struct rxc_set *set;
	unsigned long flags;
	unsigned int way;
	u64 left, end = min(*cursor + WALK_SETS, index->nr_sets);

	for (; *cursor < end && !page; *cursor += !page) {
		set = &index->sets[*cursor];
		/* Nobody stores a key of the range meanwhile: see index.h. */
		if (!READ_ONCE(set->taken))
			continue;
		spin_lock_irqsave(&set->lock, flags);
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			if (set->way[way].key < first || set->way[way].key > last)
				continue;
			page = set_take(index, set, way, RXC_EXIT_DROP);
			index_count(index, set->way[way].key, -1);
			break;
		}
		spin_unlock_irqrestore(&set->lock, flags);
	}
	return page;
}

/* Takes the policy's victim out of a set, full or not. Returns whether there was one. */
static bool shrink_set(struct rxc_index *index, struct rxc_set *set,
		       struct rxc_taken *old)
{
	unsigned long flags;
	bool found = READ_ONCE(set->taken);

	if (!found)
		return false;
	spin_lock_irqsave(&set->lock, flags);
	found = set->taken;
	if (found) {
		set_evict(index, set, old);
		index_count(index, old->key, -1);
	}
	spin_unlock_irqrestore(&set->lock, flags);
	return found;
}

bool rxc_index_shrink(struct rxc_index *index, struct rxc_taken *old)
{
	u64 nr, tries = min_t(u64, index->nr_sets, WALK_SETS);
	bool found = false;

	/* Called for each failed allocation, so it returns early without blocks. */
	if (!rxc_index_used(index))
		return false;
	for (; tries && !found; tries--) {
		nr = atomic64_inc_return(&index->shrink_cursor);
		div64_u64_rem(nr, index->nr_sets, &nr);
		found = shrink_set(index, &index->sets[nr], old);
	}
	return found;
}

void rxc_index_mark(struct rxc_index *index, u64 first, u64 last,
		    unsigned long *bitmap, u64 *cursor)
{
	u64 left, end = min(*cursor + WALK_SETS, index->nr_sets);
	struct rxc_set *set;
	unsigned long flags;
	unsigned int way;

	for (; *cursor < end; ++*cursor) {
		set = &index->sets[*cursor];
		spin_lock_irqsave(&set->lock, flags);
		for (left = set->taken; left; left &= left - 1) {
			way = __ffs64(left);
			if (set->way[way].key >= first && set->way[way].key <= last)
				__set_bit(set->way[way].key - first, bitmap);
		}
		spin_unlock_irqrestore(&set->lock, flags);
	}
}

u64 rxc_index_blocks(const struct rxc_index *index)
{
	return index->nr_sets * index->ways;
}

u64 rxc_index_sets(const struct rxc_index *index)
{
	return index->nr_sets;
}

u64 rxc_index_used(const struct rxc_index *index)
{
	long used = atomic_long_read(&index->used);

	return used > 0 ? used : 0;
}

u64 rxc_index_bytes(const struct rxc_index *index)
{
	return sizeof(*index) + index->nr_sets * sizeof(*index->sets);
}
