/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The index: from a key (cache and block) to the pages that hold the block.
 *
 * Sets of up to 64 ways; a key belongs to one set, found by hashing. A set has
 * one spinlock, held for a change and never over a copy, and a sequence count
 * for look-ups, which take no lock. A look-up that returns a page takes a
 * reference to it, as a look-up in the page cache does: the page can leave the
 * index and be freed by its owner at any time, and stays readable, with the
 * block in it, until rxc_page_put(). So a hit writes to nothing that is shared
 * but the page's own count and the policy's mark, if that was not set.
 *
 * The number of sets can change while all this goes on: rxc_index_resize_begin().
 * Ranges of keys can be pinned (pins.h). Only eviction looks at that.
 */
#ifndef _RXC_INDEX_H
#define _RXC_INDEX_H

#include <linux/mm.h>
#include <linux/types.h>
#include "policy.h"

struct page;
struct rxc_index;

/*
 * Key of a block: the number of the cache in its pool above, the block's
 * number in the origin below (2^48 blocks of 4 KiB are 2^60 bytes).
 */
enum { RXC_KEY_BLOCK_BITS = 48 };

static inline u64 rxc_key(unsigned int map, u64 block)
{
	return (u64)map << RXC_KEY_BLOCK_BITS | block;
}

static inline u64 rxc_key_block(u64 key)
{
	return key & ((1ULL << RXC_KEY_BLOCK_BITS) - 1);
}

/* What rxc_index_store() may do if the key is not there. */
enum rxc_store { RXC_STORE_REPLACE, RXC_STORE_READ, RXC_STORE_WRITE };

/* What rxc_index_store() did. */
enum rxc_stored {
	RXC_STORED_NOT,		/* key absent and replace asked for */
	RXC_STORED_REPLACED,	/* old page of the same key comes back */
	RXC_STORED_INSERTED,	/* into a free way */
	RXC_STORED_EVICTED,	/* inserted, another key's page comes back */
};

/**
 * struct rxc_taken - a block that was taken out of the index
 * @page: the caller frees it; NULL: nothing was taken out
 * @key: of the block
 * @known: after a store, whether the policy knows the key that came in, because it was
 *	evicted lately
 */
struct rxc_taken {
	struct page *page;
	u64 key;
	bool known;
};

/*
 * Divides @blocks blocks (at least 1) into sets of equal size, with the most ways that
 * leave few blocks over. Returns how many sets.
 */
u64 rxc_index_divide(u64 blocks, unsigned int *ways);

/*
 * Makes an index for up to @blocks blocks (at least 1). Context: process, may sleep.
 * Returns the index, or ERR_PTR: -ENOMEM, -EINVAL if the policy's state is too large.
 */
struct rxc_index *rxc_index_new(u64 blocks, const struct rxc_policy *policy);

/* Every page must have been taken out. Context: process, may sleep. */
void rxc_index_free(struct rxc_index *index);

/*
 * Prefetches the cache lines that a look-up of @key will read. Context: any, in an RCU
 * read-side section or under a spin lock.
 */
void rxc_index_prefetch(struct rxc_index *index, u64 key);

/* Whether a key is there. Context: any. */
bool rxc_index_has(struct rxc_index *index, u64 key);

/*
 * Returns the page of a key, with a reference for rxc_page_put(), or NULL if the key is
 * not there. With @hit the policy is told of a hit. Context: any, in an RCU read-side
 * section or under a spin lock.
 */
struct page *rxc_index_get(struct rxc_index *index, u64 key, bool hit);

/*
 * Gives a reference to a page back. The page may have left the index meanwhile;
 * then this frees it. Context: any.
 */
static inline void rxc_page_put(struct page *page)
{
	/* The pool's pages are single ones or the first of their block. */
	folio_put((struct folio *)page);
}

/*
 * Puts @page under @key, in place of the page that the key has; the index takes over
 * the caller's reference to it. Context: any. *@old is the block that the caller now has
 * to free: the old one of the same key, an evicted one, @page itself if nothing was
 * stored, or none.
 */
enum rxc_stored rxc_index_store(struct rxc_index *index, u64 key,
				struct page *page, enum rxc_store how,
				struct rxc_taken *old);

/* Takes a key out. Context: any. Returns its page, to be freed, or NULL. */
struct page *rxc_index_remove(struct rxc_index *index, u64 key);

