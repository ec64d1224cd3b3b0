// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses: a reader whose first block is not cached looks for a write or fill in flight
 * (busy.h). Over a write the reader goes past the cache. The reader joins a fill that is
 * not raced, unless a read of its own may be faster (speed.h). If neither is in flight, or
 * only fills that do not suit it, the reader begins a fill (fill.c), or goes past the cache
 * if it can't make one.
 *
 * A frozen cache admits nothing, so all its missing blocks are read past it.
 */
#include <linux/rcupdate.h>
#include "block.h"
#include "blocks/busy.h"
#include "blocks/index.h"
#include "cache.h"
#include "figures/stats.h"
#include "figures/unread.h"
#include "io/bypass.h"
#include "io/fill.h"
#include "io/io.h"
#include "io/miss.h"
#include "io/part.h"
#include "io/segments.h"
#include "speed.h"
#include "trace.h"

/* The most bytes of a fill for a read that may wait; a multiple of any block. */
enum { FILL_BYTES = 256 * 1024 };

/* How the front of a read is served. */
enum miss_way {
	MISS_FREE,			/* no write is in flight there, or fill to join */
	MISS_FILL,			/* by a fill that was begun */
	MISS_JOIN,			/* by a fill in flight, which was joined */
	MISS_PASS,			/* by a read past the cache */
	MISS_CACHED,			/* the first block is cached by now */
	MISS_WAIT,			/* the read would need to wait, and must not */
};

/**
 * struct miss - the rest of a read, whose first block was missed a moment ago
 * @io: the read
 * @iter: its rest
 * @gfp: whether the read may wait
 * @speed: of the reader; found once, because ioprio_set() may change it at any time
 * @whole: the read may not wait: all of @iter is served at once, or nothing
 * @first: the first block of @iter
 * @end: the last block of @iter
 * @last: the last block that is served
 * @run: the front of @iter that is served
 * @why: the counter of the reason to go past the cache
 * @late: the fill that was joined reads ahead, and so was late
 */
struct miss {
	struct rxc_io *io;
	struct bvec_iter iter;
	gfp_t gfp;
	struct rxc_speed speed;
	bool whole;
	u64 first;
	u64 end;
	u64 last;
	struct bvec_iter run;
	enum rxc_stat why;
	bool late;
};

static bool miss_suits(const struct rxc_busy *busy, void *speed)
{
	return rxc_fill_suits(container_of(busy, struct rxc_part, busy), speed);
}

/*
 * Looks for a write or fill in flight at the front of the read, and with @again whether
 * the first block has been cached meanwhile. MISS_FREE: the blocks are free up to
 * @m->last. MISS_JOIN and MISS_PASS are about @m->run. Context: process, under the lock.
 */
static enum miss_way miss_look(struct miss *m, bool again)
{
	struct rxc_cache *cache = m->io->cache;
	struct rxc_busy_found found;
	struct rxc_part *fill;

	if (!rxc_busy_find(&cache->busy, m->first, miss_suits, &m->speed, &found)) {
		if (again && rxc_index_has(cache->index,
					   rxc_cache_key(cache, m->first)))
			return MISS_CACHED;
		if (m->last > m->first)
			m->last = rxc_busy_free_until(&cache->busy, m->first, m->last,
						      miss_suits, &m->speed);
		return MISS_FREE;
	}
	m->run = rxc_iter_until(cache, m->iter, found.last);
	if (m->whole && m->run.bi_size < m->iter.bi_size)
		return MISS_WAIT;
	if (!found.fill) {
		m->why = RXC_READ_BYPASS_WRITE;
		return MISS_PASS;
	}
	fill = container_of(found.fill, struct rxc_part, busy);
	if (rxc_fill_join(fill, m->io, m->run)) {
		m->late = fill->ahead;
		return MISS_JOIN;
	}
	m->why = RXC_READ_BYPASS_FILL;
	return MISS_PASS;
}

/*
 * Returns the most blocks of a fill from @first on. A read that may wait has fills of up
 * to FILL_BYTES: the first one is copied while the origin still reads the others. A read
 * that must not wait (@whole) has one fill, and the origin has to take it as one request,
 * because the block layer refuses to split it. Returns 0 if one block is too much.
 */
