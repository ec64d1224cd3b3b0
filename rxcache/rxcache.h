/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxcache: a write-through read cache in memory over a slow block device.
 *
 * Words
 *	origin	the slow device; always holds everything
 *	pool	a RAM disk claimed for its memory, and the index of its blocks
 *	mapping	a block device /dev/rxcN: one origin seen through one pool
 *	block	cache block: the unit that is looked up, filled and evicted
 *	fill	a read of whole blocks from the origin into pool pages
 *	part	one bio sent to the origin on behalf of a user's bio
 *	io	a user's bio that needs parts
 *
 * The life of a bio: io.c (dispatch, hits), part.c and bounce.c (what goes to the
 * origin), fill.c and retry.c (misses), nowait.c, write.c and keep.c.
 * The life of a mapping: map.c (list, names, end), start.c (its beginning).
 * verify.c compares it with its origin, sampler.c learns what other sizes would do.
 *
 * Locks, outer first
 *	rxc_mutex	list of mappings, their state and their settings; taken
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
#ifndef _RXCACHE_H
#define _RXCACHE_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mempool.h>
#include <linux/mutex.h>
#include <linux/percpu-refcount.h>
#include <linux/workqueue.h>
#include <rx/pages.h>
#include <rx/pool.h>
#include <uapi/linux/rxcache.h>
#include "bounce.h"
#include "busy.h"
#include "compat.h"
#include "index.h"
#include "latency.h"
#include "nowait.h"
#include "sampler.h"
#include "share.h"
#include "stats_gen.h"
#include "verify.h"
#include "window.h"

/*
 * A CPU's counters, which only grow. stats_gen.h has their names, and a hit adds to
 * the first ones. A request has added its part when it ends. rxc_stats_sum()
 * completes RXC_READS and RXC_READ_BYTES: no request counts itself in the first, and
 * no hit its bytes in the second.
 */
struct rxc_stats {
	u64 count[RXC_NR_STATS];
} ____cacheline_aligned;

enum {
	RXC_BLOCK_MIN = 4096,
	RXC_BLOCK_MAX = 65536,
	/* A user's bio is cut to this; a part holds as many bio_vecs. */
	RXC_MAX_SECTORS = 1024 * 1024 / SECTOR_SIZE,
	RXC_PART_VECS = BIO_MAX_VECS,
	/* Most that is read from the origin at a time; a multiple of any block. */
	RXC_FILL_BYTES = 256 * 1024,
	/* A fill copies so much to its readers in hard interrupt context. */
	RXC_IRQ_COPY_MAX = 16384,
	/*
	 * Blocks that are stored, or get their pages, at a time. Arrays for so
	 * many are marked __uninitialized: where the compiler zeroes the stack
	 * that is most of what a single block would cost.
	 */
	RXC_BATCH = 16,
	/* Of so many hits on a CPU one is timed; a power of two. */
	RXC_HITS_TIMED = 64,
	/* Blocks ahead whose part of the index is brought in. */
	RXC_PREFETCH = 4,
	RXC_NAME_SIZE = RXCACHE_NAME_MAX + 1,
	RXC_ORIGIN_SIZE = 48,		/* kernel name, with a partition */
};

/**
 * struct rxc_pool - memory for blocks and the index that finds them
 * @index: its blocks
 * @memory: the claimed RAM disk
 * @order: a block is 2^@order pages
 * @blocks: how many it can hold; constant
 * @shrinker: gives cold blocks back under memory pressure
 * @floor: blocks that the shrinker leaves; READ_ONCE/WRITE_ONCE
 * @reclaimed: the counter to charge the shrinker's work to
 */
struct rxc_pool {
	struct rxc_index *index;
	struct rxd_pool *memory;
	unsigned int order;
	u64 blocks;
	struct rx_shrinker shrinker;
	u64 floor;
	struct rxc_stats __percpu *reclaimed;
};