/*
 * Whether a key from @first to @last may be there; false is sure if no key of
 * the range is stored meanwhile. Context: any.
 */
bool rxc_index_may_hold(struct rxc_index *index, u64 first, u64 last);

/* Where a walk through the index ends. */
#define RXC_WALK_END	(1ULL << 32)

/*
 * Takes out the keys from @first to @last, one set after the other: call it with
 * *@cursor at 0 until that is RXC_WALK_END. The caller makes sure that no key of
 * the range is stored meanwhile. Visits a bounded number of sets. Context: any.
 * Returns a page to be freed, or NULL.
 */
struct page *rxc_index_remove_next(struct rxc_index *index, u64 first,
				   u64 last, u64 *cursor);

/*
 * Takes the block that the policy would miss least out of the next set that has
 * blocks. Visits a bounded number of sets. Context: any. Returns whether it found
 * one: the caller then frees *@old.
 */
bool rxc_index_shrink(struct rxc_index *index, struct rxc_taken *old);

/*
 * Calls @visit for each block of the next @sets sets, with its key and its heat (see
 * policy.h): call it with *@cursor at 0 until that is RXC_WALK_END. A block that stays in
 * the index is visited once, also while the number of sets changes. @visit runs under the
 * lock of a set, with interrupts off: at most RXC_WAYS_MAX times in a row. Context: any.
 */
void rxc_index_walk(struct rxc_index *index, u64 *cursor, unsigned int sets,
		    void (*visit)(void *arg, u64 key, unsigned int heat), void *arg);

/*
 * Begins to change the number of sets to that for @blocks (at least 1). Look-ups and
 * changes go on as before; a block that another change finds is found. Context: process,
 * may sleep; one caller at a time, up to rxc_index_resize_end(). Returns 0, or an errno of
 * rxc_index_new() or -ENOSPC: too much is pinned. Then nothing has changed.
 */
int rxc_index_resize_begin(struct rxc_index *index, u64 blocks);

/*
 * Moves the blocks of one more set. Those that find no room are taken out, the ones that
 * the policy would miss least: at most RXC_WAYS_MAX of them, their number in *@nr, which
 * the caller frees. Context: process. Returns false, with none, if all have moved.
 */
bool rxc_index_resize_next(struct rxc_index *index, struct rxc_taken *old,
			   unsigned int *nr);

/* All blocks have moved. Waits for a grace period. Context: process, may sleep. */
void rxc_index_resize_end(struct rxc_index *index);

/*
 * Pins the keys from @first to @last, up to rxc_index_pin_limit(): once their blocks are
 * cached, they are not evicted. rxc_index_unpin() is the opposite. Both take effect for
 * blocks that are cached later. For blocks that are cached already, the caller then calls
 * rxc_index_settle() for each key, or rxc_index_settle_all(). Returns 0, -ENOMEM,
 * -EOVERFLOW for too many ranges, or -ENOSPC for the limit. Context: process, may sleep.
 */
int rxc_index_pin(struct rxc_index *index, u64 first, u64 last);
int rxc_index_unpin(struct rxc_index *index, u64 first, u64 last);

/* Applies the pins to the block of a key, if it is cached. Context: any. */
void rxc_index_settle(struct rxc_index *index, u64 key);

/*
 * The same for the keys from @first to @last: call it with *@cursor at 0 until that is
 * RXC_WALK_END. Visits a bounded number of sets. Context: any.
 */
void rxc_index_settle_all(struct rxc_index *index, u64 first, u64 last, u64 *cursor);

/* Whether an index for @blocks may have as much pinned as is pinned now. Context: any. */
bool rxc_index_pins_fit(const struct rxc_index *index, u64 blocks);

/* In blocks: may be pinned, are pinned, and are pinned and cached. Context: any. */
u64 rxc_index_pin_limit(const struct rxc_index *index);
u64 rxc_index_pinned(const struct rxc_index *index);
u64 rxc_index_pinned_used(const struct rxc_index *index);

/* Context: any. While the number of sets changes, they tell what it will be. */
u64 rxc_index_blocks(const struct rxc_index *index);	/* it can hold */
u64 rxc_index_sets(const struct rxc_index *index);	/* cost of a walk */
u64 rxc_index_used(const struct rxc_index *index);	/* it holds now */
u64 rxc_index_bytes(const struct rxc_index *index);	/* it takes itself */

#endif
