/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxdsk: RAM disks that take memory page by page as they are written.
 *
 * Each file calls only those below it:
 *
 *   netlink.c pool.c	requests; a disk that lends its memory to a cache
 *   disk.c		makes and removes disks
 *   change.c		makes them larger and smaller, and erases them
 *   state.c		which requests a disk allows
 *   gendisk.c		the block device of a disk
 *   prepare.c		memory that is taken before it is written
 *   queue.c bio.c	reads and writes come in as requests or, if the disk is
 *			made so, as bios
 *   wait.c		waits for memory
 *   io.c		serves a bio
 *   zero.c		finds the zeroes in a bio
 *   store.c		bytes to pages
 *   limit.c		how much memory a disk may have
 *   clear.c reap.c	pages on their way back, all of a disk at once or some
 *   message.c		the netlink family, a disk as attributes, events
 *   extents.c		the parts of a disk that have memory
 *   stock.c		spare pages of a pool
 *   mem.c		pages from the kernel
 *   tree.c		page index to page
 *   freed.c		counts the pages on their way back
 *   disks.c		the disks by name and number
 *
 * Locks, outermost first:
 *
 *   change_lock	one disk: requests and changes of its claim, one at a
 *			time. Held for a short time only.
 *   gd->open_mutex	one disk: who may open, resize, erase, claim or detach
 *			it. The block layer holds it in open and close, and while
 *			the page cache is written back before a partition table is
 *			read. So requests only try to take it: rxd_state_trylock().
 *   rxd_disks_lock	all disks (rxd_disks), and their generation. "dying",
 *			"preparing" and "holder" of a disk are written under
 *			both of these and may be read under either, "dying"
 *			also under none; "clear.busy" is written
 *			under this one and set only under both. "walks" is
 *			read and written under this one.
 *   tree.lock		one disk: pages enter and leave its store. Nothing
 *			else is taken under it.
 *   reap.lock		one disk: its removed pages. Taken in any context, so
 *			with interrupts off. Nothing else is taken under it.
 *   stock.lock		one CPU's spare pages of a pool. As reap.lock.
 *   waiting.lock	one disk: bios that wait for memory. Nothing else is taken
 *			under it.
 *
 * Readers and overwriters of a page hold no lock, only rcu_read_lock() from
 * looking it up until the copy is done.
 */
#ifndef _RXDSK_H
#define _RXDSK_H

#include <linux/atomic.h>
#include <linux/bio.h>
#include <linux/blk-mq.h>
#include <linux/completion.h>
#include <linux/gfp.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/refcount.h>
#include <linux/semaphore.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rx/pages.h>
#include <rx/pool.h>
#include <uapi/linux/rxdsk.h>
#include "tree.h"

struct rx_ram_limits;

/* Sizes are multiples of this with any page size, so a disk may end within a page. */
#define RXD_SIZE_MIN	((u64)RXDSK_SIZE_MIN)
/* The page index is an unsigned long. */
#define RXD_SIZE_MAX	(BITS_PER_LONG == 64 ? (u64)RXDSK_SIZE_MAX : 1ULL << 43)

enum {
	RXD_INDEX_MAX		= RXDSK_NUMBER_MAX,
	/* Bytes of a request, and of a bio that its submitter's context serves. */
	RXD_REQUEST_MAX		= 8 << 20,
};

/*
 * Masks for pages and for the tree's nodes. Neither mask warns, starts the OOM killer
 * or uses the reserves that reclaim itself needs, even if reclaim is the writer (swap
 * on a RAM disk).
 */
#define RXD_GFP_NOWAIT	(GFP_NOWAIT | __GFP_NOWARN | __GFP_NOMEMALLOC)
#define RXD_GFP_SLEEP	(GFP_NOIO | __GFP_NORETRY | __GFP_NOWARN | \
			 __GFP_NOMEMALLOC)

/* Values of "node" for a disk that is not bound to one NUMA node. */
enum { RXD_NODE_ANY = NUMA_NO_NODE, RXD_NODE_INTERLEAVE = -2 };

/* Removed pages of one disk on their way through a grace period. */
struct rxd_reap {
	spinlock_t lock;
	struct rx_pages pending;	/* lock: no grace period begun yet */
	struct rx_pages waiting;	/* lock if !busy, else owned by work */
	bool busy;			/* lock: work is queued or running */
	struct rcu_work work;
	atomic_long_t pages;		/* in both rows */
};

