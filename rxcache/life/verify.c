// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verification compares the cached blocks with the origin, while I/O goes on.
 *
 * The regions of the origin are verified in order. The cached blocks of a region are read
 * from the origin, neighbours together. The range of such a read is in the tree of ranges
 * in flight (busy.h) until its blocks are compared. If no write was in flight when the
 * range entered, and none began before the cached copy is looked up, the origin's content
 * did not change meanwhile. A cached copy must then equal the origin, whether the copy is
 * older than the read or came with a fill meanwhile. Cached pages never change in place.
 *
 * Only a writer behind the cache's back, failing memory or a bug can make a block
 * differ. A block that differs puts the cache into bypass mode at once.
 */
#include <linux/bio.h>
#include <linux/hash.h>
#include <linux/highmem.h>
#include <linux/ioprio.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "io/copy.h"
#include "io/origin.h"
#include "life/message.h"
#include "life/verify.h"
#include "memory/pool.h"
#include "packed/unpack.h"

enum {
	/* Blocks of a region, whose cached ones are found first. */
	REGION_BLOCKS = 1 << 20,
	/* Sets of the index that the pass visits before it may reschedule. */
	WALK_SETS = 1024,
	/* The most pages of a read: 256 KiB, and a block is not larger. */
	READ_PAGES = SZ_256K / PAGE_SIZE,
	/* Attempts to compare a block that is often written. */
	TRIES = 3,
};

/* The state of the work while it runs. */
struct walk {
	struct rxc_cache *cache;
	struct rxc_busy busy;
	unsigned long *cached;		/* bitmap of a region */
	u64 first, last;		/* keys of that region */
	struct page *pages[READ_PAGES + 1];	/* the last: copy of a cached page */
	struct page *unpacked;
	u64 salt;			/* gives each run another sample */
};

enum verdict { SAME, DIFFERS, GONE, RACED };

static void verify_add(u64 *counter, u64 n)
{
	WRITE_ONCE(*counter, *counter + n);
}

/* Returns whether a request asked for the end, or the origin is gone. */
static bool must_stop(const struct rxc_cache *cache)
{
	return READ_ONCE(cache->verify.stop) || READ_ONCE(cache->dead);
}

/*
 * Reports a block that differs. The first one puts the cache into bypass mode and sends an
 * event, and so does a later one if the cache has left that mode meanwhile.
 */
static void note_mismatch(struct rxc_cache *cache, u64 block)
{
	verify_add(&cache->verify.mismatches, 1);
	pr_err_ratelimited("rxcache: %s: cached block %llu differs from origin %s\n",
			   cache->name, block, cache->origin_name);
	mutex_lock(&rxc_mutex);
	/* A request may just be leaving that mode. */
	if (cache->mode != RXCACHE_MODE_BYPASS || cache->backlog.leave ||
	    cache->verify.mismatches == 1) {
		WRITE_ONCE(cache->mode, RXCACHE_MODE_BYPASS);
		rxc_backlog_stay(cache);
		rxc_notify_change(cache, RXCACHE_CAUSE_MISMATCH);
	}
	mutex_unlock(&rxc_mutex);
}

/* Compares copies of the cached pages, because rxc_copy_page() survives a memory error. */
static enum verdict pages_compare(struct walk *walk, struct page *const *a,
				  struct page *b, unsigned int bytes)
{
	struct page *copy = walk->pages[READ_PAGES];
	enum verdict verdict = SAME;
	unsigned int len, i;

	for (i = 0; bytes && verdict == SAME; i++, bytes -= len) {
		void *left, *right;

		if (!rxc_copy_page(copy, b + i))
			return GONE;
		left = kmap_local_page(a[i]);
		right = kmap_local_page(copy);
		len = min_t(unsigned int, bytes, PAGE_SIZE);
		if (memcmp(left, right, len))
			verdict = DIFFERS;
		kunmap_local(right);
		kunmap_local(left);
	}
	return verdict;
}

/* Compares @block with the bytes that were read. The range is in the tree. */
static enum verdict verify_compare(struct walk *walk, u64 block)
{
	struct rxc_cache *cache = walk->cache;
	unsigned int skip = (block - walk->busy.first) << cache->pool->order;
	sector_t stale = rxc_origin_stale_from(cache);
	enum verdict verdict = RACED;
	struct page *page = NULL, *bin = NULL;
	u64 key = rxc_cache_key(cache, block);
	struct rxc_busy_held held;
	unsigned int bytes = 0;

