// SPDX-License-Identifier: GPL-2.0-only
/*
 * Caches come to a pool and leave it: see join.h.
 *
 * A pool is on the list from the first join to the last leave. The list, who is in a pool
 * and the numbers that are taken change under rxc_mutex. The structure itself stays until
 * the last cache that was in the pool is freed, because lists still read it.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <rx/pool.h>
#include "block.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/unread.h"
#include "life/bounds.h"
#include "life/compress.h"
#include "life/join.h"
#include "life/resize.h"
#include "memory/pool.h"
#include "packed/pack.h"

static LIST_HEAD(pools);		/* rxc_mutex */

static struct rxc_pool *pool_named(const char *disk)
{
	struct rxc_pool *pool;

	lockdep_assert_held(&rxc_mutex);
	list_for_each_entry(pool, &pools, node)
		if (!strcmp(pool->disk_name, disk))
			return pool;
	return NULL;
}

static void pool_free(struct kref *users)
{
	kfree(container_of(users, struct rxc_pool, users));
}

/* A cache is freed, or did not come to be. */
void rxc_pool_put(struct rxc_pool *pool)
{
	if (pool)
		kref_put(&pool->users, pool_free);
}

static int pool_claim(struct rxc_pool *pool, const struct rxc_cache *cache, bool erase,
		      const char **why)
{
	int err;

	pool->memory = rxd_pool_claim(pool->disk_name, cache->name, erase, why);
	if (IS_ERR(pool->memory))
		return PTR_ERR(pool->memory);
	pool->floor = rxd_pool_size(pool->memory) / RXC_FLOOR_PART >> pool->block_shift;
	err = rxc_pool_open(pool);
	if (!err)
		return 0;
	*why = err == -ENOSPC ? "disk is smaller than a cache block" : rxc_no_index;
	rxd_pool_release(pool->memory);
	return err;
}

/* The block size of a pool that a cache makes. */
static unsigned int shift_of(const struct rxc_cache *cache)
{
	return cache->block_shift ?: ilog2(max_t(unsigned long, RXC_BLOCK_MIN, PAGE_SIZE));
}

int rxc_pool_check_size(const struct rxc_cache *cache, const struct rxc_terms *terms, u64 bytes,
			const char **why)
{
	if (!(bytes >> shift_of(cache))) {
		*why = "disk is smaller than a cache block";
		return -ENOSPC;
	}
	*why = rxc_bounds_wrong(&terms->bounds, shift_of(cache), bytes);
	if (*why)
		return -EINVAL;
	if (terms->compress && shift_of(cache) > PAGE_SHIFT) {
		*why = rxc_compress_one_page;
		return -EINVAL;
	}
	/*
	 * Data that is to be lost gives its memory back later, and is not lost for an index that
	 * might then still not fit.
	 */
	if (!rxc_index_fits(bytes >> shift_of(cache))) {
		*why = rxc_no_index;
		return -ENOMEM;
	}
	return 0;
}

/*
 * Whether a cache can make a pool. Without a disk its terms have been checked. 0 or an errno
 * with its text.
 */
static int pool_new_check(const struct rxc_cache *cache, const struct rxc_terms *terms,
			  const char **why)
{
	u64 bytes;
	int err;

	if (terms->size)
		return 0;
	err = rxd_pool_check(cache->disk_name, terms->erase, &bytes, why);
	return err ?: rxc_pool_check_size(cache, terms, bytes, why);
}

/* Makes a pool as the cache wants it. Returns it, or ERR_PTR with a text in *@why. */
static struct rxc_pool *pool_new(const struct rxc_cache *cache, const struct rxc_terms *terms,
				 const char **why)
{
	struct rxc_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	int err;

	if (!pool) {
		*why = "no memory for the pool";
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&pool->users);
	rxc_resize_init(pool);
	rxc_bounds_init(pool);
	strscpy(pool->disk_name, cache->disk_name, sizeof(pool->disk_name));
	pool->block_shift = shift_of(cache);
	pool->order = pool->block_shift - PAGE_SHIFT;
	pool->policy = &rxc_policy_rx;
	pool->own_disk = terms->own_disk;
	err = pool_claim(pool, cache, terms->erase, why);
	if (err) {
		kfree(pool);
		return ERR_PTR(err);
	}
	list_add_tail(&pool->node, &pools);
	return pool;
}

/* Whether a cache can join a pool that is there. 0 or an errno with its text. */
static int pool_fits(const struct rxc_pool *pool, const struct rxc_cache *cache,
		     const struct rxc_terms *terms, const char **why)
{
	if (!~pool->keys) {
		*why = "32 caches share the disk already, and no more can";
		return -ENOSPC;
	}
	if (cache->block_shift && cache->block_shift != pool->block_shift) {
		*why = "the caches on the disk have another cache block size";
		return -EINVAL;
	}
	if (terms->compress && pool->order) {
		*why = rxc_compress_one_page;
		return -EINVAL;
	}
	return rxc_bounds_check(pool, cache, &terms->bounds, why);
}

