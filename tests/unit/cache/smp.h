/* SPDX-License-Identifier: GPL-2.0-only */
/* As much of a kernel as rxcache/memory/inflight.c needs, for threads: atomics are real ones. */
#ifndef RX_SMP_H
#define RX_SMP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t u32;

typedef struct {
	long n;
} atomic_long_t;

#define ____cacheline_aligned_in_smp
#define likely(x)	(x)
#define max(a, b)	((a) > (b) ? (a) : (b))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define READ_ONCE(x)	__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELAXED)

#define atomic_long_read(a)		READ_ONCE((a)->n)
#define atomic_long_sub(v, a)		((void)__atomic_sub_fetch(&(a)->n, v, __ATOMIC_RELAXED))
#define atomic_long_add_return(v, a)	__atomic_add_fetch(&(a)->n, v, __ATOMIC_SEQ_CST)
#define atomic_long_sub_return(v, a)	__atomic_sub_fetch(&(a)->n, v, __ATOMIC_SEQ_CST)
#define cmpxchg(p, old, new) ({ \
	__typeof__(*(p)) was_ = (old); \
	__atomic_compare_exchange_n(p, &was_, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	was_; \
})
#define atomic_long_cmpxchg(a, old, new) cmpxchg(&(a)->n, old, new)

#endif
