/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel as module/compat sees it, for a program: of each version what it
 * declares and what that does, told apart by -DKERNEL=MMmmmsss (6001020 is
 * 6.1.20). Written after reading the headers and block/ of 6.1.20, 6.2, 6.4, 6.5,
 * 6.6.9, 6.6.63, 6.7, 6.8, 6.9, 6.10, 6.11, 6.13.2, 6.13.7, 6.14, 6.17, 6.18, 7.0
 * and 7.1; a name that a version lacks must not be declared for it. Every
 * <linux/...> that is included stands for this file.
 */
#ifndef RXT_KERNEL_H
#define RXT_KERNEL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define AT(major, minor, stable) ((major) * 1000000 + (minor) * 1000 + (stable))
#define SINCE(major, minor) (KERNEL >= AT(major, minor, 0))
/* In one stable series only. */
#define STABLE(major, minor, first, last) \
	(KERNEL >= AT(major, minor, first) && KERNEL <= AT(major, minor, last))

/* version.h, for what no probe can tell */
#define KERNEL_VERSION AT
#define LINUX_VERSION_CODE KERNEL

#ifndef NO_64BIT
#define CONFIG_64BIT 1
#define BITS_PER_LONG 64
#else
#define BITS_PER_LONG 32
#endif

#define __maybe_unused __attribute__((__unused__))
#if SINCE(6, 9) || STABLE(6, 6, 63, 999) || STABLE(6, 1, 100, 999)
#define __uninitialized __attribute__((__uninitialized__))
#endif
#define __unused_fn static inline __attribute__((__unused__))

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define NUMA_NO_NODE (-1)
#define SECTOR_SHIFT 9

typedef unsigned int gfp_t;
typedef unsigned int fmode_t;
typedef uint8_t blk_status_t;
typedef unsigned int u32;
typedef uint64_t u64;

__unused_fn void bug(const char *what)
{
	printf("not ok - the kernel would complain: %s\n", what);
	exit(1);
}

/* hrtimer.h */
struct hrtimer;
enum hrtimer_restart { HRTIMER_NORESTART };
enum { CLOCK_MONOTONIC = 1, HRTIMER_MODE_ABS = 0 };
#if SINCE(6, 13)
void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*ends)(struct hrtimer *), int clock,
		   int mode);
#endif

/* err.h */
#define ERR_PTR(err) ((void *)(long)(err))
#define PTR_ERR(ptr) ((long)(ptr))
#define IS_ERR(ptr) ((unsigned long)(ptr) >= (unsigned long)-4095)

/* mutex.h */
struct mutex { int held; };

__unused_fn void mutex_lock(struct mutex *m)
{
	if (m->held++)
		bug("a lock is taken twice");
}

__unused_fn void mutex_unlock(struct mutex *m)
{
	if (m->held-- != 1)
		bug("a lock is released that nobody holds");
}

#define lockdep_assert_held(m) do { if (!(m)->held) bug("not held"); } while (0)

/* sched.h */
typedef struct { unsigned long bits[1]; } nodemask_t;
enum { MPOL_BIND = 2 };
#define nodes_empty(set) (!(set).bits[0])
struct mempolicy { unsigned short mode; nodemask_t nodes; };
struct reclaim_state;
struct task_struct { struct mempolicy *mempolicy; struct reclaim_state *reclaim_state; };
extern struct task_struct rxt_current;
#define current (&rxt_current)
#define in_task() true

/* bitops.h */
__unused_fn bool test_bit(int nr, const unsigned long *bits)
{
	return *bits >> nr & 1;
}

__unused_fn void set_bit(int nr, unsigned long *bits)
{
	*bits |= 1UL << nr;
}

/* mmzone.h */
#define max(a, b) ((a) > (b) ? (a) : (b))
typedef struct { long n; } atomic_long_t;
#define atomic_long_read(a) ((a)->n)
typedef struct { int n; } atomic_t;
#define atomic_read(a) ((a)->n)
enum { NR_SLAB_RECLAIMABLE_B, NR_KERNEL_MISC_RECLAIMABLE, NR_VM_NODE_STAT_ITEMS };
struct pglist_data { atomic_long_t vm_stat[NR_VM_NODE_STAT_ITEMS]; };
struct zone { unsigned long flags; };
enum zone_flags {
	ZONE_RECLAIM_ACTIVE = 1,
#if SINCE(6, 7)
	ZONE_BELOW_HIGH,
#endif
};
#define CONFIG_NUMA 1

/* mm.h */
struct page { struct zone *zone; };
#define page_zone(page) ((page)->zone)

/* gfp.h; allocations succeed unless rxt_no_memory */
#define GFP_NOWAIT 1u
extern bool rxt_no_memory;

#if SINCE(6, 14)
#define alloc_pages_bulk_node(gfp, node, nr, array) rxt_bulk(gfp, nr, array)
#else
#define alloc_pages_bulk_array(gfp, nr, array) rxt_bulk(gfp, nr, array)
#define alloc_pages_bulk_array_node(gfp, node, nr, array) rxt_bulk(gfp, nr, array)
#endif

__unused_fn unsigned long rxt_bulk(gfp_t gfp, unsigned long nr,
				   struct page **array)
{
	static struct page page;
	unsigned long i;

	for (i = 0; i < nr; i++)
		array[i] = &page;
	return gfp ? nr : 0;
}

/* workqueue.h */
struct workqueue_struct { int dummy; };
#if SINCE(6, 17)
#define WQ_PERCPU (1u << 8)
#endif
struct workqueue_struct *alloc_workqueue(const char *name, unsigned int flags,
					 int max);

#include "block.h"
#include "shrinker.h"

#endif