/* Tells the disk which caches it is the memory of. */
static void pool_name_holders(const struct rxc_pool *pool)
{
	char names[RXD_HOLDERS_MAX];
	unsigned int key;
	int len = 0;

	lockdep_assert_held(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++)
		if (pool->cache[key])
			len += scnprintf(names + len, sizeof(names) - len, "%s%s",
					 len ? "," : "", pool->cache[key]->name);
	rxd_pool_hold(pool->memory, names);
}

/*
 * Gives a cache that is on the list a place in the pool on its disk, and makes the pool if
 * there is none. Without @commit it only looks, and the cache is on no list. The cache takes
 * over from the pool its block size, if it has left that open (0), and the policy. Context:
 * process, may sleep. 0, or an errno with its text in *@why, and then rxc_pool_leave() is
 * still due.
 */
int rxc_pool_join(struct rxc_cache *cache, const struct rxc_terms *terms, bool commit,
		  const char **why)
{
	struct rxc_pool *pool = pool_named(cache->disk_name);
	bool shared = pool;
	int err = shared ? pool_fits(pool, cache, terms, why) :
			   pool_new_check(cache, terms, why);

	if (err || !commit)
		return err;
	if (shared) {
		kref_get(&pool->users);
	} else {
		pool = pool_new(cache, terms, why);
		if (IS_ERR(pool))
			return PTR_ERR(pool);
	}
	pool->staying++;
	WRITE_ONCE(pool->sharers, pool->sharers + 1);
	cache->key = ffz(pool->keys);
	pool->keys |= BIT(cache->key);
	cache->pool = pool;
	cache->index = pool->index;
	cache->ahead.vain = rxc_index_vain(pool->index, cache->key);
	cache->block_shift = pool->block_shift;
	cache->policy = pool->policy;
	cache->own_disk = pool->own_disk;
	WRITE_ONCE(pool->cache[cache->key], cache);
	rxc_index_share(pool->index, pool->keys);
	/* A disk that has become smaller since the check cuts them. */
	rxc_bounds_set(cache, &terms->bounds);
	if (shared)
		pool_name_holders(pool);
	return 0;
}

/*
 * A cache has started, or failed. The floor that it asked for, for all caches of its pool,
 * takes effect now, because a cache that fails leaves the others as they were. Returns
 * whether it did, and the others are to be told. Context: under rxc_mutex.
 */
bool rxc_pool_joined(struct rxc_cache *cache)
{
	struct rxc_pool *pool = cache->pool;

	lockdep_assert_held(&rxc_mutex);
	rxc_bounds_apply(pool);
	if (cache->state == RXCACHE_STATE_FAILED || !cache->floor_given)
		return false;
	rxc_pool_set_floor(pool, cache->floor);
	return pool->sharers > 1;
}

/* Every cache has left, and the pool is off the list. */
static void pool_end(struct rxc_pool *pool)
{
	rxc_pool_close(pool);
	rxd_pool_release(pool->memory);
	pool->memory = NULL;
}

/*
 * A cache begins to leave. Once all do, nobody joins the pool or begins a change of its
 * size any more, and one that is going on has no use.
 */
static void leave_begin(struct rxc_pool *pool)
{
	bool last;

	mutex_lock(&rxc_mutex);
	last = !--pool->staying;
	if (last)
		list_del(&pool->node);
	mutex_unlock(&rxc_mutex);
	if (!last)
		return;
	WRITE_ONCE(pool->ending, true);
	/* In this order: the end of a resize cuts. */
	rxc_resize_cancel(pool);
	rxc_bounds_end(pool);
	rxc_pack_stop(pool);
}

/*
 * The opposite of rxc_pool_join(), for a cache without I/O. Its number can be given to
 * another cache as soon as none of its blocks and pins is left. Without memory for the
 * shorter list of the pins its number stays taken, and they count, until the pool ends.
 */
void rxc_pool_leave(struct rxc_cache *cache)
{
	struct rxc_pool *pool = cache->pool;
	bool last;
	int err;

	if (!pool)
		return;
	leave_begin(pool);
	rxc_pool_empty(cache);
	err = !rxc_index_pinned(pool->index, cache->key) ? 0 :
	      rxc_index_unpin(pool->index, rxc_cache_key(cache, 0),
			      rxc_cache_key(cache, RXC_BLOCK_LAST));
	mutex_lock(&rxc_mutex);
	WRITE_ONCE(pool->cache[cache->key], NULL);
	/* The number may be another cache's next. */
	rxc_compress_set(cache, RXCACHE_COMPRESS_OFF);
	cache->ahead.vain = rxc_unread_vain(cache);
	cache->index = NULL;
	rxc_bounds_apply(pool);
	if (!err)
		pool->keys &= ~BIT(cache->key);
	WRITE_ONCE(pool->sharers, pool->sharers - 1);
	last = !pool->sharers;
	if (!last) {
		rxc_index_share(pool->index, pool->keys);
		pool_name_holders(pool);
	}
	mutex_unlock(&rxc_mutex);
	if (last)
		pool_end(pool);
}
