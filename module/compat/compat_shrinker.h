/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving memory back when the kernel asks. */
#ifndef _RX_COMPAT_SHRINKER_H
#define _RX_COMPAT_SHRINKER_H

/**
 * struct rx_shrinker - a shrinker embedded in its user
 * @count: how many objects could be freed now; 0 for none
 * @scan: free up to nr objects, return how many, or SHRINK_STOP
 *
 * Both run in reclaim: no allocation that may sleep, no waiting for I/O.
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

	return shrinker->count(shrinker);
}

static inline unsigned long rx_shrinker_scan(struct shrinker *kernel,
					     struct shrink_control *sc)
{
	struct rx_shrinker *shrinker = rx_shrinker_of(kernel);

	return shrinker->scan(shrinker, sc->nr_to_scan);
}

/* Context: process, may sleep. Returns 0 or -ENOMEM. */
static inline int rx_shrinker_register(struct rx_shrinker *shrinker,
				       const char *name)
{
#ifdef RX_HAVE_SHRINKER_ALLOC
	shrinker->kernel = shrinker_alloc(0, "%s", name);
	if (!shrinker->kernel)
		return -ENOMEM;
	shrinker->kernel->count_objects = rx_shrinker_count;
	shrinker->kernel->scan_objects = rx_shrinker_scan;
	shrinker->kernel->private_data = shrinker;
	shrinker_register(shrinker->kernel);
	return 0;
#else
	shrinker->kernel.count_objects = rx_shrinker_count;
	shrinker->kernel.scan_objects = rx_shrinker_scan;
	shrinker->kernel.seeks = DEFAULT_SEEKS;
	return register_shrinker(&shrinker->kernel, "%s", name);
#endif
}

/* After this neither callback runs. Context: process, may sleep. */
static inline void rx_shrinker_unregister(struct rx_shrinker *shrinker)
{
#ifdef RX_HAVE_SHRINKER_ALLOC
	shrinker_free(shrinker->kernel);
#else
	unregister_shrinker(&shrinker->kernel);
#endif
}

#endif
