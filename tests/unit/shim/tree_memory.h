/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Grace periods and memory for the tree of rxdsk, for the test that includes this: "nodes"
 * counts those that exist, "fail_in" allocations later one fails, and "freed" counts pages.
 */
#ifndef RX_SHIM_TREE_MEMORY_H
#define RX_SHIM_TREE_MEMORY_H

pthread_rwlock_t rcu_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rcu_head *calls;
static long nodes, fail_in = -1, freed;

/* As rxdsk/freed.c has it, but without a waiter. */
void rxd_freed_add(long nr)
{
	freed += nr;
}

void call_rcu(struct rcu_head *rcu, void (*func)(struct rcu_head *rcu))
{
	pthread_mutex_lock(&calls_lock);
	rcu->func = func;
	rcu->next = calls;
	calls = rcu;
	pthread_mutex_unlock(&calls_lock);
}

void rcu_barrier(void)
{
	struct rcu_head *rcu, *next;

	pthread_mutex_lock(&calls_lock);
	rcu = calls;
	calls = NULL;
	pthread_mutex_unlock(&calls_lock);
	pthread_rwlock_wrlock(&rcu_lock);
	pthread_rwlock_unlock(&rcu_lock);
	for (; rcu; rcu = next) {
		next = rcu->next;
		rcu->func(rcu);
	}
}

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void *ctor)
{
	return name && size == sizeof(struct rxd_node) && align && !flags &&
	       !ctor ? (struct kmem_cache *)&nodes : NULL;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	(void)cache;
}

void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp)
{
	(void)cache, (void)gfp;
	if (__atomic_load_n(&fail_in, __ATOMIC_RELAXED) >= 0 && !fail_in--)
		return NULL;
	__atomic_add_fetch(&nodes, 1, __ATOMIC_RELAXED);
	return calloc(1, sizeof(struct rxd_node));
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	(void)cache;
	__atomic_sub_fetch(&nodes, 1, __ATOMIC_RELAXED);
	free(object);
}

#endif