enum {
	/* Single pages of a CPU's stock, at least and at most. */
	RXD_STOCK_MIN	= SZ_128K >> PAGE_SHIFT,
	RXD_STOCK_MAX	= SZ_1M >> PAGE_SHIFT,
};

/* The pages of one CPU that a pool may take without asking the kernel. */
struct rxd_stock {
	spinlock_t lock;
	unsigned int nr;		/* lock, WRITE_ONCE */
	unsigned int order;		/* lock, WRITE_ONCE; of each entry of @page */
	struct page *page[RXD_STOCK_MAX];	/* lock; the first @nr */
};

/* Pages that were dropped in one step and are being freed; see clear.c. */
struct rxd_clear {
	struct rxd_tree tree;		/* gd->open_mutex; owned by work if busy */
	atomic_long_t *count;		/* the counter that includes its pages; READ_ONCE/WRITE_ONCE */
	atomic_long_t pages;		/* its pages, if they no longer count as used */
	long expected;			/* told to rxd_freed_expect(): its pages or more */
	bool busy;			/* work is queued or running */
	struct rcu_work work;
};

/* How often a CPU has begun and ended to be in doubt about pages; see limit.c. */
struct rxd_doubts {
	unsigned long begun;
	unsigned long ended;
};

/* Bios that wait for memory; see wait.c. */
struct rxd_waiting {
	spinlock_t lock;
	struct bio_list bios;		/* lock */
	struct work_struct work;
};

/* The claim of a disk, for pool.c; written under gd->open_mutex. */
struct rxd_pool {
	long limit;			/* pages; READ_ONCE/WRITE_ONCE */
	struct rxd_stock __percpu *stock;	/* NULL: not claimed */
	unsigned int stock_max;		/* pages of a CPU; READ_ONCE/WRITE_ONCE */
	char holder[RXD_HOLDERS_MAX];	/* empty: not claimed */
	/* No CPU has any; READ_ONCE/WRITE_ONCE. Apart from what is only read. */
	bool stock_dry ____cacheline_aligned_in_smp;
};

/* What prepare_work is doing with a disk. */
enum rxd_preparing {
	RXD_PREPARING_NONE,
	RXD_PREPARING_NEW,		/* prealloc: takes its memory; no device yet */
	RXD_PREPARING_GROW,		/* may be open */
	RXD_PREPARING_ZERO,		/* prealloc: erased; cannot be opened */
};

struct rxd_disk {
	/* Constant from attach to detach. */
	struct gendisk *gd;
	unsigned int index;
	u64 id;				/* never used again; set when it is listed */
	unsigned int block_size;
	bool prealloc;
	bool zero_detect;
	int node;			/* or RXD_NODE_* */
	enum rxdsk_queue_mode queue_mode;
	/*
	 * Size in bytes, or U64_MAX after let_discards_end(). Written under
	 * gd->open_mutex or, while the disk grows, by prepare_work; READ_ONCE.
	 */
	u64 end;
	struct blk_mq_tag_set tags;	/* queue_mode mq */
	/* queue_mode bio: the reserve for the worker's bios, and how much is unused. */
	mempool_t slow;
	struct semaphore slow_left;
	struct rxd_waiting waiting;

	/* Lifetime: rxd_disks, each netlink handler and a claim hold one. */
	refcount_t refs;
	struct completion unused;
	struct completion released;	/* the gendisk is gone */
	unsigned int walks;		/* rxd_disks_lock; none begins if dying */
	struct work_struct stop_work;	/* queued once, when dying is set */
	struct mutex change_lock;
	bool dying;
	u64 last_size;			/* bytes; set with dying */
	enum rxd_preparing preparing;
	u64 prepare_size;		/* bytes; of prepare_work while preparing */
	int error;			/* rxd_disks_lock; errno of prepare_work */
	struct work_struct prepare_work;	/* queued when preparing is set */
	struct work_struct full_work;	/* queued when full is set */
	struct rxd_pool pool;
	struct rxd_clear clear;

