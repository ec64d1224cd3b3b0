/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The speed that a request may have, as far as its bio tells. It depends on the cgroup
 * that pays for the request, which io.max and others may hold back, and on its priority.
 *
 * A reader joins a fill only if the fill is no slower than a read of its own would be.
 * Limits of cgroups can't be compared, so the fill's cgroup has to be the same one, or
 * the root, which has no limit. Priorities are compared by their class.
 */
#ifndef _RXC_SPEED_H
#define _RXC_SPEED_H

#include <linux/blk-cgroup.h>
#include <linux/blk_types.h>
#include <linux/ioprio.h>
#include <linux/types.h>

/**
 * struct rxc_speed - the speed that a fill, or its reader, is entitled to
 * @cgroup: pays for it; only compared, because there is no reference to it
 * @class: IOPRIO_CLASS_RT, _BE or _IDLE; a greater one is slower
 */
struct rxc_speed {
	const struct cgroup_subsys_state *cgroup;
	unsigned int class;
};

/* Returns the speed of a bio that this task submits. Context: process, any lock. */
static inline struct rxc_speed rxc_speed_of(struct bio *bio)
{
	struct rxc_speed speed = {
		.cgroup = bio_blkcg_css(bio) ?: blkcg_root_css,
		.class = IOPRIO_PRIO_CLASS(bio->bi_ioprio),
	};

	/* The block layer will do the same for the origin. */
	if (speed.class == IOPRIO_CLASS_NONE)
		speed.class = IOPRIO_PRIO_CLASS(get_current_ioprio());
	if (speed.class == IOPRIO_CLASS_NONE)
		speed.class = IOPRIO_CLASS_BE;
	return speed;
}

/* Returns whether a fill with @fill is as fast as a read with @own. Context: any. */
static inline bool rxc_speed_suffices(const struct rxc_speed *fill,
				      const struct rxc_speed *own)
{
	return fill->class <= own->class &&
	       (fill->cgroup == own->cgroup || fill->cgroup == blkcg_root_css);
}

#endif
