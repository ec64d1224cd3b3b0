// SPDX-License-Identifier: GPL-2.0-only
/* The settings of compression, whether it pays, and the works of a pool's packer. */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "cache.h"
#include "figures/latency.h"
#include "figures/stats.h"
#include "life/compress.h"
#include "life/message.h"
#include "life/resize.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "packed/pack.h"
#include "packed/pays.h"

const char rxc_compress_one_page[] = "only cache blocks of one page can be compressed";

enum {
	/* The index gets another size if that differs by more than 1/LAYOUT_PART. */
	LAYOUT_PART	= 8,
	/* It is made for as many blocks as fit into all of the pool but 1/SPARE_PART, */
	SPARE_PART	= 16,
	/* and for so many blocks for each page at most. */
	LAYOUT_MAX	= 8,
	RATIO_BITS	= 10,
	/* Caches are judged at most once in this time: small ones have many laps. */
	JUDGE_EVERY	= HZ,
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

static void sum_up(const struct rxc_cache *cache, struct rxc_pay_sums *sums)
{
	const struct rxc_packed_by *by = &cache->pool->pack->by[cache->key];
	u64 shrunk = READ_ONCE(by->shrunk);
	struct rxc_latency miss;
	struct rxc_stats stats;
	const u64 *count = stats.count;

	rxc_stats_sum(cache, &stats);
	rxc_latency_sum(cache, RXC_LATENCY_MISS, &miss);
	sums->taken = count[RXC_FILL] + count[RXC_FILL_REPLACE] +
		      count[RXC_WRITE_ALLOCATE] + count[RXC_WRITE_UPDATE];
	sums->tried = READ_ONCE(by->tried);
	sums->tried_bytes = sums->tried * PAGE_SIZE;
	sums->packed_bytes = rxc_bin_cost(shrunk, READ_ONCE(by->bytes)) +
			     (sums->tried - shrunk) * PAGE_SIZE;
	sums->spent_ns = READ_ONCE(by->ns);
	sums->hits = count[RXC_READ_HIT_COMPRESSED];
	sums->hit_ns = count[RXC_DECOMPRESS_NS];
	sums->misses = count[RXC_READ_MISS] + count[RXC_READ_JOIN] +
		       rxc_stats_bypassed(&stats);
	/* A reset of the counters is no part of the sums. */
	sums->miss_ns = cache->latency_base.of[RXC_LATENCY_MISS].sum + miss.sum;
}

/* Ends a lap of a cache whose setting is auto. */
static void judge(struct rxc_cache *cache)
{
	struct rxc_pays *pays = &cache->pays;
	struct rxc_pay_sums now;
	bool on = pays->on, news;

	lockdep_assert_held(&rxc_mutex);
	sum_up(cache, &now);
	news = rxc_pays_lap(pays, &now, rxc_index_used_by(cache->index, cache->key));
	if (pays->on != on)
		rxc_pack_use(cache->pool->pack, cache->key, pays->on ?
			     rxc_codec_of(RXCACHE_COMPRESS_AUTO) : RXCACHE_COMPRESS_OFF, false);
	if (news)
		rxc_notify_change(cache, RXCACHE_CAUSE_COMPRESS);
}

static void judge_all(struct rxc_pack *pack)
{
	struct rxc_pool *pool = pack->pool;
	struct rxc_cache *cache;
	unsigned int key;

	/* A lap also begins when blocks are pinned, in a pool that has room. */
	if (!rxc_pack_due(pool) || time_before(jiffies, pack->judged + JUDGE_EVERY))
		return;
	pack->judged = jiffies;
	mutex_lock(&rxc_mutex);
	for (key = 0; key < RXC_SHARERS; key++) {
		cache = pool->cache[key];
		if (cache && cache->pays.automatic && cache->state == RXCACHE_STATE_ACTIVE)
			judge(cache);
	}
	mutex_unlock(&rxc_mutex);
}

static void pack_work(struct work_struct *work)
{
	struct rxc_pack *pack = container_of(work, struct rxc_pack, work);
	struct rxc_pool *pool = pack->pool;

	rxc_pack_lap(pack);
	/* Where only a cache is full, there are ways enough for what it may have. */
	if (!READ_ONCE(pool->ending) && rxc_pack_full(pool))
		rxc_resize_layout(pool, layout_of);
	rxc_give_fit(pool, true);
	judge_all(pack);
	if (!rxc_index_packers(pool->index))
		rxc_pack_end_bins(pack);
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

int rxc_compress_prepare(struct rxc_pool *pool, u32 setting, const char **why)
{
	struct rxc_pack *pack = pool->pack;
	u32 codec = rxc_codec_of(setting);
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

void rxc_compress_set(struct rxc_cache *cache, u32 setting)
{
	bool automatic = setting == RXCACHE_COMPRESS_AUTO;

	lockdep_assert_held(&rxc_mutex);
	if (!cache->pool->pack)
		return;
	rxc_pack_want(cache->pool->pack, cache->key, setting != RXCACHE_COMPRESS_OFF);
	/* A table sets auto again at each boot, which begins no other trial. */
	if (automatic && cache->pays.automatic)
		return;
	if (automatic)
		rxc_pays_begin(&cache->pays);
	else
		cache->pays.automatic = false;
	rxc_pack_use(cache->pool->pack, cache->key, rxc_codec_of(setting), true);
	if (!rxc_index_packers(cache->index))
		rxc_pack_queue(cache->pool);
}
