// SPDX-License-Identifier: GPL-2.0-only
/* The packer of a pool. See pack.h. */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "cache.h"
#include "compat.h"
#include "memory/give.h"
#include "memory/pool.h"
#include "packed/pack.h"
#include "trace.h"

enum {
	/* A lap begins after 1/LAP_PART of the blocks was taken, */
	LAP_PART	= 16,
	/* and if the pool is full but for 1/FREE_PART, or the index but for 1/FULL_PART, or a max. */
	FREE_PART	= 4,
	FULL_PART	= 8,
	/* If less than 1/WORTH_PART of TRIES or more was worth it, a lap tries few of a cache: */
	TRIES		= 16,
	WORTH_PART	= 8,
	/* so many, or 1/RARE_PART of the pool's blocks. */
	RARE_TRIES	= 8,
	RARE_PART	= 1024,
	/* If that holds for all caches, laps are rare while bins have less than 1/BINS_PART. */
	BINS_PART	= 16,
};

static struct workqueue_struct *pack_wq;

/* The open bin in which @len bytes leave least room, or NULL. */
static struct rxc_bin_open *best_bin(struct rxc_pack *pack, u64 key, unsigned int codec,
				     unsigned int len)
{
	struct rxc_bin_open *open, *best = NULL;
	unsigned int room, least = UINT_MAX;

	for (open = pack->open; open < pack->open + RXC_OPEN_BINS; open++) {
		if (!open->page || open->codec != codec)
			continue;
		room = rxc_bin_room(open, key);
		if (room >= len && room < least) {
			least = room;
			best = open;
		}
	}
	return best;
}

/*
 * A new bin, in place of the one with least room. Returns NULL, and changes nothing but
 * @pack->short_of, if there is no memory.
 */
static struct rxc_bin_open *next_bin(struct rxc_pack *pack, unsigned int codec)
{
	struct rxc_bin_open new, *open, *full = pack->open;

	pack->short_of = !rxc_bin_begin(&new, pack->pool, codec);
	if (pack->short_of)
		return NULL;
	for (open = pack->open; full->page && open < pack->open + RXC_OPEN_BINS; open++)
		if (!open->page || rxc_bin_left(open) < rxc_bin_left(full))
			full = open;
	rxc_bin_end(full, pack->pool);
	*full = new;
	return full;
}

/*
 * Makes a block refer to its compressed bytes instead of @pick->page. The page, or the bin,
 * loses the way as its user: whoever found it there before has a reference.
 */
static bool pack_store(struct rxc_pack *pack, const struct rxc_pick *pick,
		       unsigned int codec, const void *data, unsigned int len, u32 sum)
{
	struct rxc_pool *pool = pack->pool;
	struct rxc_bin_open *open = best_bin(pack, pick->key, codec, len) ?:
				    next_bin(pack, codec);

	if (!open || rxc_bin_room(open, pick->key) < len)
		return false;
	rxc_bin_add(open, pick->key, data, len, sum);
	if (!rxc_index_swap(pool->index, pick->key, pick->page, open->page)) {
		rxc_bin_undo(open);
		return false;
	}
	if (pick->packed)
		rxc_bin_put(pool, pick->page, false);
	else
		rxd_pool_free(pool->memory, pick->page, pool->order);
	return true;
}

static void count(u64 *counter, u64 n)
{
	WRITE_ONCE(*counter, *counter + n);
}

/* A block was tried, of which @len bytes were stored, or 0 if it was not worth it. */
static void note_try(struct rxc_packed_by *by, unsigned int len)
{
	count(&by->tried, 1);
	count(&by->shrunk, len > 0);
	count(&by->bytes, len);
}

