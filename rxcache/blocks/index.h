/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The index maps a key (cache and block) to the pages that hold the block.
 *
 * The index has sets of up to 64 ways, and the hash of a key chooses its set. A set has
 * a spinlock for changes, which is never held over a copy, and a sequence count for
 * look-ups, which take no lock. A look-up that returns a page takes a reference to the
 * page, as a look-up in the page cache does. The page can leave the index and be freed
 * by its owner at any time, but it stays readable, with the block in it, until
 * rxc_page_put(). So a hit writes only two shared fields: the page's reference count
 * and the policy's mark, if that changes.
 *
 * The number of sets can change while the index is in use: rxc_index_resize_begin().
 * Ranges of keys can be pinned, and only eviction heeds the pins (pinned_ranges.h).
 *
 * A block that was read ahead is unread until its first reader comes. It is a block like
 * any other, but rxc_index_get() does not find it, so that hits need not look whether a
 * block is unread. A reader that finds nothing asks rxc_index_use(), which makes the block
 * an ordinary one.
 */
#ifndef _RXC_INDEX_H
#define _RXC_INDEX_H

#include <linux/mm.h>
#include <linux/types.h>
#include "blocks/key.h"
#include "blocks/policy.h"

struct rxc_index;

/*
 * rxc_index_store() ignores an absent key, or inserts its block as read, written or read
 * ahead. A block that is there already is not replaced by one that was read ahead.
 */
enum rxc_store { RXC_STORE_REPLACE, RXC_STORE_READ, RXC_STORE_WRITE, RXC_STORE_AHEAD };

/* The result of rxc_index_store(). */
enum rxc_stored {
	RXC_STORED_NOT,		/* replace of an absent key, or not rxc_index_takes() */
	RXC_STORED_REPLACED,	/* the key's former page comes back, or @page if it stays */
	RXC_STORED_INSERTED,	/* into a free way */
	RXC_STORED_EVICTED,	/* inserted, another key's page comes back */
	RXC_STORED_FULL,	/* no block of the set may make room for it */
};

/*
 * Divides @blocks blocks (at least 1) into sets of equal size, so that fewer than
 * RXC_WAYS_MAX blocks are left over. Returns the number of sets, with *@ways in each.
 */
u64 rxc_index_divide(u64 blocks, unsigned int *ways);

/*
 * Makes an index for up to @blocks blocks (at least 1). Context: process, may sleep.
 * Returns the index, or ERR_PTR: -ENOMEM, -EINVAL if the policy's state is too large.
 */
struct rxc_index *rxc_index_new(u64 blocks, const struct rxc_policy *policy);

/* Frees an index without blocks. Context: process, may sleep. */
void rxc_index_free(struct rxc_index *index);

/*
 * Prefetches the cache lines that a look-up of @key reads first. Context: any, in an RCU
 * read-side section or under a spin lock.
 */
void rxc_index_prefetch(struct rxc_index *index, u64 key);

/* Returns whether a key is there. Context: any. */
bool rxc_index_has(struct rxc_index *index, u64 key);

/*
 * Return the page of a key, with a reference for rxc_page_put(), or NULL if the key is not
 * there. rxc_index_get() tells the policy of a hit, and finds no unread block;
 * rxc_index_peek() finds any plain block and tells nobody. Context: any, in an RCU read-side
 * section or under a spin lock.
 */
struct page *rxc_index_get(struct rxc_index *index, u64 key);
struct page *rxc_index_peek(struct rxc_index *index, u64 key);

/*
 * Does the same for a block that is compressed, which neither of the two finds: returns the
 * first page of its bin. Tells the policy if this is a @hit. Context: as above.
 */
struct page *rxc_index_get_packed(struct rxc_index *index, u64 key, bool hit);

/*
 * Makes an unread block an ordinary one, because it is about to be read. Returns whether
 * the key has such a block; one caller gets true. *@known is set if the policy knows the
 * block, because it was evicted recently. Context: any.
 */
bool rxc_index_use(struct rxc_index *index, u64 key, bool *known);

/*
 * Drops a reference to a page. If the page has left the index meanwhile, the last
 * reference frees it. Context: any.
 */