	rxc_busy_lock(&cache->busy, block, block, &held);
	if (!READ_ONCE(walk->busy.raced)) {
		/* Equals the bytes read: the range is marked raced before a block grows. */
		bytes = rxc_block_bytes(cache, block);
		page = rxc_index_peek(cache->index, key);
		if (!page)
			bin = rxc_index_get_packed(cache->index, key, false);
		/* The packer may have been between the two. */
		if (!page && !bin)
			page = rxc_index_peek(cache->index, key);
		verdict = GONE;
	}
	rxc_busy_unlock(&cache->busy, &held);
	if (bin) {
		if (rxc_unpack_from(cache, bin, block, walk->unpacked))
			verdict = pages_compare(walk, walk->pages + skip, walk->unpacked, bytes);
		rxc_page_put(bin);
	}
	if (page) {
		verdict = pages_compare(walk, walk->pages + skip, page, bytes);
		rxc_page_put(page);
		if (verdict == GONE)
			rxc_pool_drop_bad(cache, block);
	}
	/* It waits to be dropped, and no reader gets it. */
	if (((block << cache->block_shift) + bytes) >> SECTOR_SHIFT > stale && (page || bin))
		verdict = GONE;
	return verdict;
}

/* Reads the range from the origin. Returns 0 or an errno. */
static int verify_read(struct walk *walk)
{
	struct rxc_cache *cache = walk->cache;
	u64 begin = walk->busy.first << cache->block_shift;
	u64 left = (walk->busy.last << cache->block_shift) - begin +
		   rxc_block_bytes(cache, walk->busy.last);
	struct bio *bio;
	unsigned int i;
	int err;

	bio = bio_alloc(cache->origin.bdev, READ_PAGES, REQ_OP_READ, GFP_NOIO);
	bio->bi_iter.bi_sector = begin >> SECTOR_SHIFT;
	bio->bi_ioprio = IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7);
	for (i = 0; left; i++) {
		unsigned int len = min_t(u64, left, PAGE_SIZE);

		__bio_add_page(bio, walk->pages[i], len, 0);
		left -= len;
	}
	err = submit_bio_wait(bio);
	if (rx_claim_lost(&cache->origin, bio->bi_status))
		rxc_origin_note_dead(cache);
	bio_put(bio);
	return err;
}

/* Verifies the blocks from @first to @last. Returns the first raced one, or @last + 1. */
static u64 verify_once(struct walk *walk, u64 first, u64 last)
{
	struct rxc_verify *verify = &walk->cache->verify;
	u64 block = first;

	rxc_origin_note_size(walk->cache);
	walk->busy.first = first;
	walk->busy.last = last;
	rxc_busy_enter_verify(&walk->cache->busy, &walk->busy);
	if (verify_read(walk)) {
		verify_add(&verify->errors, 1);
		block = last + 1;
	}
	for (; block <= last; block++) {
		enum verdict verdict = verify_compare(walk, block);

		if (verdict == RACED)
			break;
		verify_add(verdict == GONE ? &verify->skipped : &verify->compared, 1);
		if (verdict == DIFFERS)
			note_mismatch(walk->cache, block);
	}
	rxc_busy_leave(&walk->cache->busy, &walk->busy);
	return block;
}

/* A write marks the whole range raced, so the rest is then verified block by block. */
static void verify_run(struct walk *walk, u64 first, u64 last)
{
	unsigned int tries;
	u64 block = verify_once(walk, first, last);

	for (; block <= last; block++) {
		for (tries = 0; tries < TRIES; tries++)
			if (must_stop(walk->cache) ||
			    verify_once(walk, block, block) > block)
				break;
		if (tries == TRIES)
			verify_add(&walk->cache->verify.skipped, 1);
	}
}

static bool verify_sampled(const struct walk *walk, u64 block)
{
	u32 sample = walk->cache->verify.sample;

	return sample <= 1 ||
	       (u32)hash_64(block ^ walk->salt, 32) < U32_MAX / sample;
}

static void verify_mark(void *arg, u64 key, unsigned int heat)
{
	struct walk *walk = arg;

	if (key >= walk->first && key <= walk->last)
		__set_bit(key - walk->first, walk->cached);
}

/*
 * Marks the cached blocks of the region. The cost is that of the smaller of the region and
 * the cache: a look-up of one block costs about as much as a walk through one set.
 */
static void region_mark(struct walk *walk)
{
	struct rxc_index *index = walk->cache->index;
	u64 key, cursor = 0;

	bitmap_zero(walk->cached, REGION_BLOCKS);
	if (walk->last - walk->first < rxc_index_sets(index)) {
		for (key = walk->first; key <= walk->last; key++) {
			if (rxc_index_has(index, key))
				__set_bit(key - walk->first, walk->cached);
			if (!(key % 1024) && must_stop(walk->cache))
				return;
			cond_resched();
		}
		return;
	}
	while (cursor < RXC_WALK_END && !must_stop(walk->cache)) {
		rxc_index_walk(index, &cursor, WALK_SETS, verify_mark, walk);
		cond_resched();
	}
}

