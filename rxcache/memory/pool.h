/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pool: memory for blocks, and the index that finds the blocks. One or more caches
 * share it; join.h says how they come and go.
 */
#ifndef _RXC_POOL_H
#define _RXC_POOL_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <uapi/linux/rxcache.h>
#include "blocks/index.h"
#include "compat.h"
#include "life/resize.h"
#include "memory/inflight.h"
#include "memory/shortage.h"

struct bio;
struct page;
struct rx_pages;
struct rxc_cache;
struct rxc_pack;
struct rxd_pool;

/*
 * The most blocks that are stored, or get their pages, in one step. Arrays of RXC_BATCH
 * elements are marked __uninitialized, because where the compiler zeroes the stack,
 * zeroing them would be most of the cost of a single block.
 */
enum { RXC_BATCH = 16 };

/* The default floor is the size of the disk divided by this. */
enum { RXC_FLOOR_PART = 8 };

/**
 * struct rxc_pool - memory for blocks and the index that finds them
 * @index: finds its blocks
 * @memory: the claimed RAM disk
 * @order: a block is 2^@order pages
 * @block_shift: a block is 2^@block_shift bytes
 * @policy: of the index
 * @cache: the caches that share it, by their number in the index; see evict.c. Written under
 *	rxc_mutex
 * @keys: the numbers that are taken, as bits; rxc_mutex
 * @bytes: size of @memory, but for a change that has not ended; rxc_mutex
 * @blocks: capacity of @index; rxc_mutex, once there is I/O
 * @inflight: pages of @memory that fills and writes in flight have
 * @giver: shortage.c asks it for pages when little memory is left
 * @prompt: reclaim asks it for pages when little memory is left
 * @last: reclaim asks it for pages when reclaim finds nothing else
 * @last_at: when @last gave its large share, in jiffies; READ_ONCE and cmpxchg()
 * @floor: blocks that stay under memory pressure; READ_ONCE/WRITE_ONCE
 * @floor_given: the user set @floor, so it does not follow the size; rxc_mutex
 * @resize: the change of the size
 * @cut: evicts what caches have beyond their max share (bounds.c)
 * @pack: compresses blocks; NULL until a cache has them compressed. Set once under rxc_mutex,
 *	smp_store_release/READ_ONCE
 * @ending: all caches have begun to leave, so no work has a use; READ_ONCE/WRITE_ONCE
 * @own_disk: the disk was attached for the first of the caches
 * @sharers: number of caches in @cache; written under rxc_mutex, READ_ONCE/WRITE_ONCE
 * @staying: those of them that have not begun to leave; rxc_mutex
 * @users: caches that may use this structure, from join to rxc_cache_free()
 * @node: in the list of pools; rxc_mutex
 * @disk_name: name of @memory
 */
struct rxc_pool {
	struct rxc_index *index;
	struct rxd_pool *memory;
	unsigned int order;
	unsigned int block_shift;
	const struct rxc_policy *policy;
	struct rxc_cache *cache[RXC_SHARERS];
	u32 keys;
	u64 bytes;
	u64 blocks;
	struct rxc_giver giver;
	struct rx_shrinker prompt;
	struct rx_shrinker last;
	unsigned long last_at;
	u64 floor;
	bool floor_given;
	struct rxc_resize resize;
	struct work_struct cut;
	struct rxc_pack *pack;
	bool ending;
	bool own_disk;
	unsigned int sharers;
	unsigned int staying;
	struct kref users;
	struct list_head node;
	char disk_name[RXCACHE_NAME_MAX + 1];
	struct rxc_inflight inflight;
};
static_assert(RXC_SHARERS <= 32);

/* Context: any unless said otherwise. */
int rxc_pool_open(struct rxc_pool *pool);			/* may sleep */
void rxc_pool_set_floor(struct rxc_pool *pool, u64 bytes);	/* rxc_mutex */
void rxc_pool_close(struct rxc_pool *pool);			/* may sleep */
unsigned int rxc_pool_spare(struct rxc_pool *pool, struct page **pages,
			    unsigned int nr);	/* process */
unsigned int rxc_pool_pages(struct rxc_cache *cache, struct page **pages,
			    unsigned int nr);	/* process */
void rxc_pool_free_block(struct rxc_pool *pool, struct page *page);
void rxc_pool_retire_block(struct rxc_pool *pool, struct rx_pages *row,
			   struct page *page);
void rxc_pool_free_vecs(struct rxc_pool *pool, const struct bio *bio,
			unsigned int from);
bool rxc_pool_drop(struct rxc_cache *cache, u64 block);
void rxc_pool_drop_bad(struct rxc_cache *cache, u64 block);
void rxc_pool_drop_range(struct rxc_cache *cache, u64 first, u64 last); /* may sleep */
void rxc_pool_drop_blocks(struct rxc_cache *cache, u64 first, u64 last); /* may sleep */
void rxc_pool_drop_all(struct rxc_cache *cache);			/* may sleep */
unsigned int rxc_pool_cut(struct rxc_pool *pool, unsigned int key, unsigned int most);
void rxc_pool_cut_stored(struct rxc_pool *pool, unsigned int key, u64 nr);
void rxc_pool_empty(struct rxc_cache *cache);			/* may sleep */

#endif
