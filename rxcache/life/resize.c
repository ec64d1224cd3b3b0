// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of a pool's size while it is in use, for all caches that share it.
 *
 * The index gets another number of sets, and its blocks move there one set after the
 * other (rehash.c), while I/O goes on. A smaller cache evicts the blocks that find no
 * room, those that the policy would miss least, and frees their pages at once. A larger
 * cache evicts only blocks whose new set is full: of a full cache up to 3 % if it grows by
 * less than a tenth, under 0.5 % if it grows by a tenth, none if it grows by half.
 *
 * The pool's bound is raised before the index grows, and lowered after the index has
 * shrunk, so the blocks in the index are always within the bound.
 */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include <uapi/linux/rxdsk.h>
#include "blocks/index.h"
#include "cache.h"
#include "figures/sampler.h"
#include "life/bounds.h"
#include "life/message.h"
#include "life/resize.h"
#include "memory/evict.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "packed/pack.h"

static const char unmapped[] = "the cache was unmapped meanwhile";
static const char more_is_pinned[] = "more than half of that size is pinned";
const char rxc_no_index[] = "no memory for the index of a cache of that size";
static const char more_is_promised[] = "the min shares of its caches are more than that size";

/* Moves the blocks of a set. Returns false if all have moved. @old has room for a set. */
static bool move_set(struct rxc_pool *pool, struct rxc_taken *old)
{
	unsigned int nr, i;
	bool more;

	/* See evict.c. */
	rcu_read_lock();
	more = rxc_index_resize_next(pool->index, old, &nr);
	for (i = 0; i < nr; i++)
		rxc_evict_note(pool, &old[i], RXC_EVICT, RXC_EVICT_RESIZE);
	rcu_read_unlock();
	for (i = 0; i < nr; i++)
		rxc_pool_free_block(pool, old[i].page);
	return more;
}

/*
 * Changes the size of the index. Returns 0, or an errno with its text in *@why. After
 * -ENOMEM or -ENOSPC nothing has changed. After -ECANCELED the blocks are spread over both
 * tables until the pool ends.
 */
static int resize_index(struct rxc_pool *pool, u64 blocks, const char **why)
{
	struct rxc_index *index = pool->index;
	struct rxc_taken *old;
	int err;

	/* Another change may have left the blocks in two tables; a third would lose them. */
	if (READ_ONCE(pool->ending)) {
		*why = unmapped;
		return -ECANCELED;
	}
	old = kmalloc_array(RXC_WAYS_MAX, sizeof(*old), GFP_KERNEL);
	err = old ? rxc_index_resize_begin(index, blocks) : -ENOMEM;
	if (err) {
		*why = err == -ENOSPC ? more_is_pinned : rxc_no_index;
	} else {
		/* Whole bins first: sets without room take single blocks, and leave half of a bin. */
		rxc_give_fit(pool, false);
		while (!READ_ONCE(pool->ending) && move_set(pool, old))
			cond_resched();
		if (READ_ONCE(pool->ending)) {
			*why = unmapped;
			err = -ECANCELED;
		} else {
			rxc_index_resize_end(index);
		}
	}
	kfree(old);
	return err;
}

/*
 * Makes the index of a new pool as large as its disk, because rxc_pool_open() runs for a
 * request, and only begins it. Each cache calls this when it starts. The size is not changed
 * meanwhile: that needs a cache that has started. Returns 0, or an errno with its text in
 * *@why, and then the next cache tries again.
 */
int rxc_resize_whole(struct rxc_pool *pool, const char **why)
{
	struct rxc_resize *resize = &pool->resize;
	u64 blocks = rxd_pool_size(pool->memory) >> pool->block_shift;
	int err = 0;

	/* A change of the size may hold the lock for long. */
	if (smp_load_acquire(&resize->whole))
		return 0;
	mutex_lock(&resize->whole_lock);
	if (!resize->whole && rxc_index_blocks(pool->index) < rxc_index_room(blocks))
		err = resize_index(pool, blocks, why);
	if (!err)
		smp_store_release(&resize->whole, true);
	mutex_unlock(&resize->whole_lock);
	return err;
}