static inline void rxc_page_put(struct page *page)
{
	/* The page is a single one or the first one of its block, so it is a folio. */
	folio_put((struct folio *)page);
}

/*
 * Returns whether the index can hold a page, or the pages that begin with it: sets keep 32
 * bits of a frame number. Memory from 16 TiB on needs more, with pages of 4 KiB.
 */
static inline bool rxc_index_takes(const struct page *page)
{
	return page_to_pfn(page) <= U32_MAX;
}

/*
 * Stores @page under @key, in place of the key's former page. The index takes over the
 * caller's reference to @page. *@old is the block that the caller then has to free: the
 * former one of the same key, an evicted one, @page itself if nothing was stored, or
 * none. Context: any.
 */
enum rxc_stored rxc_index_store(struct rxc_index *index, u64 key,
				struct page *page, enum rxc_store how,
				struct rxc_taken *old);

/**
 * struct rxc_pick - a block that is to be compressed, is to move to another bin, or is pinned
 *	and is to be plain
 * @page: its page or the first one of its bin, with a reference for rxc_page_put()
 * @packed: it is compressed
 * @pinned: it is pinned
 */
struct rxc_pick {
	u64 key;
	struct page *page;
	bool packed;
	bool pinned;
};

/**
 * struct rxc_picked - what a walk for picks has met, of the caches that have a codec in it
 * @plain: plain blocks
 * @marked: of these, blocks that were left out because of rxc_index_mark_plain()
 */
struct rxc_picked {
	u64 plain;
	u64 marked;
};

/*
 * Finds the blocks in the set at *@cursor that are to be compressed, of the caches whose codec
 * in @codecs, which has RXC_SHARERS, is not off, and compressed ones that are pinned or in
 * sparse bins. Of the caches in @rarely it takes always the same 32nd part of all blocks: with
 * another part each time, all would get their turn before they leave. Moves *@cursor on, up to
 * RXC_WALK_END, and adds to *@sum. @picks has room for RXC_WAYS_MAX. Context: any. Returns how
 * many.
 */
unsigned int rxc_index_pick(struct rxc_index *index, u64 *cursor, const u8 *codecs,
			    u32 rarely, struct rxc_pick *picks, struct rxc_picked *sum);

/*
 * Makes a block refer to the same bytes in @to, a bin or a plain page, if it still has the page
 * @from, to which the caller has a reference. Returns whether it does, and then the caller
 * gives @from back. Context: any.
 */
bool rxc_index_swap(struct rxc_index *index, u64 key, const struct page *from,
		    struct page *to);

/*
 * Notes that a block, if it still has @page, is not worth a compression with @codec. Context: any.
 */
void rxc_index_mark_plain(struct rxc_index *index, u64 key, struct page *page,
			  unsigned int codec);

/*
 * Whether a block of a bin is no victim for a block of cache number @cache, RXC_NOBODY or
 * RXC_ANYBODY. Context: any.
 */
bool rxc_index_stays(struct rxc_index *index, u64 key, const struct page *bin,
		     unsigned int cache);

/*
 * Takes a compressed block out if it still refers to @bin, and may make room for one of cache
 * number @cache, RXC_NOBODY or RXC_ANYBODY. With @own its cache is to have less, and it goes
 * unless it is pinned. Context: any. Returns whether it did.
 */
bool rxc_index_evict_from(struct rxc_index *index, u64 key, const struct page *bin,
			  unsigned int cache, bool own, struct rxc_taken *old);

/*
 * Pages. A plain block takes one page, and compressed ones share those of bins. Each cache is
 * charged for its part of the latter, by the number of its compressed blocks. All but
 * rxc_index_count_bins(), which adds to the pages of bins, and rxc_index_page_bound(), which
 * sets how many pages there is room for, are hints. Context: any.
 */
void rxc_index_count_bins(struct rxc_index *index, long pages);
void rxc_index_page_bound(struct rxc_index *index, u64 pages);
u64 rxc_index_page_room(const struct rxc_index *index);	/* 0: blocks were never compressed */
u64 rxc_index_bin_pages(const struct rxc_index *index);
u64 rxc_index_pages(const struct rxc_index *index);
u64 rxc_index_pages_by(const struct rxc_index *index, unsigned int cache);
u64 rxc_index_packed_pages_by(const struct rxc_index *index, unsigned int cache);
u64 rxc_index_packed_by(const struct rxc_index *index, unsigned int cache);	/* blocks */

