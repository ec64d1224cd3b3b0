/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a kernel, and of a pool, as rxcache/packed/bin.c needs, for one thread. A struct
 * page stands for memory that it points to.
 */
#ifndef RX_BINS_H
#define RX_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;

#define PAGE_SIZE		4096ul
#define BIT(n)			(1ul << (n))
#define BIT_ULL(n)		(1ull << (n))
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define unlikely(x)		(x)
#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define div_u64(a, b)		((a) / (b))
#define static_assert		_Static_assert

typedef struct {
	long n;
} atomic_long_t;

#define atomic_long_inc(v)		((v)->n++)
#define atomic_long_dec_return(v)	(--(v)->n)

struct page {
	void *at;
	unsigned long private;
	unsigned int order;
	bool poisoned;
};

#define page_address(page)		((page)->at)
#define compound_order(page)		((page)->order)
#define set_page_private(page, v)	((page)->private = (v))
#define PageHWPoison(page)		((page)->poisoned)

/* These headers of the product are left out; what bin.c uses of them is below. */
#define _RXC_INDEX_H
#define _RXC_POOL_H
#define _RX_MEMCPY_H
#define _RX_POOL_H

struct rxc_index;

struct rxc_pool {
	struct rxc_index *index;
	struct rxd_pool *memory;
};

unsigned int rxd_pool_alloc_bulk(struct rxd_pool *pool, unsigned int order, struct page **pages,
				 unsigned int nr);
void rxd_pool_free(struct rxd_pool *pool, struct page *page, unsigned int order);
void rxd_pool_give(struct rxd_pool *pool, struct page *page, unsigned int order);
bool rxc_index_takes(const struct page *page);
void rxc_index_count_bins(struct rxc_index *index, long pages);
bool rx_pages_poisoned(struct page *page, unsigned int order);

#endif
