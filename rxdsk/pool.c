// SPDX-License-Identifier: GPL-2.0-only
/* The in-kernel interface of a disk that lends its memory to a cache. */
#include <linux/blkdev.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/sysfs.h>
#include <rx/pool.h>
#include "compat.h"
#include "rxdsk.h"

/* No reclaim on behalf of a cache, not even kswapd's. */
#define POOL_GFP	(__GFP_NOWARN | __GFP_NOMEMALLOC)

/* The fewest pages that are taken from the kernel at a time; they fit a stock. */
enum { POOL_REFILL = RXD_STOCK_MIN < 16 ? RXD_STOCK_MIN : 16 };

/*
 * Returns how many pages a full pool may have beyond its size, for writes and for the
 * stock. A write takes its pages before it is sent, and gives the pages that they
 * replace back when it has ended. The cache lets one cgroup's writes have half of the
 * slack, if no other requests have any: at least 16 writes of 1 MiB.
 */
static long pool_slack(u64 size)
{
	return clamp_t(u64, size / 8, SZ_32M, SZ_256M) >> PAGE_SHIFT;
}

/* Sets the limits of a pool of @size bytes, for pages that are taken from now on. */
static void pool_bound(struct rxd_pool *pool, u64 size)
{
	lockdep_assert_held(&rxd_pool_disk(pool)->gd->open_mutex);
	WRITE_ONCE(pool->limit, (size >> PAGE_SHIFT) + pool_slack(size));
	rxd_stock_bound(pool, pool_slack(size));
}

static void holder_set(struct rxd_disk *d, const char *holder)
{
	lockdep_assert_held(&d->gd->open_mutex);
	mutex_lock(&rxd_disks_lock);
	strscpy(d->pool.holder, holder, sizeof(d->pool.holder));
	mutex_unlock(&rxd_disks_lock);
}

static int pool_check(struct rxd_disk *d, bool erase, const char **why)
{
	int err = rxd_state_idle(d, why);

	if (err)
		return err;
	if (d->prealloc) {
		*why = "the disk is preallocated, but a cache takes memory as it needs it";
		return -EINVAL;
	}
	if (d->zero_detect) {
		*why = "the disk drops pages of zeroes, and a cache keeps what it reads";
		return -EINVAL;
	}
	if (d->limit != LONG_MAX) {
		*why = "the disk has a memory limit, and a cache may take all of its size";
		return -EINVAL;
	}
	if (d->node != RXD_NODE_ANY) {
		*why = "the disk is bound to NUMA nodes, and a cache takes memory of any";
		return -EINVAL;
	}
	if (!rxd_tree_empty(&d->tree) && !erase) {
		*why = "the disk holds data";
		return -ENOTEMPTY;
	}
	return rxd_clear_check(d, why);
}

/* Returns a disk that can be claimed, with a reference and locked, or ERR_PTR. */
static struct rxd_disk *pool_lock(const char *disk, bool erase, const char **why)
{
	struct rxd_disk *d = rxd_disk_get(disk, why);
	int err;

	if (IS_ERR(d))
		return d;
	err = rxd_state_trylock(d, why);
	if (err)
		goto err_put;
	err = pool_check(d, erase, why);
	if (!err)
		return d;
	rxd_state_unlock(d);
err_put:
	rxd_disk_put(d);
	return ERR_PTR(err);
}

int rxd_pool_check(const char *disk, bool erase, u64 *size, const char **why)
{
	struct rxd_disk *d = pool_lock(disk, erase, why);

	if (IS_ERR(d))
		return PTR_ERR(d);
	*size = rxd_disk_size(d);
	rxd_state_unlock(d);
	rxd_disk_put(d);
	return 0;
}
EXPORT_SYMBOL_GPL(rxd_pool_check);

struct rxd_pool *rxd_pool_claim(const char *disk, const char *holder,
				bool erase, const char **why)
{
	struct rxd_disk *d = pool_lock(disk, erase, why);
	int err = 0;
	u64 size;

	if (IS_ERR(d))
		return ERR_CAST(d);

	size = rxd_disk_size(d);
	if (rxd_stock_new(&d->pool, pool_slack(size))) {
		*why = "no memory for the pool";
		err = -ENOMEM;
	}
	if (!err) {
		err = rxd_clear_from(d, 0, why);
		if (err)
			rxd_stock_free(&d->pool);
	}
	if (!err) {
		rxd_gendisk_rescan(d);
		pool_bound(&d->pool, size);
		holder_set(d, holder);
		/*
		 * The content is gone, and a claimed disk cannot be opened, so udev
		 * finds nothing there and drops the names that led to it.
		 */
		disk_uevent(d->gd, KOBJ_CHANGE);
	}
	rxd_state_unlock(d);
	if (err) {
		rxd_disk_put(d);
		return ERR_PTR(err);
	}
	rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
	/* The claim keeps the reference until rxd_pool_release(). */
	return &d->pool;
}
EXPORT_SYMBOL_GPL(rxd_pool_claim);

