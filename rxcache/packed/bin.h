/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bins hold compressed blocks.
 *
 * A bin is one or more contiguous pages of the pool. It has a list of its blocks in front,
 * and their bytes from its end on. Blocks are only added, so what a way of the index refers
 * to never changes, as the page of a plain block never does. A bin has a key once at most.
 *
 * page->private of a bin's first page has RXC_BIN and the number of its users: one for each
 * way of the index that refers to it, and one for the packer while it adds blocks. The last
 * user gives the bin back to the pool. A reader that has a reference to the first page may go
 * on, as with the page of a plain block, whose page->private never has RXC_BIN.
 *
 * Memory may fail. So what a reader finds is compared with the size of the bin and with a
 * checksum before it is used, and what decides about the bin's life is not in the bin.
 */
#ifndef _RXC_BIN_H
#define _RXC_BIN_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/types.h>
#include "blocks/key.h"

struct rxc_pool;

enum {
	/* Four pages lose 2 % to blocks that do not fit, two 6 %, one page 17 %. */
	RXC_BIN_ORDER	= 2,
	/*
	 * All are taken out of the index in one step, which may be in an interrupt. The index
	 * has no more than eight blocks for a page anyway.
	 */
	RXC_BIN_BLOCKS	= 32,
	/* The most bytes of a block: what a key leaves of 64 bits, and one bit more. */
	RXC_BIN_LEN_BITS = 11,
	RXC_BIN_LEN_MAX	= (1 << (RXC_BIN_LEN_BITS + 1)) - 1,
	/* A block whose page has one value is as long as this value, in any codec. */
	RXC_BIN_FILLED	= sizeof(u64),
};

#define RXC_BIN		BIT_ULL(63)

static_assert(sizeof(unsigned long) == sizeof(u64));

/**
 * struct rxc_bin_block - a compressed block
 * @low: the lower half of its key, moved up by RXC_BIN_LEN_BITS, and that many of its length
 * @high: the upper half of the same
 * @sum: the highest bit of its length, and 31 bits of the checksum of its bytes
 *
 * Three words of 32 bits: one of 64 would have to be aligned, and 4 bytes a block be lost.
 */
struct rxc_bin_block {
	u32 low;
	u32 high;
	u32 sum;
};

/**
 * struct rxc_bin - the front of a bin
 * @codec: of all its blocks
 * @nr: how many there are; those that have left the index count, too
 */
struct rxc_bin {
	u16 codec;
	u16 nr;
	struct rxc_bin_block block[];
};

/**
 * struct rxc_bin_at - a block that was found in a bin
 * @data: its bytes
 * @len: how many
 * @sum: their checksum
 * @codec: enum rxc_codec
 */
struct rxc_bin_at {
	const void *data;
	unsigned int len;
	u32 sum;
	unsigned int codec;
};

/**
 * struct rxc_bin_open - a bin to which blocks are added; what the packer relies on
 * @page: its first page, or NULL
 * @codec: as in struct rxc_bin
 * @nr: as there
 * @tail: offset of the last block's bytes
 * @last: how many these are
 */
struct rxc_bin_open {
	struct page *page;
	unsigned int codec;
	unsigned int nr;
	unsigned int tail;
	unsigned int last;
};

/* Whether a page that was in the index is that of a bin. Context: any. */
static inline bool rxc_is_bin(const struct page *page)
{
	return READ_ONCE(page->private) & RXC_BIN;
}

static inline atomic_long_t *rxc_bin_users(struct page *page)
{
	return (atomic_long_t *)&page->private;
}

/* A way begins to refer to a bin. Context: any; the caller is a user. */
static inline void rxc_bin_get(struct page *page)
{
	atomic_long_inc(rxc_bin_users(page));
}

/*
 * A user goes. Returns how many pages the bin had that went back to the pool, and with @give
 * to the machine, or 0. Context: any.
 */
unsigned int rxc_bin_put(struct rxc_pool *pool, struct page *page, bool give);

/* The memory that @nr blocks of together @bytes take, with what bins lose. Context: any. */
u64 rxc_bin_cost(u64 nr, u64 bytes);

/* Whether few of a bin's blocks are still in the index. Context: any, with a reference. */
bool rxc_bin_sparse(const struct page *page);

/* Finds a block in a bin. Returns false if the bin's memory has failed. Context: as there. */
bool rxc_bin_find(struct page *page, u64 key, struct rxc_bin_at *at);

/* The key of block @nr in a bin, or false if there is no such block. Context: as there. */
bool rxc_bin_key(struct page *page, unsigned int nr, u64 *key);

/* Takes a bin from the pool. Returns whether there was memory. Context: process. */
bool rxc_bin_begin(struct rxc_bin_open *open, struct rxc_pool *pool, unsigned int codec);

/* How many bytes are free, none if its memory has failed. Context: process. */
unsigned int rxc_bin_left(const struct rxc_bin_open *open);

/* How many bytes may be added as the block @key, none if the bin has that. Context: process. */
unsigned int rxc_bin_room(const struct rxc_bin_open *open, u64 key);

/* Adds a block for which there is room. Context: process. */
void rxc_bin_add(struct rxc_bin_open *open, u64 key, const void *data, unsigned int len,
		 u32 sum);

/* Takes the last block back, to which no way refers or did. Context: process. */
void rxc_bin_undo(struct rxc_bin_open *open);

/* Ends the additions, if the bin is open. Context: process. */
void rxc_bin_end(struct rxc_bin_open *open, struct rxc_pool *pool);

#endif
