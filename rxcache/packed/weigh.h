/* SPDX-License-Identifier: GPL-2.0-only */
/* What compression would save, before it is switched on. */
#ifndef _RXC_WEIGH_H
#define _RXC_WEIGH_H

#include <linux/types.h>
#include "blocks/index.h"
#include "blocks/policy.h"

struct rxc_lanes;
struct rxc_pool;

/**
 * struct rxc_weighed - blocks of a sample
 * @plain: plain blocks of the sets that were looked at
 * @tried: of these, blocks that the packer would compress, or has found not worth it
 * @done: of these, blocks that are worth it
 * @bytes: memory that @done would take
 */
struct rxc_weighed {
	u64 plain;
	u64 tried;
	u64 done;
	u64 bytes;
};

/**
 * struct rxc_weigher - what a sample needs
 * @lanes: one, for the codec
 * @pick: blocks of a set
 */
struct rxc_weigher {
	struct rxc_lanes *lanes;
	struct rxc_pick pick[RXC_WAYS_MAX];
};

/*
 * Makes one for a codec that is not off, or returns ERR_PTR. Context: process, may sleep, no
 * lock.
 */
struct rxc_weigher *rxc_weigher_new(u32 codec);
void rxc_weigher_free(struct rxc_weigher *weigher);	/* process, may sleep */

/*
 * Compresses some blocks of a cache with that codec, and keeps nothing. The pool's blocks have
 * one page. Context: process, may sleep, rxc_mutex.
 */
void rxc_weigh(struct rxc_weigher *weigher, struct rxc_pool *pool, unsigned int key,
	       u32 codec, struct rxc_weighed *sum);

#endif