/* For how many blocks the index of a pool of @bytes should be, by how many there are now. */
static u64 index_blocks(const struct rxc_pool *pool, u64 bytes)
{
	u64 blocks = bytes >> pool->block_shift, room = rxc_index_page_room(pool->index);
	u64 now = rxc_index_blocks(pool->index);

	if (!room || now <= room)
		return blocks;
	/* Compressed blocks are up to a few for each page. */
	return max(blocks, div64_u64(now << 10, room) * blocks >> 10);
}

/*
 * Sets what the blocks of the index may take to @bytes. Returns 0, or -ENOSPC with its text
 * in *@why if too much is pinned for that. Context: process.
 */
static int bound_pages(struct rxc_pool *pool, u64 bytes, const char **why)
{
	u64 was = rxc_index_page_room(pool->index), blocks = bytes >> pool->block_shift;

	if (!was)
		return 0;
	/* From here on no more is pinned than half of that. */
	rxc_index_page_bound(pool->index, rxc_index_room(blocks));
	if (!rxc_index_pins_fit(pool->index, blocks)) {
		rxc_index_page_bound(pool->index, was);
		*why = more_is_pinned;
		return -ENOSPC;
	}
	return 0;
}

/*
 * Makes the index one for as many blocks as @want returns, unless that is 0, because blocks are
 * compressed. Without memory for that it stays as it is. Context: a work that the end of the
 * pool cancels; may sleep.
 */
void rxc_resize_layout(struct rxc_pool *pool, u64 (*want)(const struct rxc_pool *pool))
{
	struct rxc_resize *resize = &pool->resize;
	const char *ignored;
	u64 blocks;

	/* The user may be changing the size, and blocks fit into the new one. */
	mutex_lock(&resize->whole_lock);
	blocks = want(pool);
	if (blocks && resize->whole && !READ_ONCE(pool->ending))
		resize_index(pool, blocks, &ignored);
	mutex_unlock(&resize->whole_lock);
}

/*
 * Returns 0, or an errno with its text in *@why. After -ECANCELED the index is half
 * moved, see resize_index(); after any other errno nothing has changed.
 */
static int resize_all(struct rxc_pool *pool, const char **why)
{
	struct rxd_pool *memory = pool->memory;
	u64 bytes = pool->resize.bytes, was = rxd_pool_size(memory), blocks;
	const char *ignored;
	int err = 0;

	if (bytes == was)
		return 0;
	if (bytes > was)
		err = rxd_pool_resize(memory, bytes, why);
	if (err)
		return err;
	blocks = index_blocks(pool, bytes);
	if (bytes < was)
		err = bound_pages(pool, bytes, why);
	if (!err)
		err = resize_index(pool, blocks, why);
	if (err)
		bytes = was;
	/* This cannot fail: the pinned blocks fitted into no more than this before. */
	if (bytes >= was)
		bound_pages(pool, bytes, &ignored);
	/* The pool had this size before, or gets a smaller one, so it does not refuse. */
	WARN_ON_ONCE(rxd_pool_resize(memory, bytes, &ignored));
	return err;
}

/* Updates what depends on the size of the pool's disk, which is @bytes now. */
static void note_size(struct rxc_pool *pool, u64 bytes)
{
	unsigned int key;

	lockdep_assert_held(&rxc_mutex);
	pool->bytes = bytes;
	pool->blocks = rxc_index_room(bytes >> pool->block_shift);
	/* Compression may have begun after bound_pages() looked. */
	if (rxc_index_page_room(pool->index))
		rxc_index_page_bound(pool->index, pool->blocks);
	if (!pool->floor_given)
		WRITE_ONCE(pool->floor, bytes / RXC_FLOOR_PART >> pool->block_shift);
	for (key = 0; key < RXC_SHARERS; key++)
		if (pool->cache[key])
			rxc_sampler_resize(pool->cache[key]);
}

