/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxcache: a write-through read cache in memory over a slow block device. Begin to
 * read here; Kbuild lists the files from top to bottom.
 *
 * Words
 *	origin	the slow device; always holds everything
 *	pool	a RAM disk claimed for its memory, and the index of its blocks
 *	cache	a block device /dev/rxcN: one origin seen through one pool
 *	block	cache block: the unit that is looked up, filled and evicted
 *	fill	a read of whole blocks from the origin into pool pages
 *	part	one bio sent to the origin on behalf of a user's bio
 *	io	a user's bio that needs parts
 *
 * A bio goes down: bio.c, read.c or write.c, then miss.c, fill.c, bypass.c or keep.c,
 * origin.c, bounce.c, part.c. The origin's answer comes back up by bi_end_io, and io.c
 * ends the bio. busy.h says why nothing in the cache is ever stale.
 *
 * Locks, outer first
 *	rxc_mutex	list of caches, their state and their settings; taken
 *			by netlink handlers and the workers that start, stop and
 *			verify, and never held over I/O
 *	disk->open_mutex  openers and rxc_map.closing; only tried under
 *			rxc_mutex, since the block layer holds it over reads
 *			of the partition table
 *	rxc_map.busy	what is in flight, in stripes, each with a lock (busy.h);
 *			irqsave
 *	rxc_set.lock	one set of the index (index.c); irqsave
 *	rxc_sampler.lock  the shadow (sampler.c)
 *
 * Lifetime: every io and every part holds rxc_map.users. A hit holds nothing:
 * it lives within the submit call, which del_gendisk() waits for.
 */
#ifndef _RXC_MAP_H
#define _RXC_MAP_H

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
#include "bounce.h"
#include "busy.h"
#include "compat.h"
#include "latency.h"
#include "pool.h"
#include "recent.h"
#include "resize.h"
#include "sampler.h"
#include "stats.h"
#include "verify.h"

enum {
	RXC_BLOCK_MIN = 4096,
	RXC_BLOCK_MAX = 65536,
	RXC_NAME_SIZE = RXCACHE_NAME_MAX + 1,
	RXC_ORIGIN_SIZE = 48,		/* kernel name, with a partition */
};

/**
 * struct rxc_map - a cache
 *
 * Every request reads these; only netlink requests and the loss of the origin change them:
 * @dead: the origin is gone: every I/O fails. Set once, never cleared
 * @ticking: recent.work is queued or runs; written twice in a period of it
 * @write_allocate: READ_ONCE/WRITE_ONCE
 * @frozen: no block enters the cache; see rxc_mode_freeze(). READ_ONCE/WRITE_ONCE
 * @mode: enum rxcache_mode; READ_ONCE/WRITE_ONCE
 * @key: number of the cache in its pool's index
 * @bytes: size of the device; only grows once active (follow.c), READ_ONCE/WRITE_ONCE
 * @stats: the counters, which only grow
 * @sampling: what requests tell the shadow
 * @parts: for parts, see part.c
 * @retries: for parts that read again after a failed fill
 * @retry_wq: reads again after failed fills, and sends parts in pieces
 *
 * Written by every miss and write:
 * @busy: what is in flight at the origin
 *
 * The rest:
 * @name: name of the device
 * @number: N of rxcN
 * @id: never used again
 * @state: enum rxcache_state; written under rxc_mutex
 * @closing: no more opens; written under disk->open_mutex
 * @added: the block device is visible
 * @node: in the list; rxc_mutex
 * @origin_name: rxc_mutex; empty at first
 * @origin_bytes: size of the origin when follow.c looked last, 0 at first; rxc_mutex
 * @drained: @users has no user any more
 * @released: the gendisk is gone
 * @stats_base: the counters at the last reset; readers get the difference; rxc_mutex
 * @stats_since: when the last reset was, in ns; rxc_mutex
 * @latency_base: as @stats_base
 * @error: positive errno of a failed start
 * @message: static text of a failed start
 */
struct rxc_map {
	bool dead;
	bool ticking;
	bool read_only;
	bool write_allocate;
	bool frozen;
	u32 mode;
	unsigned int key;
	unsigned int block_shift;
	u64 bytes;
	struct rxc_stats __percpu *stats;
	struct rxc_latencies __percpu *latency;
	struct rxc_sampling sampling;
	struct rxc_pool pool;
	struct rx_claim origin;
	struct percpu_ref users;
	mempool_t ios;
	struct bio_set parts;
	struct bio_set retries;
	struct workqueue_struct *retry_wq;
	struct rxc_bounces bounces;

	struct rxc_busy_tree busy ____cacheline_aligned_in_smp;

	char name[RXC_NAME_SIZE] ____cacheline_aligned_in_smp;
	unsigned int number;
	u64 id;
	struct list_head node;
	enum rxcache_state state;
	bool closing;
	bool added;
	bool own_disk;
	const struct rxc_policy *policy;
	dev_t origin_dev;
	char origin_name[RXC_ORIGIN_SIZE];
	u64 origin_bytes;
	char disk_name[RXC_NAME_SIZE];
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
	struct rxc_resize resize;
	int error;
	const char *message;
};

/* What a hit reads must not share a line with what others write meanwhile. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_map, busy) % SMP_CACHE_BYTES == 0 &&
	       offsetof(struct rxc_map, name) % SMP_CACHE_BYTES == 0));

extern struct mutex rxc_mutex;
extern struct list_head rxc_maps;	/* by number; rxc_mutex */
extern unsigned int rxc_generation;	/* of the list; rxc_mutex */
extern struct workqueue_struct *rxc_life_wq;	/* start, stop, resize, … */

/* Context: any. */
static inline void rxc_count(struct rxc_map *map, enum rxc_stat stat, u64 n)
{
	this_cpu_add(map->stats->count[stat], n);
}

/* Under rxc_mutex. */
struct rxc_map *rxc_map_find(const char *name);
int rxc_map_add(struct rxc_map *map, const char *name);

#endif