/**
 * struct rxc_recent - what happened lately
 * @work: brings the windows up to date; queued by whoever sets rxc_map.ticking,
 *	and by itself
 * @woken: when it last began to tick; READ_ONCE/WRITE_ONCE
 * @window: rxc_mutex
 * @errors: how many had been counted when an event last told; rxc_mutex
 * @reclaimed: likewise
 */
struct rxc_recent {
	struct delayed_work work;
	u64 woken;
	struct rxc_window window;
	u64 errors;
	u64 reclaimed;
};

/**
 * struct rxc_map - a mapping
 *
 * Read by every request, and changed by netlink and the origin's end alone:
 * @dead: the origin is gone: every I/O fails. Set once, never cleared
 * @ticking: recent.work is queued or runs; written twice in a period of it
 * @write_allocate: READ_ONCE/WRITE_ONCE
 * @mode: enum rxcache_mode; READ_ONCE/WRITE_ONCE
 * @key: number of the mapping in its pool's index
 * @bytes: size of the origin; constant once active
 * @stats: the counters, which only grow
 * @sampling: what requests tell the shadow
 * @retries: of reads after a failed fill
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
 * @stats_base: what is taken off the counters for whoever reads; rxc_mutex
 * @stats_since: when that was settled, in ns; rxc_mutex
 * @latency_base: as @stats_base
 * @error: positive errno of a failed start
 * @message: static text of a failed start
 */
struct rxc_map {
	bool dead;
	bool ticking;
	bool read_only;
	bool write_allocate;
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
	char disk_name[RXC_NAME_SIZE];
	struct gendisk *disk;
	struct completion drained;
	struct completion released;	/* the gendisk is gone */
	u64 stats_base[RXC_NR_STATS];
	u64 stats_since;
	struct rxc_latencies latency_base;
	struct rxc_recent recent;
	struct work_struct start_work;
	struct work_struct stop_work;
	struct work_struct dead_work;
	struct rxc_verify verify;
	int error;
	const char *message;
};

/* What a hit reads must not share a line with what others write meanwhile. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      (offsetof(struct rxc_map, busy) % SMP_CACHE_BYTES == 0 &&
	       offsetof(struct rxc_map, name) % SMP_CACHE_BYTES == 0));

/**
 * struct rxc_io - a user's bio that could not be served from memory at once
 * @began: in ns, for the histograms
 * @late: of a read that must not wait
 * @pending: parts and waits that have not ended, and one for the submitter; not
 *	used of a write's one part
 * @status: the first error
 */
struct rxc_io {
	struct rxc_map *map;
	struct bio *bio;
	unsigned long start;		/* of I/O accounting */
	u64 began;
	struct rxc_late late;
	atomic_t pending;
	blk_status_t status;
};

/* A piece of an io that waits for a fill. */
struct rxc_wait {
	struct llist_node node;		/* of rxc_part.waiters */
	struct rxc_io *io;
	struct bvec_iter iter;		/* of io->bio, what is to be copied */
};

/**
 * struct rxc_part - one bio sent to the origin
 * @io: whose part it is; a fill belongs to nobody once others wait for it
 * @busy: its range; entered but for flushes
 * @work: the end of a fill, or the sending of a part by bounce.c
 * @began: of a read, when it was sent, in ns
 * @uncounted: of a read that the origin may refuse, its bytes; else 0
 * @users_pages: it carries pages of the user's bio; constant once it is sent
 * @first: the wait of the reader that began the fill; its io is NULL once the
 *	origin has refused it
 * @waiters: the other waits of a fill. Added to under a lock of the fill's range,
 *	which is not always the same one; taken away under all of them
 * @wanted: bytes that the waiters of a fill want; a hint, READ_ONCE/WRITE_ONCE
 * @share: of a fill, of the reader that began it; constant
 * @kept: pages of a write that will be stored; page->private is how many blocks
 *	a page's is behind @busy.first
 * @head_whole: of a write that keeps pages: it covers its first block whole
 * @tail_whole: likewise its last block; it covers those between in any case
 * @own: of a write that is all of its bio, what @io is
 */
