/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool is a RAM disk that a cache, its holder, has claimed. No task can open,
 * resize or detach the disk, and its memory is handed out page by page to the holder
 * instead of being reached through sectors. This header is all that rxcache knows of
 * rxdsk.
 *
 * The pages of a pool are not zeroed. The holder keeps the pointers; the pool only
 * counts the pages, so that the disk's "used" stays true.
 */
#ifndef _RX_POOL_H
#define _RX_POOL_H

#include <linux/types.h>

struct gendisk;
struct page;
struct rx_pages;
struct rxd_pool;

/* Room for the names of the holders of a pool: 32 caches. */
enum { RXD_HOLDERS_MAX = 32 * sizeof("rxc1048575") + 1 };

/**
 * rxd_pool_claim() - make a disk a pool
 * @disk: name of the disk, "rxd0"
 * @holder: name of the claimer for messages and lists, "rxc0"; copied
 * @erase: drop the data that the disk holds instead of refusing it
 * @why: set to a static text of at most 80 bytes when refused
 *
 * Context: process, may sleep, but never waits for I/O or for a task that has the disk
 * open.
 * Return: the pool, or ERR_PTR: -ENODEV no such disk, -EBUSY open, being opened, claimed
 * or still preparing or clearing, -ENOTEMPTY it holds data and @erase is false, -EROFS it is
 * read-only, -EINVAL its prealloc, zero_detect or node rules it out, -ENOMEM.
 */
struct rxd_pool *rxd_pool_claim(const char *disk, const char *holder,
				bool erase, const char **why);

/**
 * rxd_pool_check() - find out whether rxd_pool_claim() would take a disk now
 * @size: set to the size of the disk in bytes
 *
 * Nothing changes, and no event is sent. A task that opens the disk at this moment, and
 * another request for it, wait for as long as the checks take.
 *
 * Context: as rxd_pool_claim(). Return: 0, or an errno of rxd_pool_claim().
 */
int rxd_pool_check(const char *disk, bool erase, u64 *size, const char **why);

/**
 * rxd_pool_hold() - change the name of the claimer
 * @holder: as for rxd_pool_claim(), at most RXD_HOLDERS_MAX bytes with its zero; more than
 *	one name are separated by commas
 *
 * Context: process, may sleep for as long as a pool refuses to be opened, which is short.
 */
void rxd_pool_hold(struct rxd_pool *pool, const char *holder);

/**
 * rxd_pool_release() - make the pool an ordinary, empty disk again
 *
 * Every page must have been given back by rxd_pool_free() or rxd_pool_retire()
 * before. Context: process, may sleep.
 */
void rxd_pool_release(struct rxd_pool *pool);

/**
 * rxd_pool_link() - show in sysfs that a device is made of the pool
 * @disk: the gendisk of the holder's device, which has been added
 *
 * lsblk and similar tools then find the disk below @disk, as if @disk had it open. The
 * caller undoes it with rxd_pool_unlink() before it deletes @disk and releases the
 * pool. Context: process, may sleep. Return: 0 or an errno.
 */
int rxd_pool_link(struct rxd_pool *pool, struct gendisk *disk);
void rxd_pool_unlink(struct rxd_pool *pool, struct gendisk *disk);

/**
 * rxd_pool_alloc_bulk() - take 2^@order contiguous pages, @nr times
 * @pages: gets the first page of each, has room for @nr
 * @nr: 1 to 64
 *
 * It never sleeps, reclaims nothing, takes no reserves and honours min_free. Single
 * pages are taken from the kernel a few at a time, and the ones beyond @nr become spare
 * pages. Pages in the cache, in flight and spare pages together are limited to the pool's
 * size plus a slack of an eighth of it (32 MiB to 256 MiB). Their content is undefined.
 *
 * Context: process; with @nr 1 any, including hard interrupt.
 * Return: how many entries of @pages are set, 0 to @nr.
 */
unsigned int rxd_pool_alloc_bulk(struct rxd_pool *pool, unsigned int order,
				 struct page **pages, unsigned int nr);

/**
 * rxd_pool_has_room() - whether the limit of rxd_pool_alloc_bulk() is not reached
 *
 * If the pool has room and rxd_pool_alloc_bulk() has failed, the machine is short of
 * memory. Context: any.
 */
bool rxd_pool_has_room(const struct rxd_pool *pool, unsigned int order);

/*
 * Returns how many pages the limit of rxd_pool_alloc_bulk() is above the pool's size.
 * Context: any.
 */
long rxd_pool_slack(const struct rxd_pool *pool);

/**
 * rxd_pool_free() - give back a page
 *
 * The caller has removed the page from its index. Readers that found the page before
 * and took a reference (get_page_unless_zero()) may go on reading; the last of them
 * frees the page. For the pool the page is gone at once.
 *
 * Context: any, including hard interrupt.
 */
void rxd_pool_free(struct rxd_pool *pool, struct page *page,
		   unsigned int order);

/**
 * rxd_pool_give() - give back a page because the machine is short of memory
 *
 * Does what rxd_pool_free() does, and asks the kernel not to keep many of such pages for
 * the processor that frees them. Context: as there.
 */
void rxd_pool_give(struct rxd_pool *pool, struct page *page, unsigned int order);

/**
 * rxd_pool_retire() - give back pages that other pages have replaced
 * @pages: pages of 2^@order, or none; is empty afterwards
 *
 * Does for each page what rxd_pool_free() does. But the pool keeps a few as spare pages
 * for its next allocations on this CPU, within the slack of rxd_pool_alloc_bulk(),
 * because the holder will soon want the same number again.
 *
 * Context: any, including hard interrupt.
 */
void rxd_pool_retire(struct rxd_pool *pool, struct rx_pages *pages,
		     unsigned int order);

/* Returns how many spare pages, counted singly, there are. Context: any. */
unsigned long rxd_pool_spare(const struct rxd_pool *pool);

/*
 * Frees @nr spare pages, or a few more, as rxd_pool_give() does. Returns how many. Context:
 * any.
 */
unsigned long rxd_pool_trim(struct rxd_pool *pool, unsigned long nr);

/**
 * rxd_pool_missing() - how much memory the machine is short of
 *
 * Pools leave min_free of the memory to the rest of the machine, or more if the
 * watermarks require more. When other users have taken a quarter of that memory, pools
 * should give pages back. They should do so earlier if less than the largest boost of the
 * watermarks would be left. Reads the counters of all zones, which may be late by some
 * pages for each processor.
 *
 * Context: any. Return: how many pages to give back, or 0.
 */
unsigned long rxd_pool_missing(void);

/*
 * Returns the bytes of all pages that are taken from the kernel, including spare
 * pages. Context: any.
 */
u64 rxd_pool_used(const struct rxd_pool *pool);

/* Capacity in bytes; rxd_pool_resize() alone changes it. Context: any. */
u64 rxd_pool_size(const struct rxd_pool *pool);

/**
 * rxd_pool_resize() - change the capacity
 * @bytes: the new capacity, a multiple of 4096; the present one changes nothing
 * @why: set to a static text of at most 80 bytes when refused
 *
 * The limit of rxd_pool_alloc_bulk() changes with it. The caller has given back the
 * pages that a smaller pool has no room for; this frees spare pages. Context: process,
 * may sleep for as long as an open of the disk takes; one caller at a time. Return: 0,
 * or -EINVAL if the size is out of range.
 */
int rxd_pool_resize(struct rxd_pool *pool, u64 bytes, const char **why);

#endif
