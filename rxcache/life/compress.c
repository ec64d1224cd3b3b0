// SPDX-License-Identifier: GPL-2.0-only
/* The settings of compression, and the works of a pool's packer. */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "cache.h"
#include "life/compress.h"
#include "life/message.h"
#include "life/resize.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "packed/pack.h"

const char rxc_compress_one_page[] = "only cache blocks of one page can be compressed";

enum {
	/* The index gets another size if that differs by more than 1/LAYOUT_PART. */
	LAYOUT_PART	= 8,
	/* It is made for as many blocks as fit into all of the pool but 1/SPARE_PART, */
	SPARE_PART	= 16,
	/* and for so many blocks for each page at most. */
	LAYOUT_MAX	= 8,
	RATIO_BITS	= 10,
};

/*
 * How many blocks the index should be for, by what those in it take, or 0 if it may stay as it
 * is. With the policy's constants, sets with more ways than there is memory for would be worse
 * than smaller ones.
 */
static u64 layout_of(const struct rxc_pool *pool)
{
	u64 room = rxc_index_page_room(pool->index), have = rxc_index_blocks(pool->index), want;
	u64 pages = max(rxc_index_pages(pool->index), 1ULL);
	u64 ratio = div64_u64(rxc_index_used(pool->index) << RATIO_BITS, pages);

	ratio = min(ratio, (u64)LAYOUT_MAX << RATIO_BITS);
	want = max((room - room / SPARE_PART) * ratio >> RATIO_BITS, room);
	return want < have - have / LAYOUT_PART || want > have + have / LAYOUT_PART ? want : 0;
}

static void pack_work(struct work_struct *work)
{
	struct rxc_pack *pack = container_of(work, struct rxc_pack, work);
	struct rxc_pool *pool = pack->pool;

	rxc_pack_lap(pack);
	if (!READ_ONCE(pool->ending) && rxc_pack_due(pool))
		rxc_resize_layout(pool, layout_of);
	rxc_give_fit(pool, true);
}

static void damaged_work(struct work_struct *work)
{
	struct rxc_pack *pack = container_of(work, struct rxc_pack, damaged_work);
	unsigned long caches = atomic_xchg(&pack->damaged, 0);
	struct rxc_cache *cache;
	unsigned int key;

	mutex_lock(&rxc_mutex);
	for_each_set_bit(key, &caches, RXC_SHARERS) {
		cache = pack->pool->cache[key];
		if (cache)
			rxc_notify_change(cache, RXCACHE_CAUSE_DAMAGED);
	}
	mutex_unlock(&rxc_mutex);
}

int rxc_compress_prepare(struct rxc_pool *pool, u32 codec, const char **why)
{
	struct rxc_pack *pack = pool->pack;
	int err;

	lockdep_assert_held(&rxc_mutex);
	if (codec == RXCACHE_COMPRESS_OFF)
		return 0;
	if (!pack)
		pack = rxc_pack_new(pool, pack_work, damaged_work);
	if (!pack)
		return rxc_codec_refusal(-ENOMEM, why);
	err = rxc_lanes_add(pack->lanes, codec);
	if (err && !pool->pack)
		rxc_pack_free(pack);
	if (err)
		return rxc_codec_refusal(err, why);
	/* Later the size of the pool changes it, and may be doing so now. */
	if (!pool->pack)
		rxc_index_page_bound(pool->index, pool->blocks);
	/* Whoever finds the packer finds all of it. */
	smp_store_release(&pool->pack, pack);
	return 0;
}

void rxc_compress_set(struct rxc_pool *pool, unsigned int key, u32 codec)
{
	lockdep_assert_held(&rxc_mutex);
	/* Whoever finds the codec finds the requests of the lanes for it. */
	if (!pool->pack)
		return;
	smp_store_release(&pool->pack->codec[key], codec);
	rxc_index_packing(pool->index, key, codec != RXCACHE_COMPRESS_OFF);
}
