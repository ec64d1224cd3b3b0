/* SPDX-License-Identifier: GPL-2.0-only */
/* The key of a block, which names it in the index of its pool. */
#ifndef _RXC_KEY_H
#define _RXC_KEY_H

#include <linux/types.h>

struct page;

/*
 * The key of a block has the number of the cache in its pool in the upper bits and the
 * block's number in the origin in the lower ones. 2^48 blocks of 4 KiB are 2^60 bytes.
 */
enum { RXC_KEY_BLOCK_BITS = 48 };

#define RXC_BLOCK_LAST	((1ULL << RXC_KEY_BLOCK_BITS) - 1)

/*
 * Caches of a pool; their numbers are below it. Blocks make room for RXC_NOBODY whatever the
 * min of their cache is, and for RXC_ANYBODY only if their cache has more than its min.
 */
enum { RXC_SHARERS = 32, RXC_NOBODY = RXC_SHARERS, RXC_ANYBODY };

static inline u64 rxc_key(unsigned int cache, u64 block)
{
	return (u64)cache << RXC_KEY_BLOCK_BITS | block;
}

static inline unsigned int rxc_key_cache(u64 key)
{
	return key >> RXC_KEY_BLOCK_BITS;
}

static inline u64 rxc_key_block(u64 key)
{
	return key & RXC_BLOCK_LAST;
}

/**
 * struct rxc_taken - a block that was taken out of the index
 * @page: the caller frees it by rxc_pool_free_block(); NULL: nothing was taken out
 * @key: of the block
 * @known: after a store, whether the policy knows the stored block, because it was
 *	evicted recently
 * @over: after a store, whether the cache has more than its max now, or all of them have
 *	more pages than there is room for, and blocks are to go: rxc_pool_cut_stored()
 * @unread: the block was unread; after a store that replaced its page, it was till then
 * @packed: the block was compressed; not set after a store that replaced its page
 */
struct rxc_taken {
	struct page *page;
	u64 key;
	bool known;
	bool over;
	bool unread;
	bool packed;
};

#endif
