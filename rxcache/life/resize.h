/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of a pool's size while it is in use. */
#ifndef _RXC_RESIZE_H
#define _RXC_RESIZE_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct rxc_bounds;
struct rxc_cache;
struct rxc_pool;

/**
 * struct rxc_resize - a change of the size
 * @work: changes it; queued under rxc_mutex while a cache of the pool has a
 *	device
 * @running: rxc_mutex
 * @bytes: size that the disk is to have; 0 before the first change; rxc_mutex, constant
 *	while running
 * @error: negative errno if the last change failed, else 0; rxc_mutex
 * @message: static text of @error; rxc_mutex
 * @whole_lock: a mutex; held to change the size of the index
 * @whole: the pool has that, or @whole_lock
 */
struct rxc_resize {
	struct work_struct work;
	bool running;
	u64 bytes;
	int error;
	const char *message;
	struct mutex whole_lock;
	bool whole;
};

extern const char rxc_no_index[];	/* the text of -ENOMEM */

/* Context: process, may sleep. */
int rxc_resize_whole(struct rxc_pool *pool, const char **why);
void rxc_resize_init(struct rxc_pool *pool);
int rxc_resize_check(const struct rxc_cache *cache, const struct rxc_bounds *bounds, u64 bytes,
		     const char **why);			/* rxc_mutex */
void rxc_resize_start(struct rxc_pool *pool, u64 bytes);	/* rxc_mutex */
void rxc_resize_layout(struct rxc_pool *pool, u64 (*want)(const struct rxc_pool *pool));
void rxc_resize_cancel(struct rxc_pool *pool);		/* may sleep, no lock */

#endif