u64 rxc_miss_most(const struct rxc_cache *cache, u64 first, bool whole)
{
	struct request_queue *q = bdev_get_queue(cache->origin.bdev);
	unsigned int shift = cache->block_shift - SECTOR_SHIFT;
	u64 most;

	if (!whole)
		return FILL_BYTES >> cache->block_shift;
	most = min3((u64)RXC_PART_VECS,
		    (u64)queue_max_segments(q) / rxc_segments_block(cache),
		    (u64)rxc_segments_room(cache, first << shift) >> shift);
	/* There would be a gap between two blocks. */
	return queue_virt_boundary(q) >> cache->block_shift ? min(most, 1ULL) : most;
}

/*
 * Counts the missing blocks at the front of @iter, up to @most. The first one is known
 * to be missing. Context: any.
 */
u64 rxc_miss_count(struct rxc_cache *cache, struct bvec_iter iter, u64 most)
{
	u64 block = rxc_iter_first(cache, iter);
	u64 end = block + min(rxc_iter_last(cache, iter) - block + 1, most);
	u64 first = block, ahead = first + 1;

	rcu_read_lock();
	while (++block < end) {
		rxc_prefetch(cache, block, end - 1, &ahead);
		if (rxc_index_has(cache->index, rxc_cache_key(cache, block)))
			break;
	}
	rcu_read_unlock();
	return block - first;
}

/* Chooses the way for the blocks up to @m->last if no fill can be begun for them. */
static enum miss_way miss_without_fill(struct miss *m)
{
	m->run = rxc_iter_until(m->io->cache, m->iter, m->last);
	if (m->whole && m->run.bi_size < m->iter.bi_size)
		return MISS_WAIT;
	m->why = RXC_READ_BYPASS_MEMORY;
	return MISS_PASS;
}

/*
 * Enters a fill for the front of the read, as far as there are pages, and sets @m->run
 * to that. The blocks up to @m->last are free. The reader is the fill's first waiter.
 * Returns false if there is no page, or if a read that is @m->whole lacks a page for one
 * of its blocks. Context: process, under the lock.
 */
static bool miss_enter(struct miss *m, struct rxc_part *part)
{
	struct rxc_cache *cache = m->io->cache;

	if (!part->bio.bi_vcnt)
		return false;
	m->last = min_t(u64, m->last, m->first + part->bio.bi_vcnt - 1);
	m->run = rxc_iter_until(cache, m->iter, m->last);
	if (m->whole && m->run.bi_size < m->iter.bi_size)
		return false;
	part->busy.first = m->first;
	part->busy.last = m->last;
	rxc_fill_fit(part);
	part->first.io = m->io;
	part->first.iter = m->run;
	part->wanted = m->run.bi_size;
	atomic_inc(&m->io->pending);
	rxc_busy_enter_fill(&cache->busy, &part->busy);
	return true;
}

/*
 * Begins a fill where no write or fill seemed to be in flight. Under the lock this looks
 * for these again, and into the index, where the first block was missed a moment ago.
 */
static enum miss_way miss_fill(struct miss *m)
{
	struct rxc_cache *cache = m->io->cache;
	u64 most = rxc_miss_most(cache, m->first, m->whole);
	u64 blocks = 1;
	struct rxc_busy_held held;
	struct rxc_part *part;
	bool entered = false;
	enum miss_way way;

