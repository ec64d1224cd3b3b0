/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a kernel that the module's index and shadow need, for one thread:
 * locks and sequence counts do nothing, and a page is a number without a reference
 * count. The Makefile makes this file stand for each <linux/...> that they include.
 */
#ifndef RXSIM_KERNEL_H
#define RXSIM_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <asm/types.h>

#include "maple.h"

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __u64 __le64;
typedef __s8 s8;
typedef __s64 s64;

#define __packed		__attribute__((packed))
#define __aligned(n)		__attribute__((aligned(n)))
#define ____cacheline_aligned	__aligned(64)
#define ____cacheline_aligned_in_smp
#define SMP_CACHE_BYTES		64
#define IS_ENABLED(option)	0
#define offsetofend(type, member) \
	(offsetof(type, member) + sizeof(((type *)0)->member))
#define __force
#define __rcu
#define __acquire(context)	do { } while (0)
#define __release(context)	do { } while (0)

#define U16_MAX			UINT16_MAX
#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK_ULL(h, l)	(~0ULL << (l) & ~0ULL >> (63 - (h)))
#define DIV_ROUND_UP_ULL(n, d)	(((n) + (d) - 1) / (d))
#define DIV64_U64_ROUND_UP(n, d)	DIV_ROUND_UP_ULL(n, d)
#define round_down(n, d)	((n) / (d) * (d))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min3(a, b, c)		min(min(a, b), c)
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof(*(p)->member))
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define static_assert(so)	_Static_assert(so, #so)
#define smp_load_acquire(p)	READ_ONCE(*(p))
#define smp_store_release(p, v)	WRITE_ONCE(*(p), v)
#define smp_rmb()		do { } while (0)
#define WARN_ON_ONCE(bad)	do { if (bad) abort(); } while (0)
#define likely(x)		(x)
#define unlikely(x)		(x)
#define cond_resched()		do { } while (0)

static inline unsigned int __ffs64(u64 word)
{
	return __builtin_ctzll(word);
}

/* The number of the highest bit, from 1; 0 if there is none. */
static inline int fls(unsigned int word)
{
	return word ? 32 - __builtin_clz(word) : 0;
}

static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

static inline unsigned int hweight64(u64 word)
{
	return __builtin_popcountll(word);
}

static inline u64 le64_to_cpu(u64 word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word;
#endif
}

static inline void __set_bit(unsigned long nr, unsigned long *map)
{
	map[nr / (8 * sizeof(long))] |= 1UL << nr % (8 * sizeof(long));
}

static inline u64 div_u64(u64 n, u32 d)
{
	return n / d;
}

static inline u64 div64_u64(u64 n, u64 d)
{
	return n / d;
}

static inline u64 div64_u64_rem(u64 n, u64 d, u64 *rest)
{
	*rest = n % d;
	return n / d;
}

typedef struct { int n; } spinlock_t;
typedef struct { unsigned int n; } seqcount_spinlock_t;

#define spin_lock_init(lock)			((lock)->n = 0)
#define spin_lock_irqsave(lock, flags)		((void)(lock), (flags) = 0)
#define spin_unlock_irqrestore(lock, flags)	((void)(lock), (void)(flags))
#define spin_lock_nested(lock, class)		((void)(lock))
#define spin_unlock(lock)			((void)(lock))
#define lockdep_assert_held(lock)		((void)(lock))
#define seqcount_spinlock_init(seq, lock)	((void)(lock), (seq)->n = 0)
#define write_seqcount_begin(seq)		((seq)->n++)
#define write_seqcount_begin_nested(seq, class)	((seq)->n++)
#define write_seqcount_end(seq)			((seq)->n++)
#define read_seqcount_begin(seq)		READ_ONCE((seq)->n)
#define read_seqcount_retry(seq, n_)		(READ_ONCE((seq)->n) != (n_))
#define cpu_relax()				do { } while (0)

#define rcu_read_lock()				do { } while (0)
#define rcu_read_unlock()			do { } while (0)
#define lockdep_is_held(lock)			((void)(lock), 1)
#define rcu_dereference_check(p, held)		(p)
#define rcu_dereference_protected(p, held)	(p)
#define rcu_assign_pointer(p, v)		((p) = (v))
#define RCU_INIT_POINTER(p, v)			((p) = (v))
#define synchronize_rcu()			do { } while (0)
#define rcu_dereference(p)			(p)

/* One thread needs no mutex. */
struct mutex { int n; };

#define mutex_init(lock)			((lock)->n = 0)
#define mutex_lock(lock)			((void)(lock))
#define mutex_unlock(lock)			((void)(lock))

typedef struct { int n; } atomic_t;
typedef struct { long n; } atomic_long_t;
typedef struct { long long n; } atomic64_t;

#define atomic_read(a)			((a)->n)
#define atomic_inc(a)			((a)->n++)
#define atomic_dec(a)			((a)->n--)
#define atomic_add(v, a)		((a)->n += (v))
#define atomic_long_read(a)		((a)->n)
#define atomic_long_set(a, v)		((a)->n = (v))
#define atomic_long_add(v, a)		((a)->n += (v))
#define atomic_long_inc(a)		((a)->n++)
#define atomic_long_dec(a)		((a)->n--)
#define atomic64_set(a, v)		((a)->n = (v))
#define atomic64_inc_return(a)		(++(a)->n)
#define atomic64_read(a)		((a)->n)
#define atomic64_inc(a)			((a)->n++)

/* A pointer to a page is its frame number plus 1, and is never followed. */
struct page;
struct folio;

static inline bool get_page_unless_zero(struct page *page)
{
	(void)page;
	return true;
}

static inline void folio_put(struct folio *folio)
{
	(void)folio;
}

#define PAGE_SHIFT		12
#define page_to_pfn(page)	((u64)(uintptr_t)(page) - 1)
#define pfn_to_page(pfn)	((struct page *)(uintptr_t)((u64)(pfn) + 1))
#define prefetch(p)		__builtin_prefetch(p)

enum { GFP_KERNEL, GFP_ATOMIC = 0, __GFP_ZERO = 0, __GFP_NOWARN = 0, __GFP_RETRY_MAYFAIL = 0 };

static inline void *__vmalloc(size_t size, int gfp)
{
	void *p = NULL;

	(void)gfp;
	if (posix_memalign(&p, 4096, size))
		return NULL;
	return memset(p, 0, size);
}

#define vfree(p)		free(p)
#define kvzalloc(size, gfp)	__vmalloc(size, gfp)
#define kvmalloc(size, gfp)	__vmalloc(size, gfp)
#define kvfree(p)		free(p)
#define si_mem_available()	(1ULL << 40)

#define ERR_PTR(err)		((void *)(intptr_t)(err))
#define ERR_CAST(p)		((void *)(p))
#define PTR_ERR(p)		((int)(intptr_t)(p))
#define IS_ERR(p)		((uintptr_t)(p) >= (uintptr_t)-4095)

#endif