/* Replaces a plain block by a compressed one, if that is worth it. */
static void pack_into(struct rxc_pack *pack, struct rxc_lane *lane, const struct rxc_pick *pick,
		      unsigned int codec, struct rxc_packed_by *by)
{
	unsigned int len;
	u32 sum;

	/* A page whose memory has failed is left to its next reader, who drops the block. */
	if (!rxc_lane_load(lane, pick->page))
		return;
	count(&pack->stats.tried, 1);
	len = rxc_lane_pack(lane, codec);
	if (!len) {
		rxc_index_mark_plain(pack->pool->index, pick->key, pick->page, codec);
		pack->lap_marked++;
		note_try(by, 0);
		return;
	}
	sum = rxc_codec_sum(page_address(lane->out), len, pick->key);
	if (!pack_store(pack, pick, codec, page_address(lane->out), len, sum))
		return;
	count(&pack->stats.packed, 1);
	count(&pack->stats.filled, len == RXC_BIN_FILLED);
	note_try(by, len);
}

static void pack_plain(struct rxc_pack *pack, struct rxc_lane *lane,
		       const struct rxc_pick *pick)
{
	unsigned int cache = rxc_key_cache(pick->key);
	unsigned int codec = smp_load_acquire(&pack->codec[cache]);
	struct rxc_packed_by *by = &pack->by[cache];
	u64 began = ktime_get_ns();

	/* The cache may just have stopped to compress. */
	if (codec == RXCACHE_COMPRESS_OFF)
		return;
	pack_into(pack, lane, pick, codec, by);
	count(&by->ns, ktime_get_ns() - began);
}

/*
 * Moves a compressed block to another bin. One that has failed is left to its next reader. The
 * bin that it leaves is freed when its last block has moved, maybe at the end of the lap, and
 * plain blocks may have to go meanwhile. Without such moves a full pool had fewer hits.
 */
static void pack_again(struct rxc_pack *pack, struct rxc_lane *lane,
		       const struct rxc_pick *pick)
{
	struct rxc_packed_by *by = &pack->by[rxc_key_cache(pick->key)];
	u64 began = ktime_get_ns();
	unsigned int codec, len;
	u32 sum;

	len = rxc_lane_take(lane, pick->page, pick->key, &codec, &sum);
	if (len && codec < RXC_NR_CODECS &&
	    pack_store(pack, pick, codec, page_address(lane->in), len, sum))
		count(&pack->stats.moved, 1);
	count(&by->ns, ktime_get_ns() - began);
}

/* Makes a pinned block plain. One that has failed is left to its next reader. */
static void pack_undo(struct rxc_pack *pack, struct rxc_lane *lane,
		      const struct rxc_pick *pick)
{
	struct rxc_pool *pool = pack->pool;
	struct page *page;

	if (!rxc_lane_unpack(lane, pick->page, pick->key))
		return;
	pack->short_of = !rxd_pool_alloc_bulk(pool->memory, pool->order, &page, 1);
	if (pack->short_of)
		return;
	set_page_private(page, 0);
	copy_page(page_address(page), page_address(lane->out));
	if (rxc_index_takes(page) &&
	    rxc_index_swap(pool->index, pick->key, pick->page, page))
		rxc_bin_put(pool, pick->page, false);
	else
		rxd_pool_free(pool->memory, page, pool->order);
}

/* Whether a block of a cache of whose blocks little was worth it is one too many for a lap. */
static bool is_enough(struct rxc_pack *pack, u64 key)
{
	unsigned int cache = rxc_key_cache(key);

	if (!(pack->rarely >> cache & 1))
		return false;
	return ++pack->by[cache].lap >
	       max_t(u64, RARE_TRIES, rxc_index_blocks(pack->pool->index) / RARE_PART);
}

static void pack_picks(struct rxc_pack *pack, unsigned int nr)
{
	struct rxc_lane *lane = &pack->lanes->lane[pack->lanes->nr - 1];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct rxc_pick *pick = &pack->pick[i];

		spin_lock(&lane->lock);
		if (pick->packed && pick->pinned)
			pack_undo(pack, lane, pick);
		else if (pick->packed)
			pack_again(pack, lane, pick);
		else if (!is_enough(pack, pick->key))
			pack_plain(pack, lane, pick);
		spin_unlock(&lane->lock);
		rxc_page_put(pick->page);
		cond_resched();
	}
}

