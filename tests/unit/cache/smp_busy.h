/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of a kernel as rxcache/blocks/busy.c needs, for threads. Locks are real ones, and each
 * thread counts those that it holds. An interval tree is a list in the order of the ranges.
 */
#ifndef RX_SMP_BUSY_H
#define RX_SMP_BUSY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;

/* Of this thread: spin locks that it holds, the most so far, and locks taken since interrupts were off. */
extern __thread int smp_held, smp_most, smp_taken_off, smp_taken_most;

typedef struct {
	pthread_mutex_t mutex;
} spinlock_t;

typedef struct {
	pthread_rwlock_t lock;
} rwlock_t;

static inline void smp_take(void)
{
	smp_held++;
	smp_taken_off++;
	smp_most = smp_held > smp_most ? smp_held : smp_most;
	smp_taken_most = smp_taken_off > smp_taken_most ? smp_taken_off : smp_taken_most;
}

static inline void smp_release(void)
{
	if (!--smp_held)
		smp_taken_off = 0;
}

#define spin_lock_init(l)	pthread_mutex_init(&(l)->mutex, NULL)
#define spin_lock_nested(l, n)	(pthread_mutex_lock(&(l)->mutex), smp_take())
#define spin_unlock(l)		(smp_release(), pthread_mutex_unlock(&(l)->mutex))
#define spin_lock_irqsave(l, f)	((f) = 0, pthread_mutex_lock(&(l)->mutex), smp_take())
#define spin_unlock_irqrestore(l, f) ((void)(f), spin_unlock(l))
#define spin_lock_irq(l)		(pthread_mutex_lock(&(l)->mutex), smp_take())
#define spin_unlock_irq(l)	spin_unlock(l)
#define rwlock_init(l)		pthread_rwlock_init(&(l)->lock, NULL)
#define read_lock(l)		(pthread_rwlock_rdlock(&(l)->lock), smp_take())
#define read_unlock(l)		(smp_release(), pthread_rwlock_unlock(&(l)->lock))
#define write_lock_irqsave(l, f) ((f) = 0, pthread_rwlock_wrlock(&(l)->lock), smp_take())
#define write_unlock_irqrestore(l, f) ((void)(f), read_unlock(l))
#define lockdep_assert_held(l)	do { } while (0)
#define __acquire(l)		do { } while (0)
#define __release(l)		do { } while (0)

#define ____cacheline_aligned_in_smp
#define unlikely(x)		(x)
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define swap(a, b)		do { __typeof__(a) was_ = (a); (a) = (b); (b) = was_; } while (0)
#define data_race(x)		(x)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define WARN_ON_ONCE(bad)	do { if (bad) abort(); } while (0)
#define __same_type(a, b)	1
#define static_assert(so)	_Static_assert(so, #so)
#define SINGLE_DEPTH_NESTING	1
#define hash_64(v, bits)	((u64)(v) * 0x61C8864680B583EBull >> (64 - (bits)))

struct rb_node {
	struct rb_node *next;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

#define RB_ROOT_CACHED ((struct rb_root_cached){ { NULL } })

#define smp_entry(type, rb, node) ((type *)((char *)(node) - offsetof(type, rb)))

#define INTERVAL_TREE_DEFINE(type, rb, number, subtree, FIRST, LAST, how, name) \
how void name##_insert(type *entry, struct rb_root_cached *root) \
{ \
	struct rb_node **at = &root->rb_root.rb_node; \
\
	while (*at && FIRST(smp_entry(type, rb, *at)) < FIRST(entry)) \
		at = &(*at)->next; \
	entry->rb.next = *at; \
	*at = &entry->rb; \
} \
how void name##_remove(type *entry, struct rb_root_cached *root) \
{ \
	struct rb_node **at = &root->rb_root.rb_node; \
\
	while (*at != &entry->rb) \
		at = &(*at)->next; \
	*at = entry->rb.next; \
} \
how type *name##_from(struct rb_node *node, number first, number last) \
{ \
	type *entry; \
\
	for (; node; node = node->next) { \
		entry = smp_entry(type, rb, node); \
		if (FIRST(entry) <= last && LAST(entry) >= first) \
			return entry; \
	} \
	return NULL; \
} \
how type *name##_iter_first(struct rb_root_cached *root, number first, number last) \
{ \
	return name##_from(root->rb_root.rb_node, first, last); \
} \
how type *name##_iter_next(type *entry, number first, number last) \
{ \
	return name##_from(entry->rb.next, first, last); \
}

#endif
