/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a kernel as rxdsk/tree.c, rxdsk/extents.c and rxcache/figures/window.c need. A
 * read-side section is a shared lock, a grace period the same one alone: rcu_barrier()
 * waits for one and runs what was to be called after it.
 */
#ifndef RX_SHIM_KERNEL_H
#define RX_SHIM_KERNEL_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint8_t u8;
typedef uint32_t u32;
typedef unsigned long pgoff_t;
typedef unsigned int gfp_t;

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

#define __rcu
#define ____cacheline_aligned_in_smp
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define WARN_ON_ONCE(bad) do { if (bad) abort(); } while (0)

/* Pages are larger than 4 KiB, so a disk may end within one. */
#define PAGE_SHIFT	14
#define PAGE_SIZE	(1ul << PAGE_SHIFT)
#define min(a, b) ({ \
	__auto_type a_ = (a); \
	__auto_type b_ = (b); \
	a_ < b_ ? a_ : b_; \
})

#define cond_resched() do { } while (0)
#define GFP_KERNEL 0

typedef struct {
	long n;
} atomic_long_t;

#define atomic_long_sub(v, a)	((a)->n -= (v))

struct list_head {
	struct list_head *next, *prev;
};

struct page {
	struct list_head lru;
	unsigned long private, index;
};

void release_pages(struct page **pages, int nr);

/* Pages lie on two nodes in turn. */
static inline int page_to_nid(const struct page *page)
{
	return (unsigned long)page / sizeof(*page) % 2;
}

static inline void set_page_private(struct page *page, unsigned long private)
{
	page->private = private;
}

typedef struct {
	pthread_mutex_t mutex;
	bool held;
} spinlock_t;

#define spin_lock_init(l)	pthread_mutex_init(&(l)->mutex, NULL)
#define spin_lock(l)		(pthread_mutex_lock(&(l)->mutex), (l)->held = true)
#define spin_unlock(l)		((l)->held = false, pthread_mutex_unlock(&(l)->mutex))
#define lockdep_is_held(l)	((l)->held)
#define lockdep_assert_held(l)	WARN_ON_ONCE(!(l)->held)

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *rcu);
};

extern pthread_rwlock_t rcu_lock;

#define rcu_read_lock()			pthread_rwlock_rdlock(&rcu_lock)
#define rcu_read_unlock()		pthread_rwlock_unlock(&rcu_lock)
#define rcu_dereference_check(p, c) \
	((void)sizeof(c), __atomic_load_n(&(p), __ATOMIC_ACQUIRE))
#define rcu_dereference_protected(p, c) rcu_dereference_check(p, c)
#define rcu_access_pointer(p)		__atomic_load_n(&(p), __ATOMIC_RELAXED)
#define rcu_assign_pointer(p, v)	__atomic_store_n(&(p), v, __ATOMIC_RELEASE)
#define RCU_INIT_POINTER(p, v)		__atomic_store_n(&(p), v, __ATOMIC_RELAXED)
void call_rcu(struct rcu_head *rcu, void (*func)(struct rcu_head *rcu));
void rcu_barrier(void);

struct kmem_cache;

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void *ctor);
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *object);

#endif