/*
 * The pool can't be freed meanwhile: the last cache that leaves cancels this work and waits
 * for it first.
 */
static void resize_work(struct work_struct *work)
{
	struct rxc_pool *pool = container_of(work, struct rxc_pool, resize.work);
	const char *why = NULL;
	int err;

	mutex_lock(&pool->resize.whole_lock);
	err = resize_all(pool, &why);
	mutex_unlock(&pool->resize.whole_lock);

	mutex_lock(&rxc_mutex);
	pool->resize.error = err;
	pool->resize.message = why;
	pool->resize.running = false;
	if (!err)
		note_size(pool, pool->resize.bytes);
	/* For the size that the pool has now, whether that is new or not. */
	rxc_bounds_apply(pool);
	rxc_bounds_cut(pool);
	rxc_notify_sharers(pool, RXCACHE_CAUSE_RESIZED);
	mutex_unlock(&rxc_mutex);
}

void rxc_resize_init(struct rxc_pool *pool)
{
	INIT_WORK(&pool->resize.work, resize_work);
	mutex_init(&pool->resize.whole_lock);
}

/*
 * Whether the pool of a cache, which is to have @bounds, can get a size of @bytes. Returns 0,
 * or an errno with its text in *@why: -EALREADY if a change is running, -EINVAL for a size
 * out of range, -ENOMEM without memory for the index, -ENOSPC if too much is pinned or
 * promised to caches.
 */
int rxc_resize_check(const struct rxc_cache *cache, const struct rxc_bounds *bounds, u64 bytes,
		     const char **why)
{
	const struct rxc_pool *pool = cache->pool;
	const struct rxc_resize *resize = &pool->resize;
	u64 blocks;

	lockdep_assert_held(&rxc_mutex);
	if (resize->running) {
		*why = "is being resized already";
		return -EALREADY;
	}
	if (bytes > RXDSK_SIZE_MAX || bytes < 1U << pool->block_shift) {
		*why = "the size must be a cache block to 1 EiB";
		return -EINVAL;
	}
	blocks = round_up(bytes, SZ_4K) >> pool->block_shift;
	/* A later pin is refused, or makes rxc_index_resize_begin() refuse the size. */
	if (!rxc_index_pins_fit(pool->index, blocks)) {
		*why = more_is_pinned;
		return -ENOSPC;
	}
	if (rxc_index_room(blocks) > rxc_index_blocks(pool->index) && !rxc_index_fits(blocks)) {
		*why = rxc_no_index;
		return -ENOMEM;
	}
	if (!rxc_bounds_fit(pool, round_up(bytes, SZ_4K), cache, bounds)) {
		*why = more_is_promised;
		return -ENOSPC;
	}
	return 0;
}

/*
 * Starts to change the size of a pool, one of whose caches has a device, to @bytes, which
 * have been checked.
 */
void rxc_resize_start(struct rxc_pool *pool, u64 bytes)
{
	struct rxc_resize *resize = &pool->resize;

	lockdep_assert_held(&rxc_mutex);
	resize->running = true;
	resize->bytes = round_up(bytes, SZ_4K);
	resize->error = 0;
	/* A smaller pool has no room for the bounds of now while its blocks move. */
	rxc_bounds_apply(pool);
	queue_work(rxc_life_wq, &resize->work);
}

/* Ends the work. The pool is @ending, so no request queues the work again. */
void rxc_resize_cancel(struct rxc_pool *pool)
{
	/* A work that had not begun does not note its end itself. */
	if (cancel_work_sync(&pool->resize.work)) {
		mutex_lock(&rxc_mutex);
		pool->resize.running = false;
		pool->resize.error = -ECANCELED;
		pool->resize.message = unmapped;
		mutex_unlock(&rxc_mutex);
	}
}
