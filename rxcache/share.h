/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast a request may go, as far as its bio says: by the cgroup that pays for it,
 * which io.max and the like may hold back, and by its priority.
 *
 * A reader joins a fill only if that goes no slower than a read of its own would.
 * Limits of cgroups can't be compared, so the fill's cgroup has to be the same one, or
 * the root, which has no limit. Priorities are compared by their class.
 */
#ifndef _RXC_SHARE_H
#define _RXC_SHARE_H

#include <linux/blk-cgroup.h>
#include <linux/blk_types.h>
#include <linux/ioprio.h>
#include <linux/types.h>

/**
 * struct rxc_share - what a fill, or its reader, is entitled to
 * @cgroup: pays for it; only to be compared, because nothing keeps it
 * @class: IOPRIO_CLASS_RT, _BE or _IDLE, the greater the slower
 */
struct rxc_share {
	const struct cgroup_subsys_state *cgroup;
	unsigned int class;
};

/* The share of a bio that the current task submits. Context: process, any lock. */
static inline struct rxc_share rxc_share_of(struct bio *bio)
{
	struct rxc_share share = {
		.cgroup = bio_blkcg_css(bio) ?: blkcg_root_css,
		.class = IOPRIO_PRIO_CLASS(bio->bi_ioprio),
	};

	/* The block layer will do the same for the origin. */
	if (share.class == IOPRIO_CLASS_NONE)
		share.class = IOPRIO_PRIO_CLASS(get_current_ioprio());
	if (share.class == IOPRIO_CLASS_NONE)
		share.class = IOPRIO_CLASS_BE;
	return share;
}

/* Whether a fill with @fill is as fast as a read with @own. Context: any. */
static inline bool rxc_share_suffices(const struct rxc_share *fill,
				      const struct rxc_share *own)
{
	return fill->class <= own->class &&
	       (fill->cgroup == own->cgroup || fill->cgroup == blkcg_root_css);
}

#endif