/*
 * Whether a cache has ever had a compressed block. True if a look-up before the call has met a
 * compressed block of it. Context: any.
 */
bool rxc_index_has_packed(const struct rxc_index *index, unsigned int cache);
bool rxc_index_crowded(const struct rxc_index *index);	/* it has more pages than room */
u32 rxc_index_tight(const struct rxc_index *index);	/* caches that have nearly their max */
u64 rxc_index_vacant(const struct rxc_index *index);	/* plain blocks that need no eviction */

/* Takes a key out. Context: any. Returns its page, to be freed, or NULL. */
struct page *rxc_index_remove(struct rxc_index *index, u64 key);

/*
 * Returns whether a key from @first to @last may be there. False is certain if no key
 * of the range is stored meanwhile. Context: any.
 */
bool rxc_index_may_hold(struct rxc_index *index, u64 first, u64 last);

/* The cursor at the end of a walk through the index. */
#define RXC_WALK_END	(1ULL << 32)

/*
 * Takes out one key from @first to @last. Returns its page, which the caller frees, or
 * NULL. The first call has *@cursor at 0, the last one leaves it at RXC_WALK_END. The
 * caller makes sure that no key of the range is stored meanwhile. Each call visits a
 * bounded number of sets, so NULL is not the end. Context: any.
 */
struct page *rxc_index_remove_next(struct rxc_index *index, u64 first,
				   u64 last, u64 *cursor);

/* Says whether a cache compresses its blocks. Context: process, rxc_mutex. */
void rxc_index_packing(struct rxc_index *index, unsigned int cache, bool is);
u32 rxc_index_packers(const struct rxc_index *index);	/* these caches, as bits; any */

/*
 * Takes the policy's victim out of the next set with a block that may make room for one of
 * cache @cache, RXC_NOBODY or RXC_ANYBODY. With @plain, it is a plain block of a cache that
 * compresses, if the set has some. Visits a bounded number of sets, for a cache a few.
 * Returns whether it found a block, which the caller then frees: *@old. Context: any.
 */
bool rxc_index_shrink(struct rxc_index *index, unsigned int cache, bool plain,
		      struct rxc_taken *old);

/*
 * Takes a block of cache @cache, a plain one as with @plain, if the cache has more than its max;
 * other caches lose nothing. Visits up to RXC_CUT_SETS sets.
 */
enum { RXC_CUT_SETS = 16 };
bool rxc_index_cut(struct rxc_index *index, unsigned int cache, struct rxc_taken *old);

/*
 * Calls @visit for each block of the next @sets sets, with its key and its heat (see
 * policy.h). The first call has *@cursor at 0, the last one leaves it at RXC_WALK_END. A
 * block that stays in the index is visited once, also while the number of sets changes.
 * @visit runs under the lock of a set with interrupts off, at most RXC_WAYS_MAX times in
 * a row. Context: any.
 */
void rxc_index_walk(struct rxc_index *index, u64 *cursor, unsigned int sets,
		    void (*visit)(void *arg, u64 key, unsigned int heat), void *arg);

/*
 * Begins to change the number of sets to that for @blocks (at least 1). Meanwhile all
 * functions find each block, moved or not. Returns 0, an errno of rxc_index_new(), or
 * -ENOSPC if too much is pinned. After an error nothing has changed. Context: process,
 * may sleep; one caller at a time, up to rxc_index_resize_end().
 */
int rxc_index_resize_begin(struct rxc_index *index, u64 blocks);

/*
 * Moves the blocks of one more set. Where a new set is full, the policy's victim there
 * is taken out. These are *@nr blocks in @old, at most RXC_WAYS_MAX, which the caller
 * frees. Returns false, with *@nr 0, if all sets have moved. Context: process.
 */
bool rxc_index_resize_next(struct rxc_index *index, struct rxc_taken *old,
			   unsigned int *nr);