/* Verifies the cached blocks from @first to @last, which are at most a region. */
static void verify_region(struct walk *walk, u64 first, u64 last)
{
	struct rxc_cache *cache = walk->cache;
	u64 block, end, nr = last - first + 1;

	walk->first = rxc_cache_key(cache, first);
	walk->last = rxc_cache_key(cache, last);
	if (!rxc_index_may_hold(cache->index, walk->first, walk->last))
		return;
	region_mark(walk);
	for (block = find_first_bit(walk->cached, nr);
	     block < nr && !must_stop(cache);
	     block = find_next_bit(walk->cached, nr, end)) {
		end = block + 1;
		if (!verify_sampled(walk, first + block))
			continue;
		while (end < nr && test_bit(end, walk->cached) &&
		       (end + 1 - block) << cache->pool->order <= READ_PAGES &&
		       verify_sampled(walk, first + end))
			end++;
		verify_run(walk, first + block, first + end - 1);
		cond_resched();
	}
}

/* Only the work uses the walk, and no read is in flight, because it waits for each. */
static void walk_free(struct walk *walk)
{
	unsigned int i;

	for (i = 0; i <= READ_PAGES; i++)
		if (walk->pages[i])
			__free_page(walk->pages[i]);
	if (walk->unpacked)
		__free_page(walk->unpacked);
	kvfree(walk->cached);
	kfree(walk);
}

static struct walk *walk_new(struct rxc_cache *cache)
{
	struct walk *walk = kzalloc(sizeof(*walk), GFP_KERNEL);
	unsigned int i;

	if (!walk)
		return NULL;
	walk->cache = cache;
	walk->salt = get_random_u64();
	walk->cached = kvcalloc(BITS_TO_LONGS(REGION_BLOCKS), sizeof(long),
				GFP_KERNEL);
	for (i = 0; i <= READ_PAGES && walk->cached; i++) {
		walk->pages[i] = alloc_page(GFP_KERNEL | __GFP_NORETRY);
		if (!walk->pages[i])
			break;
	}
	walk->unpacked = alloc_page(GFP_KERNEL | __GFP_NORETRY);
	if (i <= READ_PAGES || !walk->unpacked) {
		walk_free(walk);
		return NULL;
	}
	return walk;
}

static void verify_all(struct walk *walk)
{
	struct rxc_cache *cache = walk->cache;
	u64 first, end = (READ_ONCE(cache->bytes) - 1) >> cache->block_shift;

	for (first = 0; first <= end && !must_stop(cache); first += REGION_BLOCKS) {
		verify_region(walk, first,
			      min_t(u64, end, first + REGION_BLOCKS - 1));
		cond_resched();
	}
}

/*
 * The cache can't be freed meanwhile: rxc_cache_end() cancels this work and waits for it
 * first.
 */
static void verify_work(struct work_struct *work)
{
	struct rxc_cache *cache = container_of(work, struct rxc_cache, verify.work);
	struct walk *walk = walk_new(cache);

	if (walk) {
		verify_all(walk);
		walk_free(walk);
	} else {
		verify_add(&cache->verify.errors, 1);
	}
	/* Without its origin the verification may have ended early. */
	if (READ_ONCE(cache->dead))
		verify_add(&cache->verify.errors, 1);
	/* A mismatch sets bypass mode; the cached blocks are dropped now, all at once. */
	if (cache->verify.mismatches)
		rxc_pool_drop_all(cache);
	mutex_lock(&rxc_mutex);
	cache->verify.running = false;
	rxc_notify_change(cache, RXCACHE_CAUSE_VERIFIED);
	mutex_unlock(&rxc_mutex);
}

void rxc_verify_init(struct rxc_cache *cache)
{
	INIT_WORK(&cache->verify.work, verify_work);
}

/* Starts to verify a cache that has a device and is not being verified. */
void rxc_verify_start(struct rxc_cache *cache, u32 sample)
{
	struct rxc_verify *verify = &cache->verify;

	lockdep_assert_held(&rxc_mutex);
	verify->running = true;
	WRITE_ONCE(verify->stop, false);
	verify->sample = sample;
	WRITE_ONCE(verify->compared, 0);
	WRITE_ONCE(verify->skipped, 0);
	WRITE_ONCE(verify->mismatches, 0);
	WRITE_ONCE(verify->errors, 0);
	queue_work(rxc_life_wq, &verify->work);
}

/*
 * Ends the work. The cache is draining or was never active, so no request queues the work
 * again.
 */
void rxc_verify_cancel(struct rxc_cache *cache)
{
	WRITE_ONCE(cache->verify.stop, true);
	/* A work that had not begun does not clear @running itself. */
	if (cancel_work_sync(&cache->verify.work)) {
		mutex_lock(&rxc_mutex);
		cache->verify.running = false;
		mutex_unlock(&rxc_mutex);
	}
}
