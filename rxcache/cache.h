/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxcache: a write-through read cache in memory over a slow block device. Read this
 * file first; Kbuild lists the files from top to bottom.
 *
 * Words
 *	origin	the slow device; always holds all data
 *	pool	a RAM disk claimed for its memory, and the index of its blocks; one or
 *		more caches share it
 *	cache	a block device /dev/rxcN: one origin seen through one pool
 *	block	cache block: the unit that is looked up, filled and evicted
 *	fill	a read of whole blocks from the origin into pool pages
 *	part	one bio sent to the origin on behalf of a user's bio
 *	io	a user's bio that needs parts
 *
 * A bio passes through bio.c, read.c or write.c, then miss.c, fill.c, bypass.c or
 * keep.c, then origin.c, bounce.c and part.c. The origin's answer returns by bi_end_io,
 * and io.c ends the bio. busy.h explains why no cached block is ever stale.
 *
 * Locks, outer first
 *	rxc_mutex	lists of caches and pools, their state and their
 *			settings; taken by netlink handlers, by works on rxc_life_wq
 *			and by the packer's, and never held over I/O
 *	disk->open_mutex  openers and rxc_cache.closing; under rxc_mutex only a
 *			trylock, because the block layer holds open_mutex
 *			while it reads the partition table
 *	rxc_resize.whole_lock  the size of the index; never with rxc_mutex; a mutex
 *	open_mutex of the RAM disk, in rxdsk, as a cache claims the disk, joins or
 *			leaves, or the disk gets another size; nobody holds it over I/O,
 *			for the disk is not open
 *	rxc_index.pin_lock  pins and the tables of the index (table.h); a mutex
 *	rxc_sampler.lock  the shadow (sampler.c); a mutex
 *	rxc_lane.lock	memory in which a block is compressed or decompressed (codec.h)
 *	rxc_cache.busy	ranges in flight, in stripes with a lock each (busy.h);
 *			irqsave
 *	rxc_set.lock	one set of the index (table.h); irqsave
 *
 * Lifetime: every io and every part holds rxc_cache.users, and so does what holders.c does.
 * A hit needs no reference, because it ends within the submit call, for which del_gendisk()
 * waits.
 */
#ifndef _RXC_CACHE_H
#define _RXC_CACHE_H

#include <linux/bio.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mempool.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/percpu-refcount.h>
#include <linux/workqueue.h>
#include <uapi/linux/rxcache.h>
#include "blocks/busy.h"
#include "compat.h"
#include "figures/latency.h"
#include "figures/recent.h"
#include "figures/sampler.h"
#include "figures/stats.h"
#include "io/ahead.h"
#include "io/bounce.h"
#include "life/backlog.h"
#include "life/bounds.h"
#include "life/verify.h"
#include "memory/pool.h"
#include "packed/pays.h"

enum {
	RXC_BLOCK_MIN = RXCACHE_BLOCK_MIN,
	RXC_BLOCK_MAX = RXCACHE_BLOCK_MAX,
	RXC_NAME_SIZE = RXCACHE_NAME_MAX + 1,
	RXC_ORIGIN_SIZE = 48,		/* kernel name, with a partition */
};

