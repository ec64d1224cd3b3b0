// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kept blocks of a write: fresh pages with the user's bytes. The origin is written from
 * these pages, and the index gets them at the end of the write. See write.c for the
 * steps.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <rx/pages.h>
#include <rx/pool.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/stats.h"
#include "io/copy.h"
#include "io/keep.h"
#include "io/part.h"
#include "memory/evict.h"
#include "memory/pool.h"
#include "packed/unpack.h"
#include "speed.h"

/*
 * page->private of a kept page has the distance of its block from the part's first one,
 * and KEPT_DROPPED if the block was cached and had to be dropped.
 */
enum { KEPT_DROPPED = 1, KEPT_SHIFT = 1 };

static u64 kept_block(const struct rxc_part *part, struct page *page)
{
	return part->busy.first + (page_private(page) >> KEPT_SHIFT);
}

/* Returns whether the user wrote all of a block of the part. */
static bool block_is_whole(const struct rxc_part *part, u64 block)
{
	return (block != part->busy.first || part->head_whole) &&
	       (block != part->busy.last || part->tail_whole);
}

/*
 * Returns a fresh page, or NULL. At most @left more pages, at least 1, will be wanted. The
 * part holds pages from the first one that is wanted, because a write that keeps no block
 * wants none.
 */
static struct page *hand_page(struct rxc_part *part, struct rxc_hand *hand, u64 left)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_speed speed;

	if (!hand->asked) {
		hand->asked = true;
		speed = rxc_speed_of(part->io->bio);
		hand->more = rxc_part_hold(part, &speed, left);
	}
	if (hand->used == hand->nr && hand->more) {
		hand->next = clamp(2 * hand->next, 1U, (unsigned int)RXC_BATCH);
		hand->used = 0;
		hand->nr = rxc_pool_pages(cache, hand->page,
					  min3(left, (u64)hand->next, (u64)hand->more));
		hand->more -= hand->nr;
	}
	return hand->used < hand->nr ? hand->page[hand->used++] : NULL;
}

/* Begins an empty stock. Context: any. */
void rxc_hand_begin(struct rxc_hand *hand)
{
	hand->nr = hand->used = hand->next = hand->more = 0;
	hand->asked = false;
}

/* Gives back the rest of the stock, to which nothing else refers. */
void rxc_hand_end(struct rxc_part *part, struct rxc_hand *hand)
{
	struct rxc_pool *pool = part->cache->pool;

	rxc_part_unhold(part, hand->more + hand->nr - hand->used);
	while (hand->used < hand->nr)
		rxd_pool_free(pool->memory, hand->page[hand->used++], pool->order);
}

/* Does what page_to_keep() does for a block of which the user wrote a part, if compressed. */
static struct page *packed_to_keep(struct rxc_part *part, u64 block, struct rxc_hand *hand,
				   u64 left)
{
	struct rxc_cache *cache = part->cache;
	struct page *page;

	if (!READ_ONCE(cache->pool->pack) ||
	    !rxc_index_has(cache->index, rxc_cache_key(cache, block)))
		return NULL;
	page = hand_page(part, hand, left);
	if (!page || rxc_unpack_block(cache, block, page))
		return page;
	/* Nothing else refers to the new page. */
	rxd_pool_free(cache->pool->memory, page, cache->pool->order);
	return NULL;
}

/*
 * Returns a fresh page for a block that is to be kept. The page has all of the block but
 * the user's bytes. Returns NULL if the block is not to be kept, or can't be. Context:
 * process; takes memory without waiting.
 */
static struct page *page_to_keep(struct rxc_part *part, const struct rxc_span *span,
				 struct rxc_hand *hand, u64 left, bool allocate)
{
	struct rxc_cache *cache = part->cache;
	struct page *page, *old;
	bool whole = true;
	unsigned int i;
	u64 key = rxc_cache_key(cache, span->block);

	if (span->whole)
		return allocate || rxc_index_has(cache->index, key) ?
		       hand_page(part, hand, left) : NULL;

	rcu_read_lock();
	old = rxc_index_peek(cache->index, key);
	rcu_read_unlock();
	if (!old)
		return packed_to_keep(part, span->block, hand, left);
	page = hand_page(part, hand, left);
	for (i = 0; page && whole && i < 1U << cache->pool->order; i++)
		whole = rxc_copy_page(page + i, old + i);
	rxc_page_put(old);
	if (whole)
		return page;
	rxc_pool_drop_bad(cache, span->block);
	/* Nothing else refers to the new page. */
	rxd_pool_free(cache->pool->memory, page, cache->pool->order);
	return NULL;
}

/*
 * Step 2 for a block that is to be kept: adds the block to the part, from a fresh page,
 * and moves @iter on. Returns false, and leaves both as they are, if the block is not to
 * be kept, or can't be. Context: process; takes memory without waiting.
 */
bool rxc_keep_block(struct rxc_part *part, struct bvec_iter *iter,
		    const struct rxc_span *span, struct rxc_hand *hand)
{
	struct rxc_cache *cache = part->cache;
	bool dropped = false;
	struct page *page;

	page = page_to_keep(part, span, hand, part->busy.last - span->block + 1,
			    READ_ONCE(cache->write_allocate) && !part->was_frozen);
	if (!page)
		return false;
	rxc_copy_from_bio(part->io->bio, iter, page, span->offset, span->len);
	/* A read in flight may return the new data before the cached copy changes. */
	if (part->busy.met)
		dropped = rxc_pool_drop(cache, span->block);
	set_page_private(page, (span->block - part->busy.first) << KEPT_SHIFT |
			 (dropped ? KEPT_DROPPED : 0));
	rx_pages_add(&part->kept, page);
	/* There is room, see write_plan(): a block's contiguous pages take one vec. */
	WARN_ON_ONCE(!bio_add_page(&part->bio, page + (span->offset >> PAGE_SHIFT),
				   span->len, offset_in_page(span->offset)));
	return true;
}