void rxd_pool_hold(struct rxd_pool *pool, const char *holder)
{
	struct rxd_disk *d = rxd_pool_disk(pool);

	rxd_state_lock(d);
	holder_set(d, holder);
	rxd_state_unlock(d);
	rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
}
EXPORT_SYMBOL_GPL(rxd_pool_hold);

static long pool_trim(struct rxd_pool *pool, long most,
		      void (*free)(struct page *page, unsigned int order))
{
	long freed = rxd_stock_trim(pool, most, free);

	if (freed)
		atomic_long_sub(freed, &rxd_pool_disk(pool)->used);
	return freed;
}

void rxd_pool_release(struct rxd_pool *pool)
{
	struct rxd_disk *d = rxd_pool_disk(pool);

	pool_trim(pool, LONG_MAX, rxd_pages_free);
	WARN_ONCE(atomic_long_read(&d->used), "rxdsk: pool pages leaked\n");

	rxd_state_lock(d);
	holder_set(d, "");
	rxd_stock_free(pool);
	/* Under open_mutex, before a detach can delete the device. */
	disk_uevent(d->gd, KOBJ_CHANGE);
	rxd_state_unlock(d);
	rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
	rxd_disk_put(d);
}
EXPORT_SYMBOL_GPL(rxd_pool_release);

/*
 * Does what bd_link_disk_holder() does for a device that is open, which a pool is
 * not. Both directories stay: the claim keeps this disk, and the caller keeps @disk.
 */
int rxd_pool_link(struct rxd_pool *pool, struct gendisk *disk)
{
	struct block_device *bdev = rxd_pool_disk(pool)->gd->part0;
	struct kobject *holder = &disk_to_dev(disk)->kobj;
	int err;

	err = sysfs_create_link(disk->slave_dir, bdev_kobj(bdev),
				kobject_name(bdev_kobj(bdev)));
	if (err)
		return err;
	err = sysfs_create_link(bdev->bd_holder_dir, holder,
				kobject_name(holder));
	if (err)
		sysfs_remove_link(disk->slave_dir,
				  kobject_name(bdev_kobj(bdev)));
	return err;
}
EXPORT_SYMBOL_GPL(rxd_pool_link);

void rxd_pool_unlink(struct rxd_pool *pool, struct gendisk *disk)
{
	struct block_device *bdev = rxd_pool_disk(pool)->gd->part0;

	sysfs_remove_link(bdev->bd_holder_dir,
			  kobject_name(&disk_to_dev(disk)->kobj));
	sysfs_remove_link(disk->slave_dir, kobject_name(bdev_kobj(bdev)));
}
EXPORT_SYMBOL_GPL(rxd_pool_unlink);

/*
 * Counts @nr pages as used, or fewer if there is no room for all, and returns how many.
 * It adds before it compares, so that no two callers share the last room.
 */
static long take_room(struct rxd_disk *d, long nr)
{
	long over = atomic_long_add_return(nr, &d->used) -
		    READ_ONCE(d->pool.limit);

	over = clamp(over, 0L, nr);
	if (over)
		atomic_long_sub(over, &d->used);
	return nr - over;
}

/*
 * Takes single pages from the machine, at least POOL_REFILL at a time if there is
 * room. The pages beyond @nr go into the stock, because they will be needed soon.
 * Returns the number of pages in @pages, up to @nr.
 */
static unsigned int take_singles(struct rxd_disk *d, struct page **pages,
				 unsigned int nr)
{
	struct page *more[POOL_REFILL] __uninitialized;
	unsigned int got;
	long room;

	room = take_room(d, max_t(unsigned int, nr, POOL_REFILL));
	if (nr >= POOL_REFILL) {
		got = room ? rxd_page_alloc_bulk(pages, room, POOL_GFP) : 0;
	} else {
		got = room ? rxd_page_alloc_bulk(more, room, POOL_GFP) : 0;
		nr = min(nr, got);
		memcpy(pages, more, nr * sizeof(*pages));
		rxd_stock_add(&d->pool, more + nr, got - nr);
	}
	if (got < room)
		atomic_long_sub(room - got, &d->used);
	return min(nr, got);
}

static unsigned int take_blocks(struct rxd_disk *d, unsigned int order,
				struct page **pages, unsigned int nr)
{
	long room = take_room(d, (long)nr << order);
	unsigned int got = 0;

