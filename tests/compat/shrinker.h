/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of kernel.h: shrinkers, embedded until 6.6 and allocated since. */
#define DEFAULT_SEEKS 2
#define SHRINK_STOP (~0UL)

struct shrink_control { unsigned long nr_to_scan; };

/* What reclaim was told of. */
#if SINCE(6, 4)
struct reclaim_state { unsigned long reclaimed; };
#else
struct reclaim_state { unsigned long reclaimed_slab; };
#endif

#if SINCE(6, 4)
__unused_fn void mm_account_reclaimed_pages(unsigned long pages)
{
	if (current->reclaim_state)
		current->reclaim_state->reclaimed += pages;
}
#endif

/* In 6.1 from a later version of it on; the two that are tested lie on both sides. */
struct timer_list;
#if SINCE(6, 2) || STABLE(6, 1, 100, 999)
int timer_delete_sync(struct timer_list *timer);
#endif

struct shrinker {
	unsigned long (*count_objects)(struct shrinker *s,
				       struct shrink_control *sc);
	unsigned long (*scan_objects)(struct shrinker *s,
				      struct shrink_control *sc);
	int seeks;
	long batch;
#if SINCE(6, 7)
	void *private_data;
#endif
};

extern struct shrinker *rxt_shrinker;	/* the one that is registered */

#if SINCE(6, 7)
__unused_fn struct shrinker *shrinker_alloc(unsigned int flags,
					    const char *format, ...)
{
	struct shrinker *s = rxt_no_memory ? NULL : calloc(1, sizeof(*s));

	if (s)
		s->seeks = DEFAULT_SEEKS;
	return flags || !format ? NULL : s;
}

__unused_fn void shrinker_register(struct shrinker *s)
{
	rxt_shrinker = s;
}

__unused_fn void shrinker_free(struct shrinker *s)
{
	rxt_shrinker = NULL;
	free(s);
}
#else
__unused_fn int register_shrinker(struct shrinker *s, const char *format, ...)
{
	if (rxt_no_memory || !format)
		return -ENOMEM;
	rxt_shrinker = s;
	return 0;
}

__unused_fn void unregister_shrinker(struct shrinker *s)
{
	rxt_shrinker = rxt_shrinker == s ? NULL : rxt_shrinker;
}
#endif
