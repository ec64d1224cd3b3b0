/* SPDX-License-Identifier: GPL-2.0-only */
/* The pool: memory for blocks, and the index that finds the blocks. */
#ifndef _RXC_POOL_H
#define _RXC_POOL_H

#include <linux/types.h>
#include "compat.h"
#include "shortage.h"

struct bio;
struct page;
struct rxc_index;
struct rxc_map;
struct rxc_taken;
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
 * @blocks: capacity of @index; rxc_mutex, once there is I/O
 * @giver: shortage.c asks it for pages when little memory is left
 * @prompt: reclaim asks it for pages when little memory is left
 * @last: reclaim asks it for pages when reclaim finds nothing else
 * @last_at: when @last gave its large share, in jiffies; READ_ONCE and cmpxchg()
 * @floor: blocks that stay under memory pressure; READ_ONCE/WRITE_ONCE
 * @floor_given: the user set @floor, so it does not follow the size; rxc_mutex
 */
struct rxc_pool {
	struct rxc_index *index;
	struct rxd_pool *memory;
	unsigned int order;
	u64 blocks;
	struct rxc_giver giver;
	struct rx_shrinker prompt;
	struct rx_shrinker last;
	unsigned long last_at;
	u64 floor;
	bool floor_given;
};

/* Context: any unless said otherwise. */
int rxc_pool_open(struct rxc_map *map, u64 floor_bytes);	/* may sleep */
void rxc_pool_close(struct rxc_map *map);			/* may sleep */
unsigned int rxc_pool_pages(struct rxc_map *map, struct page **pages,
			    unsigned int nr);	/* process */
void rxc_pool_free_vecs(struct rxc_pool *pool, const struct bio *bio,
			unsigned int from);
void rxc_pool_note_evicted(struct rxc_map *map, const struct rxc_taken *old);
bool rxc_pool_drop(struct rxc_map *map, u64 block);
void rxc_pool_drop_bad(struct rxc_map *map, u64 block);
void rxc_pool_drop_range(struct rxc_map *map, u64 first, u64 last); /* may sleep */
void rxc_pool_drop_all(struct rxc_map *map);			/* may sleep */

#endif