struct rxc_part {
	struct rxc_map *map;
	struct rxc_io *io;
	struct rxc_busy busy;
	struct work_struct work;
	u64 began;
	unsigned int uncounted;
	bool users_pages;
	union {
		struct {
			struct llist_head waiters;
			struct rxc_wait first;
			u64 wanted;
			struct rxc_share share;
		};
		struct {
			struct rx_pages kept;
			bool head_whole;
			bool tail_whole;
			struct rxc_io own;
		};
	};
	struct bio bio;			/* last: the bioset puts vecs behind */
};

/* What a read past the cache does about blocks that are cached. */
enum rxc_bypass {
	RXC_BYPASS_UNCACHED,		/* ends before the first of them */
	RXC_BYPASS_ALL,			/* drops them */
	RXC_BYPASS_RETRY,		/* has seen to it, after a failed fill */
};

extern struct mutex rxc_mutex;
extern struct list_head rxc_maps;	/* by number; rxc_mutex */
extern unsigned int rxc_generation;	/* of the list; rxc_mutex */
extern struct workqueue_struct *rxc_end_wq;	/* fills that copy much */
extern struct workqueue_struct *rxc_life_wq;	/* start, stop, origin dead */
extern struct kmem_cache *rxc_io_cache;
extern struct kmem_cache *rxc_wait_cache;

static inline void rxc_count(struct rxc_map *map, enum rxc_stat stat, u64 n)
{
	this_cpu_add(map->stats->count[stat], n);
}

/* For each request: its mapping is not at rest; also of what comes by itself. */
void rxc_recent_wake(struct rxc_map *map);	/* recent.c, any context */

static inline void rxc_recent_note(struct rxc_map *map)
{
	if (unlikely(!READ_ONCE(map->ticking)))
		rxc_recent_wake(map);
}

/* An error may come when it has been at rest for long. Context: any. */
static inline void rxc_count_error(struct rxc_map *map, enum rxc_stat stat)
{
	rxc_count(map, stat, 1);
	rxc_recent_note(map);
}

static inline u64 rxc_map_key(const struct rxc_map *map, u64 block)
{
	return rxc_key(map->key, block);
}

/*
 * Who goes through the blocks up to @last is at @block: brings in the index for
 * those that come next, for neighbours lie in sets far apart. *@ahead is how far
 * it has come, at first the block after the first one.
 */
static inline void rxc_prefetch(struct rxc_map *map, u64 block, u64 last,
				u64 *ahead)
{
	for (; *ahead <= min(last, block + RXC_PREFETCH); ++*ahead)
		rxc_index_prefetch(map->pool.index, rxc_map_key(map, *ahead));
}

/* Bytes of a block that lie within the origin. */
static inline unsigned int rxc_block_bytes(const struct rxc_map *map, u64 block)
{
	u64 begin = block << map->block_shift;

	return min_t(u64, 1U << map->block_shift, map->bytes - begin);
}

#include "iter.h"

/* main.c */
const struct rxc_policy *rxc_policy_find(const char *name);

/* map.c: under rxc_mutex unless said otherwise */
struct rxc_map *rxc_map_find(const char *name);
int rxc_map_add(struct rxc_map *map, const char *name);
int rxc_map_stop(struct rxc_map *map, const char **why);
void rxc_map_note_dead(struct rxc_map *map);	/* any context, no lock */
void rxc_map_end(struct rxc_map *map);		/* may sleep, no lock */
void rxc_map_gone(struct rxc_map *map);		/* may sleep, no lock */
void rxc_map_free(struct rxc_map *map);		/* may sleep, no lock */
void rxc_map_init(struct rxc_map *map);
extern const struct block_device_operations rxc_fops;

/* start.c: may sleep and wait for I/O, no lock */
void rxc_map_start(struct work_struct *work);

/* io.c */
void rxc_submit_bio(struct bio *bio);
void rxc_io_init(struct rxc_io *io, struct rxc_map *map, struct bio *bio,
		 unsigned long start, u64 began);	/* any context */