	/* Most reads are of one block. */
	if (m->end > m->first)
		blocks = rxc_miss_count(cache, m->iter, m->whole ? U64_MAX : most);
	if (m->whole && blocks < m->end - m->first + 1)
		return MISS_WAIT;
	m->last = m->first + blocks - 1;
	/* This fill needs a split, so it is always refused; the read may need none. */
	if (blocks > most)
		return miss_without_fill(m);
	part = rxc_fill_new(m->io, &m->speed, m->first, blocks, m->gfp);
	if (!part)
		return MISS_WAIT;
	rxc_busy_lock(&cache->busy, m->first, m->end, &held);
	way = miss_look(m, true);
	if (way == MISS_FREE)
		entered = miss_enter(m, part);
	rxc_busy_unlock(&cache->busy, &held);
	if (!entered) {
		rxc_fill_undo(part);
		return way == MISS_FREE ? miss_without_fill(m) : way;
	}
	blocks = m->last - m->first + 1;
	rxc_io_count(m->io, RXC_READ_MISS, blocks, m->run.bi_size);
	trace_rxcache_miss(cache, m->first, blocks);
	rxc_fill_send(part);
	return MISS_FILL;
}

/* Counts @m->run, for which the reader has joined a fill in flight. */
static void miss_join(struct miss *m)
{
	struct rxc_cache *cache = m->io->cache;
	u64 blocks = rxc_iter_blocks(cache, m->run);

	rxc_io_count(m->io, RXC_READ_JOIN, blocks, m->run.bi_size);
	if (m->late) {
		m->io->ahead = true;
		rxc_count(cache, RXC_AHEAD_LATE, blocks);
	}
	trace_rxcache_join(cache, m->first, blocks);
}

/* Reads @m->run past the cache, or its blocks before the first cached one. */
static enum rxc_begun miss_pass(struct miss *m)
{
	struct rxc_cache *cache = m->io->cache;
	enum rxc_begun begun = rxc_bypass_read(m->io, &m->run, RXC_BYPASS_UNCACHED,
					       m->gfp);
	u64 blocks;

	if (begun != RXC_BEGUN)
		return begun;
	blocks = rxc_iter_blocks(cache, m->run);
	rxc_io_count(m->io, m->why, blocks, m->run.bi_size);
	trace_rxcache_bypass(cache, m->first, blocks, m->why);
	return RXC_BEGUN;
}

/* Sends a read past a frozen cache. It may overlap any range in flight, see busy.h. */
static enum miss_way miss_frozen(struct miss *m)
{
	m->run = m->iter;
	m->why = RXC_READ_BYPASS_FROZEN;
	return MISS_PASS;
}

/* Takes the first look, unless no range seems to be in flight. */
static enum miss_way miss_meet(struct miss *m)
{
	struct rxc_busy_tree *busy = &m->io->cache->busy;
	struct rxc_busy_held held;
	enum miss_way way;

	if (rxc_busy_quiet(busy, m->first, m->end))
		return MISS_FREE;
	rxc_busy_lock(busy, m->first, m->end, &held);
	way = miss_look(m, false);
	rxc_busy_unlock(busy, &held);
	return way;
}

/*
 * Serves the front of *@iter, whose first block is not cached, and moves *@iter on. If
 * @gfp does not allow to sleep, it serves all of *@iter or nothing. Context: process,
 * sleeps as @gfp says.
 */
enum rxc_begun rxc_miss_read(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp)
{
	u64 first = rxc_iter_first(io->cache, *iter);
	struct miss m = {
		.io = io,
		.iter = *iter,
		.gfp = gfp,
		.whole = !(gfp & __GFP_DIRECT_RECLAIM),
		.first = first,
		.end = rxc_iter_last(io->cache, *iter),
		.last = first,
	};
	enum rxc_begun begun = RXC_BEGUN;
	enum miss_way way;

	io->used = rxc_unread_use(io->cache, first, m.end);
	if (io->used) {
		io->ahead = true;
		return RXC_CACHED;
	}
	m.speed = rxc_speed_of(io->bio);
	way = unlikely(READ_ONCE(io->cache->frozen)) ? miss_frozen(&m) : miss_meet(&m);
	if (way == MISS_FREE)
		way = miss_fill(&m);
	if (way == MISS_CACHED)
		return RXC_CACHED;
	if (way == MISS_WAIT)
		return RXC_WOULD_WAIT;
	if (way == MISS_JOIN)
		miss_join(&m);
	else if (way == MISS_PASS)
		begun = miss_pass(&m);
	if (begun == RXC_BEGUN)
		bio_advance_iter(io->bio, iter, m.run.bi_size);
	return begun;
}