/*
 * Frees a part that was not sent, so nothing else refers to its pages. The only effect
 * left is that some blocks are not cached, because the part dropped them or other
 * requests did not keep them. Context: process.
 */
void rxc_keep_undo(struct rxc_part *part)
{
	struct rxc_pool *pool = part->cache->pool;
	struct page *page;

	while ((page = rx_pages_pop(&part->kept))) {
		set_page_private(page, 0);
		rxd_pool_free(pool->memory, page, pool->order);
	}
	rxc_busy_leave(&part->cache->busy, &part->busy);
	rxc_part_free(part);
}

/**
 * struct keep_stored - the result of step 4 so far
 * @ahead: the next block whose index set is prefetched
 * @updated: number of blocks that were cached
 * @allocated: number of blocks that were not cached
 * @known: number of these that the policy had evicted lately
 * @over: the cache has more than its max share
 * @retired: pages that left the index for kept ones
 * @refused: kept pages that were not stored
 */
struct keep_stored {
	u64 ahead;
	u64 updated;
	u64 allocated;
	u64 known;
	bool over;
	struct rx_pages retired;
	struct rx_pages refused;
};

static enum rxc_store how_to_store(const struct rxc_part *part, u64 block, bool dropped)
{
	/*
	 * The old copy was dropped before sending, so the new one takes its place,
	 * whether the cache was frozen before or after that.
	 */
	if (dropped)
		return RXC_STORE_WRITE;
	if (READ_ONCE(part->cache->frozen))
		return RXC_STORE_REPLACE;
	/* The block may have been cached and evicted before it could be dropped. */
	if (part->busy.met)
		return RXC_STORE_WRITE;
	if (block_is_whole(part, block) && READ_ONCE(part->cache->write_allocate))
		return RXC_STORE_WRITE;
	return RXC_STORE_REPLACE;
}

/* Stores a kept page of a part that is neither raced nor failed. */
static void keep_store_page(struct rxc_part *part, struct page *page,
			    struct keep_stored *s)
{
	struct rxc_cache *cache = part->cache;
	unsigned long private = page_private(page);
	u64 block = kept_block(part, page);
	struct rxc_taken old;

	rxc_busy_assert_held(&cache->busy, block);
	rxc_prefetch(cache, block, part->busy.last, &s->ahead);
	/* Once the page is stored, other tasks may take it out and use page->private. */
	set_page_private(page, 0);
	switch (rxc_index_store(cache->index, rxc_cache_key(cache, block), page,
				how_to_store(part, block, private & KEPT_DROPPED),
				&old)) {
	case RXC_STORED_NOT:
	case RXC_STORED_FULL:
		set_page_private(page, private);
		rx_pages_add(&s->refused, page);
		return;
	case RXC_STORED_EVICTED:
		/* Under the lock of the range, which is a section as evict.c wants it. */
		rxc_evict_note(cache->pool, &old, RXC_EVICT, RXC_EVICT_ROOM);
		fallthrough;
	case RXC_STORED_INSERTED:
		s->allocated++;
		s->known += old.known;
		s->over |= old.over;
		break;
	case RXC_STORED_REPLACED:
		s->updated++;
		/* A compressed block that was replaced may keep its bin. */
		s->over |= old.over;
		break;
	}
	if (old.page)
		rxc_pool_retire_block(cache->pool, &s->retired, old.page);
}

/*
 * Step 4 for the first RXC_BATCH kept pages. If all pages have been stored, the range
 * leaves the tree. Returns whether the range did. Context: any.
 */
static bool keep_store(struct rxc_part *part, struct keep_stored *s)
{
	struct rxc_busy_tree *busy = &part->cache->busy;
	unsigned int left = RXC_BATCH;
	struct rxc_busy_held held;
	struct page *page;
	bool all;

	rxc_busy_lock(busy, part->busy.first, part->busy.last, &held);
	if (part->busy.raced || part->bio.bi_status)
		rx_pages_splice(&s->refused, &part->kept);
	while (left-- && (page = rx_pages_pop(&part->kept)))
		keep_store_page(part, page, s);
	all = rx_pages_empty(&part->kept) && rx_pages_empty(&s->refused);
	if (all)
		rxc_busy_leave_locked(busy, &part->busy);
	rxc_busy_unlock(busy, &held);
	return all;
}

/*
 * Step 4 for the kept pages: each is in the index afterwards, or free. Returns whether
 * all are in the index. If so, the range has left the tree, and was not raced. Context:
 * any.
 */
bool rxc_keep_end(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	struct rxc_pool *pool = cache->pool;
	struct keep_stored s = { .ahead = part->busy.first + 1 };
	struct page *page;
	bool all = false;

	while (!rx_pages_empty(&part->kept))
		all = keep_store(part, &s);
	while ((page = rx_pages_pop(&s.refused))) {
		/* A copy that the index still has is older than the page. */
		rxc_pool_drop(cache, kept_block(part, page));
		part->bypassed++;
		set_page_private(page, 0);
		/* The page was never in the index, so no reader has it. */
		rxd_pool_free(pool->memory, page, pool->order);
	}
	if (s.updated)
		rxc_count(cache, RXC_WRITE_UPDATE, s.updated);
	if (s.allocated)
		rxc_count(cache, RXC_WRITE_ALLOCATE, s.allocated);
	if (s.known)
		rxc_count(cache, RXC_GHOST_HIT, s.known);
	rxd_pool_retire(pool->memory, &s.retired, pool->order);
	if (unlikely(s.over))
		rxc_pool_cut_stored(pool, cache->key, s.allocated + s.updated);
	return all;
}