/*
 * Ends the change after all blocks have moved. Waits for a grace period. Context:
 * process, may sleep.
 */
void rxc_index_resize_end(struct rxc_index *index);

/* How far the change is, in parts of 1000; 0 if none is going on. Context: any. */
unsigned int rxc_index_resize_done(struct rxc_index *index);

/*
 * Pin or unpin the keys from @first to @last. Once cached, the block of a pinned key is
 * not evicted (but see pinned_ranges.h). Both functions take effect for blocks that enter the
 * cache later. For cached blocks the caller then calls rxc_index_settle() for each key,
 * or rxc_index_settle_all(). Return 0, -ENOMEM, -EOVERFLOW for too many ranges, or
 * -ENOSPC if rxc_index_pin_limit() would be exceeded. Context: process, may sleep.
 */
int rxc_index_pin(struct rxc_index *index, u64 first, u64 last);
int rxc_index_unpin(struct rxc_index *index, u64 first, u64 last);

/* Return what these would, but for -ENOMEM, and change nothing. */
int rxc_index_may_pin(struct rxc_index *index, u64 first, u64 last);
int rxc_index_may_unpin(struct rxc_index *index, u64 first, u64 last);

/* Applies the pins to the block of a key, if it is cached. Context: any. */
void rxc_index_settle(struct rxc_index *index, u64 key);

/*
 * Does the same for the keys from @first to @last in a bounded number of sets. The first
 * call has *@cursor at 0, the last one leaves it at RXC_WALK_END. Context: any.
 */
void rxc_index_settle_all(struct rxc_index *index, u64 first, u64 last, u64 *cursor);

/* Returns whether an index for @blocks may pin all keys pinned now. Context: any. */
bool rxc_index_pins_fit(const struct rxc_index *index, u64 blocks);

/*
 * In blocks: the limit of pins of all caches, the pinned ones of a cache, and the pinned and
 * cached, of a cache and of all. Context: any.
 */
u64 rxc_index_pin_limit(const struct rxc_index *index);
u64 rxc_index_pinned(const struct rxc_index *index, unsigned int cache);
u64 rxc_index_pinned_used(const struct rxc_index *index, unsigned int cache);
u64 rxc_index_pinned_all(const struct rxc_index *index);

/*
 * Sets the bounds of a cache: other caches leave it @min blocks, and it has @max at most; see
 * table.c. Context: any, one caller at a time.
 */
void rxc_index_bound(struct rxc_index *index, unsigned int cache, u64 min, u64 max);

/* The most blocks of a cache as rxc_index_bound() has set it, U64_MAX without. Context: any. */
u64 rxc_index_most(const struct rxc_index *index, unsigned int cache);

/* Whether a cache has more blocks than it may have. Context: any. */
bool rxc_index_over(const struct rxc_index *index, unsigned int cache);

/*
 * The numbers of the caches that use the index, as bits. A cache is among them before its
 * first block comes, and until its last one is gone. If there are several, the policy
 * takes new blocks in by other rules. A new index is for any numbers, by the rules for one
 * cache. Context: any, one caller at a time.
 */
void rxc_index_share(struct rxc_index *index, u32 caches);

/*
 * Whether the machine has the memory for an index for @blocks: more than twice of it is
 * available now. Context: process.
 */
bool rxc_index_fits(u64 blocks);

/* How many blocks an index for @blocks can hold. Context: any. */
u64 rxc_index_room(u64 blocks);

/* Context: any. While the number of sets changes, the first two return the new values. */
u64 rxc_index_blocks(const struct rxc_index *index);	/* capacity */
u64 rxc_index_sets(const struct rxc_index *index);	/* cost of a walk */
u64 rxc_index_used(const struct rxc_index *index);	/* blocks in the index */
u64 rxc_index_used_by(const struct rxc_index *index, unsigned int cache);	/* of a cache */
u64 rxc_index_unread(const struct rxc_index *index, unsigned int cache);	/* of a cache */
u64 rxc_index_vain(const struct rxc_index *index, unsigned int cache);	/* left unread; grows */
u64 rxc_index_bytes(const struct rxc_index *index);	/* memory of the index itself */

#endif
