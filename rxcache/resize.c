// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of a cache's size while it is in use.
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
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "index.h"
#include "map.h"
#include "message.h"
#include "pool.h"
#include "resize.h"
#include "sampler.h"
#include "stats.h"
#include "trace.h"

static const char unmapped[] = "the cache was unmapped meanwhile";
static const char more_is_pinned[] = "more than half of that size is pinned";

/* Moves all blocks to the new sets. @old has room for the evicted blocks of one set. */
static void move_blocks(struct rxc_map *map, struct rxc_taken *old)
{
	struct rxc_pool *pool = &map->pool;
	unsigned int nr, i;

	while (!READ_ONCE(map->resize.stop) &&
	       rxc_index_resize_next(pool->index, old, &nr)) {
		for (i = 0; i < nr; i++) {
			trace_rxcache_evict(map, rxc_key_block(old[i].key), 1,
					    RXC_EVICT_RESIZE);
			rxd_pool_free(pool->memory, old[i].page, pool->order);
		}
		if (nr)
			rxc_count(map, RXC_EVICT, nr);
		cond_resched();
	}
}

/*
 * Changes the size of the index. Returns 0, or an errno with its text in *@why. After
 * -ENOMEM or -ENOSPC nothing has changed. After -ECANCELED the blocks are spread over both
 * tables until the cache drops all.
 */
static int resize_index(struct rxc_map *map, u64 blocks, const char **why)
{
	struct rxc_index *index = map->pool.index;
	struct rxc_taken *old = kmalloc_array(RXC_WAYS_MAX, sizeof(*old), GFP_KERNEL);
	int err = old ? rxc_index_resize_begin(index, blocks) : -ENOMEM;

	if (err) {
		*why = err == -ENOSPC ? more_is_pinned :
		       "no memory for the index of a cache of that size";
	} else {
		move_blocks(map, old);
		if (READ_ONCE(map->resize.stop)) {
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
 * Returns 0, or an errno with its text in *@why. After -ECANCELED the index is half
 * moved, see resize_index(); after any other errno nothing has changed.
 */
static int resize_all(struct rxc_map *map, const char **why)
{
	struct rxd_pool *memory = map->pool.memory;
	u64 bytes = map->resize.bytes, was = rxd_pool_size(memory);
	const char *ignored;
	int err = 0;

	if (bytes == was)
		return 0;
	if (bytes > was)
		err = rxd_pool_resize(memory, bytes, why);
	if (err)
		return err;
	err = resize_index(map, bytes >> map->block_shift, why);
	if (err)
		bytes = was;
	/* The pool had this size before, or gets a smaller one, so it does not refuse. */
	WARN_ON_ONCE(rxd_pool_resize(memory, bytes, &ignored));
	return err;
}

/* Updates what depends on the size of the cache's disk, which is @bytes now. */
static void note_size(struct rxc_map *map, u64 bytes)
{
	struct rxc_pool *pool = &map->pool;

	lockdep_assert_held(&rxc_mutex);
	pool->blocks = rxc_index_blocks(pool->index);
	if (!pool->floor_given)
		WRITE_ONCE(pool->floor, bytes / RXC_FLOOR_PART >> map->block_shift);
	rxc_sampler_resize(map);
}

/*
 * The cache can't be freed meanwhile: rxc_map_end() cancels this work and waits for it
 * first.
 */
static void resize_work(struct work_struct *work)
{
	struct rxc_map *map = container_of(work, struct rxc_map, resize.work);
	const char *why = NULL;
	int err = resize_all(map, &why);

	mutex_lock(&rxc_mutex);
	map->resize.error = err;
	map->resize.message = why;
	map->resize.running = false;
	if (!err)
		note_size(map, map->resize.bytes);
	rxc_notify_change(map, RXCACHE_CAUSE_RESIZED);
	mutex_unlock(&rxc_mutex);
}

void rxc_resize_init(struct rxc_map *map)
{
	INIT_WORK(&map->resize.work, resize_work);
}

/*
 * Starts to change the size of a cache that has a device to @bytes. Returns 0, or an
 * errno with its text in *@why: -EALREADY if a change is running, -EINVAL for a size
 * out of range, -ENOSPC if too much is pinned.
 */
int rxc_resize_start(struct rxc_map *map, u64 bytes, const char **why)
{
	struct rxc_resize *resize = &map->resize;

	lockdep_assert_held(&rxc_mutex);
	if (resize->running) {
		*why = "is being resized already";
		return -EALREADY;
	}
	if (bytes > U64_MAX - SZ_4K || bytes < 1U << map->block_shift) {
		*why = "the size must be a cache block to 1 EiB";
		return -EINVAL;
	}
	/* A later pin is refused, or makes rxc_index_resize_begin() refuse the size. */
	if (!rxc_index_pins_fit(map->pool.index,
				round_up(bytes, SZ_4K) >> map->block_shift)) {
		*why = more_is_pinned;
		return -ENOSPC;
	}
	resize->running = true;
	resize->bytes = round_up(bytes, SZ_4K);
	resize->error = 0;
	queue_work(rxc_life_wq, &resize->work);
	return 0;
}

/*
 * Ends the work. The cache is draining or was never active, so no request queues the work
 * again.
 */
void rxc_resize_cancel(struct rxc_map *map)
{
	WRITE_ONCE(map->resize.stop, true);
	/* A work that had not begun does not note its end itself. */
	if (cancel_work_sync(&map->resize.work)) {
		mutex_lock(&rxc_mutex);
		map->resize.running = false;
		map->resize.error = -ECANCELED;
		map->resize.message = unmapped;
		mutex_unlock(&rxc_mutex);
	}
}