	struct rxd_tree tree ____cacheline_aligned_in_smp;
	atomic_long_t used ____cacheline_aligned_in_smp;	/* pages */
	long limit;			/* pages; LONG_MAX: none; READ_ONCE/WRITE_ONCE */
	struct rxd_doubts __percpu *doubts;
	bool full;			/* the event is sent; READ_ONCE/WRITE_ONCE */
	atomic_long_t *node_used;	/* pages, by node; NULL: one node */
	struct rxd_reap reap;
	atomic_long_t no_space;		/* writes that ended in ENOSPC */
	atomic_long_t slow_writes;	/* writes that a worker had */
};

/* Returns the size in bytes; for a dying disk, the size when it was marked dying. */
static inline u64 rxd_disk_size(const struct rxd_disk *d)
{
	if (d->dying)
		return d->last_size;
	return (u64)get_capacity(d->gd) << SECTOR_SHIFT;
}

/*
 * Returns whether a range that ends at @end reaches the disk's end. While the disk
 * grows, @end may lie behind the old d->end, and then it is not the disk's end.
 */
static inline bool rxd_disk_ends_at(const struct rxd_disk *d, u64 end)
{
	return end == READ_ONCE(d->end);
}

/* Returns how many pages @bytes are, the last of which may be partly used. */
static inline pgoff_t rxd_pages_of(u64 bytes)
{
	return (bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
}

static inline struct rxd_disk *rxd_pool_disk(const struct rxd_pool *pool)
{
	return container_of(pool, struct rxd_disk, pool);
}

/* The parameters of a new disk. */
struct rxd_params {
	int index;			/* -1: the lowest free one */
	u64 size;			/* bytes */
	u32 block_size;
	u32 queues;			/* 0: default */
	bool prealloc;
	bool zero_detect;
	int node;			/* or RXD_NODE_* */
	enum rxdsk_queue_mode queue_mode;
	u64 limit;			/* bytes; 0: none */
	bool commit;			/* false: the disk is not made */
};

/*
 * A function that takes @commit makes all its checks before it changes anything, and with
 * false it changes nothing.
 */

/*
 * Every function that takes @why sets *@why to a static text of at most 80 bytes
 * whenever it returns an error.
 */

/* disks.c APIs: process context, may sleep */
extern struct mutex rxd_disks_lock;
extern struct xarray rxd_disks;		/* rxd_disks_lock */
extern unsigned int rxd_generation;	/* rxd_disks_lock; changes with rxd_disks */

int rxd_name_parse(const char *name);
struct rxd_disk *rxd_disk_get(const char *name, const char **why);
void rxd_disk_put(struct rxd_disk *d);
int rxd_disks_reserve(int want, bool commit, const char **why);
void rxd_disks_add(struct rxd_disk *d);
void rxd_disks_remove(unsigned int index);

/* disk.c APIs: process context, may sleep */
struct rxd_disk *rxd_disk_attach(const struct rxd_params *p, const char **why);
int rxd_disk_detach(struct rxd_disk *d, bool commit, const char **why);

/* change.c APIs: process context, may sleep */
int rxd_change_check_size(u64 size, const char **why);
void rxd_change_size(struct rxd_disk *d, u64 size);
void rxd_change_work(struct work_struct *work);
int rxd_change_resize(struct rxd_disk *d, u64 size, bool shrink, bool commit,
		    const char **why);
int rxd_change_erase(struct rxd_disk *d, bool commit, const char **why);

/* state.c APIs: process context, may sleep */
void rxd_state_queue(struct work_struct *work);
void rxd_state_init(struct rxd_disk *d);
int rxd_state_trylock(struct rxd_disk *d, const char **why);
void rxd_state_lock(struct rxd_disk *d);
void rxd_state_unlock(struct rxd_disk *d);
int rxd_state_live(struct rxd_disk *d, const char **why);
int rxd_state_closed(struct rxd_disk *d, const char **why);
int rxd_state_idle(struct rxd_disk *d, const char **why);
void rxd_state_end(struct rxd_disk *d);
int rxd_state_module_init(void);
void rxd_state_module_stop(void);
void rxd_state_module_exit(void);

/* gendisk.c APIs: process context, may sleep */
int rxd_gendisk_alloc(struct rxd_disk *d, const struct rxd_params *p);
int rxd_gendisk_add(struct rxd_disk *d);
bool rxd_gendisk_parts_locked(struct rxd_disk *d);
void rxd_gendisk_rescan(struct rxd_disk *d);
void rxd_gendisk_free(struct rxd_disk *d);

/* prepare.c APIs: process context, may sleep */
int rxd_prepare_check(int node, u64 nr, const char **why);
int rxd_prepare_pages(struct rxd_disk *d, pgoff_t first, pgoff_t end);
int rxd_prepare_zero(struct rxd_disk *d);

/* limit.c APIs */
unsigned int rxd_limit_take(struct rxd_disk *d, unsigned int nr);
void rxd_limit_swap(struct rxd_disk *d);
void rxd_limit_settle(struct rxd_disk *d, unsigned int unused);
bool rxd_limit_reached(const struct rxd_disk *d);
bool rxd_limit_hope(const struct rxd_disk *d);
void rxd_limit_full(struct rxd_disk *d);
int rxd_limit_init(struct rxd_disk *d, u64 bytes);
void rxd_limit_end(struct rxd_disk *d);
void rxd_limit_free(struct rxd_disk *d);
int rxd_limit_set(struct rxd_disk *d, u64 bytes, bool commit, const char **why);

/* queue.c, bio.c APIs: the two ways in, process context, may sleep */
struct gendisk *rxd_queue_alloc(struct rxd_disk *d, u32 queues,
				const struct rx_ram_limits *lim);
void rxd_queue_free(struct rxd_disk *d);
struct gendisk *rxd_bio_alloc(struct rxd_disk *d,
			      const struct rx_ram_limits *lim);
void rxd_bio_free(struct rxd_disk *d);
void rxd_bio_submit(struct bio *bio);

/* io.c APIs */
int rxd_io_serve(struct rxd_disk *d, struct bio *bio, gfp_t gfp);
int rxd_io_serve_after(struct rxd_disk *d, struct bio *bio);
blk_status_t rxd_io_status(struct rxd_disk *d, const struct bio *bio, int err);
void rxd_io_end(struct bio *bio, blk_status_t status);
void rxd_io_defer(struct work_struct *work);
int rxd_io_init(void);
void rxd_io_exit(void);

/* wait.c APIs */

/* A wait for memory: from an attempt that failed on, with others in between. */
struct rxd_wait {
	unsigned long seq;		/* rxd_freed_seq() before the last attempt */
	unsigned long end;		/* jiffies */
	unsigned long room_end;		/* jiffies; of waits at the disk's limit */
	unsigned int round;		/* of waits for reclaim */
};

void rxd_wait_init(struct rxd_disk *d);
void rxd_wait_end(struct rxd_disk *d);
void rxd_wait_begin(struct rxd_wait *w);
bool rxd_wait_hope(const struct rxd_wait *w, const struct rxd_disk *d);
bool rxd_wait_memory(struct rxd_wait *w, const struct rxd_disk *d);
void rxd_wait_serve(struct rxd_disk *d, struct bio *bio, int err);
int rxd_wait_module_init(void);
void rxd_wait_module_exit(void);

/* zero.c APIs */
unsigned int rxd_zero_run(const struct rxd_disk *d, u64 pos, struct bio *bio,
			  struct bvec_iter iter, bool *zero);

/* store.c APIs */
void rxd_store_init(struct rxd_disk *d);
void rxd_store_destroy(struct rxd_disk *d);
int rxd_store_read(struct rxd_disk *d, u64 pos, void *to, unsigned int len);
void rxd_store_prefetch(struct rxd_disk *d, u64 pos, unsigned int len);
unsigned int rxd_store_overwrite(struct rxd_disk *d, u64 pos, const void *from,
				 unsigned int len);
unsigned int rxd_store_hole(struct rxd_disk *d, u64 pos, unsigned int len,
			    unsigned int max);
unsigned int rxd_store_alloc(struct rxd_disk *d, pgoff_t first,
			     struct page **pages, unsigned int nr, gfp_t gfp);
int rxd_store_put(struct rxd_disk *d, pgoff_t first, struct page **pages,
		  unsigned int nr, gfp_t gfp);
struct page *rxd_store_failed(struct rxd_disk *d, pgoff_t index);
bool rxd_store_replace(struct rxd_disk *d, pgoff_t index, struct page *failed,
		       struct page *page);
void rxd_store_drop(struct rxd_disk *d, pgoff_t first, pgoff_t end);
int rxd_store_discard(struct rxd_disk *d, u64 pos, u64 len, bool sleep);
int rxd_store_zero(struct rxd_disk *d, u64 pos, u64 len, bool keep,
		   bool sleep);
int rxd_store_zero_pages(struct rxd_disk *d, u64 pos, unsigned int len,
			 bool sleep);

/*
 * Returns whether the bio must end with EAGAIN instead of going to a worker. Some
 * kernels, 6.1 among them, set REQ_NOWAIT in each polled bio, and the submitter
 * repeats the bio after EAGAIN, forever if there is no memory. No submitter waits for
 * a worker, so polled bios may go to one.
 */
static inline bool rxd_bio_nowait(const struct bio *bio)
{
	return (bio->bi_opf & (REQ_NOWAIT | REQ_POLLED)) == REQ_NOWAIT;
}

/* mem.c APIs */
struct page *rxd_page_alloc(unsigned int order, gfp_t gfp);
void rxd_pages_free(struct page *page, unsigned int order);
void rxd_pages_give(struct page *page, unsigned int order);
unsigned int rxd_page_alloc_bulk(struct page **pages, unsigned int nr,
				 gfp_t gfp);
long rxd_mem_left(int node);
unsigned long rxd_mem_missing(void);
unsigned int rxd_page_alloc_run(struct page **pages, unsigned int nr,
				gfp_t gfp, int node);
bool rxd_mem_has_node(int node);
int rxd_mem_nth_node(unsigned long n);
bool rxd_mem_above_floor(int node);
void rxd_mem_init(void);

/* clear.c APIs: process context, may sleep */
void rxd_clear_init(struct rxd_disk *d);
int rxd_clear_check(struct rxd_disk *d, const char **why);
int rxd_clear_from(struct rxd_disk *d, pgoff_t first, const char **why);
bool rxd_clear_counts(const struct rxd_disk *d);
void rxd_clear_all(struct rxd_disk *d);
int rxd_clear_module_init(void);
void rxd_clear_module_exit(void);

/* reap.c APIs */
void rxd_reap_init(struct rxd_reap *reap);
void rxd_reap_defer(struct rxd_disk *d, struct rx_pages *pages, long nr);
bool rxd_reap_full(struct rxd_disk *d);
void rxd_reap_throttle(struct rxd_disk *d);
void rxd_reap_drain(struct rxd_disk *d);
int rxd_reap_module_init(void);
void rxd_reap_module_exit(void);

/* stock.c APIs */
int rxd_stock_new(struct rxd_pool *pool, long slack);
void rxd_stock_free(struct rxd_pool *pool);
unsigned int rxd_stock_take(struct rxd_pool *pool, unsigned int order,
			    struct page **pages, unsigned int nr);
unsigned int rxd_stock_steal(struct rxd_pool *pool, unsigned int order,
			     struct page **pages, unsigned int nr);
void rxd_stock_add(struct rxd_pool *pool, struct page **pages, unsigned int nr);
void rxd_stock_put(struct rxd_pool *pool, unsigned int order,
		   struct rx_pages *pages);
void rxd_stock_bound(struct rxd_pool *pool, long slack);
long rxd_stock_trim(struct rxd_pool *pool, long most,
		    void (*free)(struct page *page, unsigned int order));
long rxd_stock_pages(const struct rxd_pool *pool);

/* message.c APIs: process context, may sleep */
struct genl_family;
struct genl_info;
struct sk_buff;
extern struct genl_family rxd_family;

int rxd_message_fill(struct sk_buff *skb, const struct rxd_disk *d, void *hdr);
int rxd_message_put(struct sk_buff *msg, const struct rxd_disk *d, u8 cmd,
		    struct genl_info *info);
void rxd_notify(struct rxd_disk *d, u8 cmd);
void rxd_notify_locked(struct rxd_disk *d, u8 cmd);
struct sk_buff *rxd_event_new(const struct rxd_disk *d, u8 cmd);
void rxd_event_send(struct sk_buff *msg);
int rxd_message_init(void);
void rxd_message_exit(void);

#endif
