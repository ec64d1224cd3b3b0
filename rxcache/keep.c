// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a write is kept: fresh pages with the user's bytes, from which the
 * origin is written, and which the index gets at the write's end. See write.c for
 * when.
 */
#include <linux/highmem.h>
#include <linux/mm.h>
#include "rxcache.h"
#include "trace.h"

/* In page->private of a kept page: what it is, below the block number. */
enum {
	KEPT_WHOLE	= 1,	/* the user wrote the whole block */
	KEPT_DROPPED	= 2,	/* the old copy was dropped before sending */
	KEPT_SHIFT	= 2,
};

/* A fresh page, or NULL. @left is how many may be wanted, at least 1. */
static struct page *hand_page(struct rxc_map *map, struct rxc_hand *hand, u64 left)
{
	if (!hand->nr) {
		hand->next = clamp(2 * hand->next, 1U, (unsigned int)RXC_BATCH);
		hand->nr = rxc_pool_pages(map, hand->page,
					  min_t(u64, hand->next, left));
	}
	return hand->nr ? hand->page[--hand->nr] : NULL;
}

/* What is left at hand was not needed: nobody has seen it. */
void rxc_hand_end(struct rxc_map *map, struct rxc_hand *hand)
{
	while (hand->nr)
		rxd_pool_free(map->pool.memory, hand->page[--hand->nr],
			      map->pool.order);
}

/*
 * A fresh page for a block that is to be kept, filled but for what the user
 * writes; NULL if the block is not to be kept, or can't be. May sleep, but
 * takes memory without waiting.
 */
static struct page *page_to_keep(struct rxc_map *map, const struct rxc_span *span,
				 struct rxc_hand *hand, u64 left)
{
	struct page *page, *old;
	unsigned int i;
	u64 key = rxc_map_key(map, span->block);

	if (span->whole && READ_ONCE(map->write_allocate))
		return hand_page(map, hand, left);

	rcu_read_lock();
	old = rxc_index_lookup(map->pool.index, key, false);
	page = old ? hand_page(map, hand, left) : NULL;
	if (page && !span->whole)
		for (i = 0; i < 1U << map->pool.order; i++)
			copy_highpage(page + i, old + i);
	rcu_read_unlock();
	return page;
}

static void copy_from_bio(struct bio *bio, struct bvec_iter *iter,
			  struct page *page, unsigned int offset,
			  unsigned int len)
{
	rxc_iter_moved(iter, len);
	while (len) {
		struct bio_vec bv = bio_iter_iovec(bio, *iter);
		unsigned int n = min3(len, bv.bv_len,
				      (unsigned int)(PAGE_SIZE - offset_in_page(offset)));
		void *src = bvec_kmap_local(&bv);
		void *dst = kmap_local_page(page + (offset >> PAGE_SHIFT));

		memcpy(dst + offset_in_page(offset), src, n);
		kunmap_local(dst);
		kunmap_local(src);
		rxc_iter_step(bio, iter, n);
		offset += n;
		len -= n;
	}
}

/*
 * Step 2 for a block that is to be kept: adds it to the part, from a page of its
 * own, and moves @iter on. Returns false if it is not to be kept, or can't be, with
 * nothing done. Context: process; takes memory without waiting.
 */
bool rxc_keep_block(struct rxc_part *part, struct bvec_iter *iter,
		    const struct rxc_span *span, struct rxc_hand *hand)
{
	struct rxc_map *map = part->map;
	unsigned long kept = span->block << KEPT_SHIFT;
	struct page *page;

	page = page_to_keep(map, span, hand, part->busy.last - span->block + 1);
	if (!page)
		return false;
	copy_from_bio(part->io->bio, iter, page, span->offset, span->len);
	/* A read in flight may see the new data before the copy changes. */
	if (part->busy.met && rxc_invalidate_block(map, span->block))
		kept |= KEPT_DROPPED;
	set_page_private(page, kept | (span->whole ? KEPT_WHOLE : 0));
	list_add_tail(&page->lru, &part->kept);
	__bio_add_page(&part->bio, page + (span->offset >> PAGE_SHIFT),
		       span->len, offset_in_page(span->offset));
	return true;
}

