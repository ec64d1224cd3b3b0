/* SPDX-License-Identifier: GPL-2.0-only */
/* Kept blocks of a write. */
#ifndef _RXC_KEEP_H
#define _RXC_KEEP_H

#include "io/part.h"
#include "memory/pool.h"

/* The bytes of a block that a bio covers; @whole: they are all of it. */
struct rxc_span {
	u64 block;
	unsigned int offset;
	unsigned int len;
	bool whole;
};

/*
 * A stock of free pages. Each refill doubles it, up to the number of blocks left. @more is
 * how many the part may take beyond those in it, once it has @asked.
 */
struct rxc_hand {
	struct page *page[RXC_BATCH];
	unsigned int nr;
	unsigned int used;
	unsigned int next;
	unsigned int more;
	bool asked;
};

bool rxc_keep_block(struct rxc_part *part, struct bvec_iter *iter,
		    const struct rxc_span *span, struct rxc_hand *hand);
void rxc_hand_begin(struct rxc_hand *hand);
void rxc_hand_end(struct rxc_part *part, struct rxc_hand *hand);
void rxc_keep_undo(struct rxc_part *part);
bool rxc_keep_end(struct rxc_part *part);

#endif