/**
 * struct rxc_cache - a cache
 *
 * Read by every request, and rarely written:
 * @dead: the origin is gone: every I/O fails. Set once, never cleared
 * @ticking: counters have moved since recent.work last summed them, see watch.c;
 *	written at most twice per run of the work
 * @write_allocate: READ_ONCE/WRITE_ONCE
 * @frozen: no block enters the cache; see rxc_mode_freeze(). READ_ONCE/WRITE_ONCE
 * @mode: enum rxcache_mode; READ_ONCE/WRITE_ONCE
 * @key: number of the cache in its pool's index
 * @index: that of @pool
 * @pool: the memory, which other caches may share (join.h); until rxc_cache_free()
 * @bytes: size of the device; once active, it only grows (follow.c). READ_ONCE/WRITE_ONCE
 * @origin_sectors: size of the origin up to which cached blocks equal it, or RXC_UNSETTLED
 *	while follow.c has something to do. READ_ONCE/WRITE_ONCE
 * @stats: the counters, which only grow
 * @sampling: how requests are sampled for the shadow
 * @parts: bios of parts, see part.c
 * @retries: bios of parts that read again after a failed fill
 * @retry_wq: for reads after failed fills
 * @bounces: for parts that are sent in pieces
 * @holders_wq: see holders.c
 *
 * Written by every miss and write:
 * @busy: ranges in flight at the origin
 *
 * The rest:
 * @name: name of the device
 * @number: N of rxcN
 * @id: never reused
 * @state: enum rxcache_state; written under rxc_mutex
 * @closing: opens fail; written under disk->open_mutex
 * @added: the block device is visible; release/acquire, see holders.c
 * @frozen_holders: see holders.c; under bd_fsfreeze_mutex of the origin
 * @node: in rxc_caches; rxc_mutex
 * @origin_name: empty until the origin is open; rxc_mutex
 * @origin_applied: size of the origin that follow.c last applied; written under rxc_mutex.
 *	READ_ONCE/WRITE_ONCE
 * @origin_least: smallest other size that was noted since, or U64_MAX; cmpxchg
 * @origin_stale: blocks behind it, which were cached before the origin shrank, wait to be
 *	dropped, or U64_MAX; written under rxc_mutex. READ_ONCE/WRITE_ONCE
 * @bounds: bounds of its part of @pool; rxc_mutex
 * @pays: whether compression pays, if its setting is auto; rxc_mutex
 * @floor: of @pool, in bytes, as it was asked for with the cache; rxc_pool_joined()
 * @floor_given: it was
 * @drained: the last reference to @users is dropped
 * @released: the last reference to the gendisk is dropped
 * @stats_base: the counters at the last reset; readers get the difference; rxc_mutex
 * @stats_since: time of the last reset, in ns; rxc_mutex
 * @latency_base: as @stats_base
 * @error: positive errno of a failed start
 * @message: static text of a failed start
 */
struct rxc_cache {
	bool dead;
	bool ticking;
	bool read_only;
	bool write_allocate;
	bool frozen;
	u32 mode;
	unsigned int key;
	unsigned int block_shift;
	u64 bytes;
	sector_t origin_sectors;
	struct rxc_stats __percpu *stats;
	struct rxc_latencies __percpu *latency;
	struct rxc_sampling sampling;
	struct rxc_index *index;
	struct rxc_pool *pool;
	struct rx_claim origin;
	struct percpu_ref users;
	mempool_t ios;
	struct bio_set parts;
	struct bio_set retries;
	struct workqueue_struct *retry_wq;
	struct workqueue_struct *holders_wq;
	struct rxc_bounces bounces;
	struct rxc_ahead ahead;

	struct rxc_busy_tree busy ____cacheline_aligned_in_smp;

	char name[RXC_NAME_SIZE] ____cacheline_aligned_in_smp;
	unsigned int number;
	u64 id;
	struct list_head node;
	enum rxcache_state state;
	bool closing;
	bool added;
	struct list_head frozen_holders;
	bool own_disk;
	const struct rxc_policy *policy;
	dev_t origin_dev;
	char origin_name[RXC_ORIGIN_SIZE];
	sector_t origin_applied;
	sector_t origin_least;
	sector_t origin_stale;
	char disk_name[RXC_NAME_SIZE];
	struct rxc_bounds bounds;
	struct rxc_pays pays;
	u64 floor;
	bool floor_given;
	struct gendisk *disk;
	struct completion drained;
	struct completion released;
	u64 stats_base[RXC_NR_STATS];
	u64 stats_since;
	struct rxc_latencies latency_base;
	struct rxc_recent recent;
	struct work_struct start_work;
	struct work_struct stop_work;
	struct work_struct dead_work;
	struct rxc_verify verify;
	struct rxc_backlog backlog;
	int error;
	const char *message;
};

/* Fields that a hit reads share no cache line with fields that requests often write. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_cache, busy) % SMP_CACHE_BYTES == 0 &&
	       offsetof(struct rxc_cache, name) % SMP_CACHE_BYTES == 0));

extern struct mutex rxc_mutex;
extern struct list_head rxc_caches;	/* sorted by number; rxc_mutex */
extern unsigned int rxc_generation;	/* of the list; rxc_mutex */
extern struct workqueue_struct *rxc_life_wq;	/* start, stop, verify, ... */

/* Context: any. */
static inline void rxc_count(struct rxc_cache *cache, enum rxc_stat stat, u64 n)
{
	this_cpu_add(cache->stats->count[stat], n);
}

/* Under rxc_mutex. */
struct rxc_cache *rxc_cache_find(const char *name);
int rxc_cache_add(struct rxc_cache *cache, const char *name, bool commit);

#endif