/* What became of a kept page: its block if it was not stored, else what made room. */
struct outcome {
	struct page *page;
	enum rxc_stored stored;
	union {
		u64 block;
		struct rxc_taken old;
	};
};

static enum rxc_store how_to_store(const struct rxc_map *map,
				   unsigned long kept)
{
	if (kept & KEPT_DROPPED ||
	    (kept & KEPT_WHOLE && READ_ONCE(map->write_allocate)))
		return RXC_STORE_WRITE;
	return RXC_STORE_REPLACE;
}

/*
 * Step 4 for the first kept pages. Returns how many, and what became of them in
 * @out, which has room for RXC_BATCH. Context: any.
 */
static unsigned int store_some(struct rxc_part *part, struct outcome *out,
			       u64 *ahead)
{
	struct rxc_map *map = part->map;
	unsigned long kept, flags;
	unsigned int nr = 0;
	struct page *page;
	u64 block;

	spin_lock_irqsave(&map->busy.lock, flags);
	for (; nr < RXC_BATCH && !list_empty(&part->kept); nr++) {
		page = list_first_entry(&part->kept, struct page, lru);
		list_del(&page->lru);
		kept = page_private(page);
		/* Once it is stored, others may take it out and put their own there. */
		set_page_private(page, 0);
		block = kept >> KEPT_SHIFT;
		out[nr].page = page;
		out[nr].stored = RXC_STORED_NOT;
		if (!part->busy.raced && !part->bio.bi_status) {
			rxc_prefetch(map, block, part->busy.last, ahead);
			out[nr].stored = rxc_index_store(map->pool.index,
							 rxc_map_key(map, block), page,
							 how_to_store(map, kept),
							 &out[nr].old);
		}
		if (out[nr].stored == RXC_STORED_NOT)
			out[nr].block = block;
	}
	spin_unlock_irqrestore(&map->busy.lock, flags);
	return nr;
}

/* Adds to @retired what is to be freed once nobody reads it. Context: any. */
static void settle(struct rxc_map *map, struct outcome *out,
		   struct list_head *retired, u64 *updated)
{
	struct rxc_pool *pool = &map->pool;

	switch (out->stored) {
	case RXC_STORED_NOT:
		/* The index has no word for some pages; what it has is older. */
		rxc_invalidate_block(map, out->block);
		rxc_count(map, RXC_WRITE_BYPASS, 1);
		/* It was never in the index: no reader has it. */
		rxd_pool_free(pool->memory, out->page, pool->order);
		return;
	case RXC_STORED_EVICTED:
		rxc_note_evicted(map, &out->old);
		fallthrough;
	case RXC_STORED_INSERTED:
		rxc_count(map, RXC_WRITE_ALLOCATE, 1);
		if (out->old.known)
			rxc_count(map, RXC_GHOST_HIT, 1);
		break;
	case RXC_STORED_REPLACED:
		++*updated;
		break;
	}
	if (out->old.page)
		list_add_tail(&out->old.page->lru, retired);
}

/*
 * Step 4 for the pages that were kept: each is in the index afterwards, or free.
 * Context: any, but process if there are many.
 */
void rxc_keep_end(struct rxc_part *part)
{
	u64 ahead = part->busy.first + 1, updated = 0;
	struct rxc_map *map = part->map;
	struct outcome out[RXC_BATCH] __uninitialized;
	unsigned int nr, i;
	LIST_HEAD(retired);

	while ((nr = store_some(part, out, &ahead)))
		for (i = 0; i < nr; i++)
			settle(map, &out[i], &retired, &updated);
	if (updated)
		rxc_count(map, RXC_WRITE_UPDATE, updated);
	rxd_pool_retire(map->pool.memory, &retired, map->pool.order);
}