	for (; got < room >> order; got++) {
		pages[got] = rxd_page_alloc(order, POOL_GFP);
		if (!pages[got])
			break;
	}
	room -= (long)got << order;
	if (room)
		atomic_long_sub(room, &d->used);
	return got;
}

unsigned int rxd_pool_alloc_bulk(struct rxd_pool *pool, unsigned int order,
				 struct page **pages, unsigned int nr)
{
	struct rxd_disk *d = rxd_pool_disk(pool);
	unsigned int got = 0;

	/* The stock knows no memory policy, so a task with one takes other pages. */
	if (!rx_task_has_mempolicy())
		got = rxd_stock_take(pool, order, pages, nr);
	if (got < nr)
		got += order ? take_blocks(d, order, pages + got, nr - got) :
			       take_singles(d, pages + got, nr - got);
	if (unlikely(got < nr))
		got += rxd_stock_steal(pool, order, pages + got, nr - got);
	return got;
}
EXPORT_SYMBOL_GPL(rxd_pool_alloc_bulk);

bool rxd_pool_has_room(const struct rxd_pool *pool, unsigned int order)
{
	const struct rxd_disk *d = rxd_pool_disk(pool);

	return atomic_long_read(&d->used) + (1L << order) <= READ_ONCE(pool->limit);
}
EXPORT_SYMBOL_GPL(rxd_pool_has_room);

long rxd_pool_slack(const struct rxd_pool *pool)
{
	return pool_slack(rxd_disk_size(rxd_pool_disk(pool)));
}
EXPORT_SYMBOL_GPL(rxd_pool_slack);

/*
 * Drops the pool's reference to the page. A reader of the pool's holder that took a
 * reference before the page left the index may still hold the page, and so may a
 * driver that still sends it. The kernel frees the page with the last reference.
 */
void rxd_pool_free(struct rxd_pool *pool, struct page *page,
		   unsigned int order)
{
	rxd_pages_free(page, order);
	atomic_long_sub(1L << order, &rxd_pool_disk(pool)->used);
}
EXPORT_SYMBOL_GPL(rxd_pool_free);

void rxd_pool_give(struct rxd_pool *pool, struct page *page, unsigned int order)
{
	rxd_pages_give(page, order);
	atomic_long_sub(1L << order, &rxd_pool_disk(pool)->used);
}
EXPORT_SYMBOL_GPL(rxd_pool_give);

void rxd_pool_retire(struct rxd_pool *pool, struct rx_pages *pages,
		     unsigned int order)
{
	struct page *page;
	long nr = 0;

	if (rx_pages_empty(pages))
		return;
	rxd_stock_put(pool, order, pages);
	for (; (page = rx_pages_pop(pages)); nr++)
		rxd_pages_free(page, order);
	if (nr)
		atomic_long_sub(nr << order, &rxd_pool_disk(pool)->used);
}
EXPORT_SYMBOL_GPL(rxd_pool_retire);

unsigned long rxd_pool_spare(const struct rxd_pool *pool)
{
	return rxd_stock_pages(pool);
}
EXPORT_SYMBOL_GPL(rxd_pool_spare);

unsigned long rxd_pool_trim(struct rxd_pool *pool, unsigned long nr)
{
	return pool_trim(pool, min_t(unsigned long, nr, LONG_MAX), rxd_pages_give);
}
EXPORT_SYMBOL_GPL(rxd_pool_trim);

unsigned long rxd_pool_missing(void)
{
	return rxd_mem_missing();
}
EXPORT_SYMBOL_GPL(rxd_pool_missing);

u64 rxd_pool_used(const struct rxd_pool *pool)
{
	long pages = atomic_long_read(&rxd_pool_disk(pool)->used);

	return pages > 0 ? (u64)pages << PAGE_SHIFT : 0;
}
EXPORT_SYMBOL_GPL(rxd_pool_used);

u64 rxd_pool_size(const struct rxd_pool *pool)
{
	return rxd_disk_size(rxd_pool_disk(pool));
}
EXPORT_SYMBOL_GPL(rxd_pool_size);

int rxd_pool_resize(struct rxd_pool *pool, u64 bytes, const char **why)
{
	struct rxd_disk *d = rxd_pool_disk(pool);
	int err = rxd_change_check_size(bytes, why);
	u64 old;

	if (err)
		return err;
	rxd_state_lock(d);
	old = rxd_disk_size(d);
	if (bytes != old) {
		/* The disk is closed and empty: nothing lies beyond its end. */
		rxd_change_size(d, bytes);
		pool_bound(pool, bytes);
	}
	rxd_state_unlock(d);
	if (bytes < old)
		pool_trim(pool, LONG_MAX, rxd_pages_free);
	if (bytes != old)
		rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
	return 0;
}
EXPORT_SYMBOL_GPL(rxd_pool_resize);
