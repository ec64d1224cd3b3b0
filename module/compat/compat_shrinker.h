/* SPDX-License-Identifier: GPL-2.0-only */
/* Gives memory back when the kernel asks for it. */
#ifndef _RX_COMPAT_SHRINKER_H
#define _RX_COMPAT_SHRINKER_H

#include <linux/sched.h>
#include <linux/swap.h>

/**
 * enum rx_shrink - when reclaim asks a shrinker
 * @RX_SHRINK_PROMPT: in each pass, for all pages that are counted
 * @RX_SHRINK_LAST: only if it wants all counted pages, because it finds too few others
 */
enum rx_shrink { RX_SHRINK_PROMPT, RX_SHRINK_LAST };

/* Reclaim asks for this many pages at a time with RX_SHRINK_PROMPT, rarely for fewer. */
enum { RX_SHRINK_BATCH = 32 };

/**
 * struct rx_shrinker - a shrinker embedded in its user; objects are pages
 * @count: returns how many pages could be freed now
 * @scan: frees up to nr pages and returns how many; 0 ends the pass
 *
 * Both callbacks run in reclaim, so they must not allocate with a mask that may sleep,
 * or wait for I/O. The pages that @scan has freed are reported to reclaim.
 */
struct rx_shrinker {
	unsigned long (*count)(struct rx_shrinker *shrinker);
	unsigned long (*scan)(struct rx_shrinker *shrinker, unsigned long nr);
#ifdef RX_HAVE_SHRINKER_ALLOC
	struct shrinker *kernel;
#else
	struct shrinker kernel;
#endif
};

/* Returns whether this task reclaims memory; a task that writes to drop_caches does not. */
static inline bool rx_in_reclaim(void)
{
	return current->reclaim_state;
}

static inline struct rx_shrinker *rx_shrinker_of(struct shrinker *kernel)
{
#ifdef RX_HAVE_SHRINKER_ALLOC
	return kernel->private_data;
#else
	return container_of(kernel, struct rx_shrinker, kernel);
#endif
}

static inline unsigned long rx_shrinker_count(struct shrinker *kernel,
					      struct shrink_control *sc)
{
	struct rx_shrinker *shrinker = rx_shrinker_of(kernel);
	unsigned long nr = shrinker->count(shrinker);

	/* Without seeks, reclaim asks for half of this number, in every pass. */
	return kernel->seeks ? nr : nr * 2;
}

static inline unsigned long rx_shrinker_scan(struct shrinker *kernel,
					     struct shrink_control *sc)
{
	struct rx_shrinker *shrinker = rx_shrinker_of(kernel);
	unsigned long freed = shrinker->scan(shrinker, sc->nr_to_scan);

	if (!freed)
		return SHRINK_STOP;
#ifdef RX_HAVE_RECLAIMED_PAGES
	mm_account_reclaimed_pages(freed);
#else
	if (rx_in_reclaim())
		current->reclaim_state->reclaimed_slab += freed;
#endif
	return freed;
}

static inline void rx_shrinker_init(struct shrinker *kernel, enum rx_shrink when)
{
	kernel->count_objects = rx_shrinker_count;
	kernel->scan_objects = rx_shrinker_scan;
	kernel->seeks = when == RX_SHRINK_PROMPT ? 0 : DEFAULT_SEEKS;
	kernel->batch = when == RX_SHRINK_PROMPT ? RX_SHRINK_BATCH : LONG_MAX;
}

/* Context: process, may sleep. Returns 0 or -ENOMEM. */
static inline int rx_shrinker_register(struct rx_shrinker *shrinker,
				       enum rx_shrink when, const char *name)
{
#ifdef RX_HAVE_SHRINKER_ALLOC
	shrinker->kernel = shrinker_alloc(0, "%s", name);
	if (!shrinker->kernel)
		return -ENOMEM;
	rx_shrinker_init(shrinker->kernel, when);
	shrinker->kernel->private_data = shrinker;
	shrinker_register(shrinker->kernel);
	return 0;
#else
	rx_shrinker_init(&shrinker->kernel, when);
	return register_shrinker(&shrinker->kernel, "%s", name);
#endif
}

/* Neither callback runs after this. Context: process, may sleep. */
static inline void rx_shrinker_unregister(struct rx_shrinker *shrinker)
{
#ifdef RX_HAVE_SHRINKER_ALLOC
	shrinker_free(shrinker->kernel);
#else
	unregister_shrinker(&shrinker->kernel);
#endif
}

#endif