/*
 * A cache that is new, or has another codec, is tried as if nothing was known. One that is not
 * among @due has room.
 */
static void look_ahead(struct rxc_pack *pack, u32 due)
{
	u32 fresh = atomic_xchg(&pack->fresh, 0);
	struct rxc_packed_by *by = pack->by;
	unsigned int key;

	WRITE_ONCE(pack->rarely, pack->rarely & ~fresh);
	for (key = 0; key < RXC_SHARERS; key++, by++) {
		by->lap = 0;
		pack->lap_codec[key] = due >> key & 1 ? READ_ONCE(pack->codec[key]) :
							RXCACHE_COMPRESS_OFF;
		if (fresh >> key & 1) {
			by->last_tried = by->tried;
			by->last_shrunk = by->shrunk;
		}
	}
}

/* Decides how many blocks the next lap tries. Few tries tell nothing, so those of laps add up. */
static void look_back(struct rxc_pack *pack)
{
	struct rxc_packed_by *by = pack->by;
	u32 rarely = pack->rarely;
	unsigned int key;
	u64 tried, shrunk;

	for (key = 0; key < RXC_SHARERS; key++, by++) {
		tried = by->tried - by->last_tried;
		shrunk = by->shrunk - by->last_shrunk;
		if (tried < TRIES)
			continue;
		rarely &= ~BIT(key);
		if (shrunk < tried / WORTH_PART)
			rarely |= BIT(key);
		by->last_tried = by->tried;
		by->last_shrunk = by->shrunk;
	}
	WRITE_ONCE(pack->rarely, rarely);
}

void rxc_pack_lap(struct rxc_pack *pack)
{
	struct rxc_pool *pool = pack->pool;
	u64 cursor = 0, began = ktime_get_ns();
	struct rxc_picked sum = { 0 };
	u32 due = rxc_pack_due(pool);
	unsigned int nr;

	pack->lap_marked = 0;
	pack->short_of = false;
	look_ahead(pack, due);
	WRITE_ONCE(pack->begun, atomic64_read(&pack->taken));
	while (cursor < RXC_WALK_END && !pack->short_of && !READ_ONCE(pool->ending)) {
		nr = rxc_index_pick(pool->index, &cursor, pack->lap_codec, pack->rarely,
				    pack->pick, &sum);
		pack_picks(pack, nr);
		/* Pinned blocks of a set that become plain may need more than it has gained. */
		while (rxc_give_crowded(pool, RXC_ANYBODY, RXC_BATCH))
			cond_resched();
		cond_resched();
	}
	look_back(pack);
	count(&pack->stats.ns, ktime_get_ns() - began);
	if (due & rxc_index_packers(pool->index))
		WRITE_ONCE(pack->stats.incompressible, sum.marked + pack->lap_marked);
}

bool rxc_pack_full(const struct rxc_pool *pool)
{
	u64 room = rxc_index_page_room(pool->index), ways = rxc_index_blocks(pool->index);

	return rxc_index_pages(pool->index) >= room - room / FREE_PART ||
	       rxc_index_used(pool->index) >= ways - ways / FULL_PART;
}

u32 rxc_pack_due(const struct rxc_pool *pool)
{
	u32 caches = rxc_pack_full(pool) ? U32_MAX : rxc_index_tight(pool->index);

	return caches & READ_ONCE(pool->pack->wanted);
}

/* After how many new blocks a lap begins. */
static u64 lap_blocks(const struct rxc_pack *pack)
{
	const struct rxc_index *index = pack->pool->index;
	u64 room = rxc_index_page_room(index);
	u32 often = ~READ_ONCE(pack->rarely) | atomic_read(&pack->fresh);

	return rxc_index_packers(index) & often ||
	       rxc_index_bin_pages(index) >= room / BINS_PART ? room / LAP_PART : room;
}