struct rxc_io *rxc_io_begin(struct rxc_map *map, struct bio *bio,
			    unsigned long start, gfp_t gfp);
void rxc_io_end(struct rxc_io *io, blk_status_t status); /* any context */
void rxc_io_put(struct rxc_io *io, blk_status_t status); /* any context */
bool rxc_read_hits(struct rxc_map *map, struct bio *bio, struct bvec_iter *iter);
void rxc_read_note(struct rxc_map *map, const struct bio *bio,
		   enum rxc_stat kind, u64 began);	/* any context */
void rxc_read_refuse(struct rxc_map *map, struct bio *bio, unsigned long start);
gfp_t rxc_bio_gfp(const struct bio *bio);

/* part.c */
struct rxc_part *rxc_part_clone(struct rxc_map *map, struct bio *user,
				struct bvec_iter iter, struct bio_set *parts,
				gfp_t gfp);
struct rxc_part *rxc_part_new(struct rxc_map *map, struct bio *user,
			      unsigned int vecs, blk_opf_t opf, gfp_t gfp);
void rxc_part_free(struct rxc_part *part);
void rxc_part_range(struct rxc_part *part, struct bvec_iter iter);
void rxc_part_read(struct rxc_part *part);
void rxc_part_send(struct rxc_part *part);
void rxc_origin_submit(struct rxc_map *map, struct bio *bio);
void rxc_part_answered(struct rxc_part *part);	/* any context */
int rxc_read_bypass(struct rxc_io *io, struct bvec_iter *iter,
		    enum rxc_bypass how, gfp_t gfp);

/* fill.c */
u64 rxc_count_missing(struct rxc_map *map, struct bvec_iter iter, u64 most);
int rxc_read_miss(struct rxc_io *io, struct bvec_iter *iter, gfp_t gfp);
void rxc_fill_free_pages(struct rxc_part *part, u64 block);

/* retry.c */
void rxc_fill_failed(struct rxc_part *part);	/* on map->retry_wq */
void rxc_fill_refused(struct rxc_part *part);	/* any context */

/* write.c */
void rxc_write(struct rxc_map *map, struct bio *bio);
bool rxc_invalidate_block(struct rxc_map *map, u64 block); /* any context */
void rxc_drop_all(struct rxc_map *map);

/* shrink.c */
int rxc_pool_open(struct rxc_map *map, u64 floor_bytes);	/* may sleep */
void rxc_pool_close(struct rxc_map *map);			/* may sleep */
unsigned int rxc_pool_pages(struct rxc_map *map, struct page **pages,
			    unsigned int nr);
void rxc_note_evicted(struct rxc_map *map, const struct rxc_taken *old);

/* stats.c: any context, but for those under rxc_mutex */
void rxc_stats_sum(const struct rxc_map *map, struct rxc_stats *sum);
void rxc_stats_since_reset(const struct rxc_map *map, struct rxc_stats *sum);
void rxc_stats_reset(struct rxc_map *map);
void rxc_count_write(struct rxc_map *map, const struct bio *bio);

/* source.c: any context */
void rxc_source_look(struct rxc_map *map, const struct bio *bio);

/* recent.c: under rxc_mutex unless said otherwise */
void rxc_recent_init(struct rxc_map *map);		/* any context */
const struct rxc_window *rxc_recent_read(struct rxc_map *map,
					 const struct rxc_stats *sum);
void rxc_recent_reset(struct rxc_map *map, const struct rxc_stats *sum);
void rxc_recent_end(struct rxc_map *map);		/* may sleep, no lock */

/* message.c: under rxc_mutex */
struct sk_buff;
int rxc_message_fill(struct sk_buff *msg, struct rxc_map *map, void *hdr);

/* netlink.c */
int rxc_netlink_init(void);
void rxc_netlink_exit(void);
void rxc_notify(struct rxc_map *map, u8 cmd);	/* may sleep, rxc_mutex */
void rxc_notify_change(struct rxc_map *map, enum rxcache_cause cause); /* too */

#endif