void rxc_pack_taken(struct rxc_pack *pack, unsigned int nr)
{
	struct rxc_pool *pool = pack->pool;
	u64 taken = atomic64_add_return(nr, &pack->taken);

	if (taken - READ_ONCE(pack->begun) < lap_blocks(pack) ||
	    (!rxc_pack_full(pool) && !rxc_pack_due(pool)) ||
	    READ_ONCE(pool->ending) || work_busy(&pack->work))
		return;
	queue_work(pack_wq, &pack->work);
}

void rxc_pack_queue(struct rxc_pool *pool)
{
	lockdep_assert_held(&rxc_mutex);
	/* While a cache stays, rxc_pack_stop() is still to come. */
	if (pool->pack && pool->staying)
		queue_work(pack_wq, &pool->pack->work);
}

void rxc_pack_damaged(struct rxc_pack *pack, unsigned int key)
{
	atomic_or(BIT(key), &pack->damaged);
	queue_work(pack_wq, &pack->damaged_work);
}

struct rxc_pack *rxc_pack_new(struct rxc_pool *pool, work_func_t lap, work_func_t damaged)
{
	struct rxc_pack *pack = kzalloc(sizeof(*pack), GFP_KERNEL);

	if (!pack)
		return NULL;
	pack->pool = pool;
	pack->judged = jiffies;
	pack->lanes = rxc_lanes_new(RXC_LANES_MAX);
	if (!pack->lanes) {
		kfree(pack);
		return NULL;
	}
	INIT_WORK(&pack->work, lap);
	INIT_WORK(&pack->damaged_work, damaged);
	return pack;
}

void rxc_pack_want(struct rxc_pack *pack, unsigned int key, bool wanted)
{
	u32 others = pack->wanted & ~BIT(key);

	lockdep_assert_held(&rxc_mutex);
	WRITE_ONCE(pack->wanted, wanted ? others | BIT(key) : others);
}

void rxc_pack_use(struct rxc_pack *pack, unsigned int key, u32 codec, bool fresh)
{
	lockdep_assert_held(&rxc_mutex);
	if (fresh && pack->codec[key] != codec)
		atomic_or(BIT(key), &pack->fresh);
	/* Whoever finds the codec finds the requests of the lanes for it. */
	smp_store_release(&pack->codec[key], codec);
	rxc_index_packing(pack->pool->index, key, codec != RXCACHE_COMPRESS_OFF);
}

u32 rxc_pack_codec(const struct rxc_pool *pool, unsigned int key)
{
	const struct rxc_pack *pack = READ_ONCE(pool->pack);

	return pack ? READ_ONCE(pack->codec[key]) : RXCACHE_COMPRESS_OFF;
}

void rxc_pack_end_bins(struct rxc_pack *pack)
{
	unsigned int i;

	for (i = 0; i < RXC_OPEN_BINS; i++)
		rxc_bin_end(&pack->open[i], pack->pool);
}

void rxc_pack_stop(struct rxc_pool *pool)
{
	if (!pool->pack)
		return;
	cancel_work_sync(&pool->pack->work);
	cancel_work_sync(&pool->pack->damaged_work);
}

/*
 * Either the packer was made just now and nobody has found it, or the pool's last cache has
 * left, so that nobody reads a block, takes pages or changes settings. rxc_pack_stop() has
 * ended the works then, and the pool is @ending, so none was queued again.
 */
void rxc_pack_free(struct rxc_pack *pack)
{
	if (!pack)
		return;
	rxc_pack_end_bins(pack);
	rxc_lanes_free(pack->lanes);
	kfree(pack);
}

int __init rxc_pack_init(void)
{
	pack_wq = alloc_workqueue("rxcache_pack", WQ_UNBOUND, 0);
	return pack_wq ? 0 : -ENOMEM;
}

void rxc_pack_exit(void)
{
	destroy_workqueue(pack_wq);
}
