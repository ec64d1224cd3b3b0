/* SPDX-License-Identifier: GPL-2.0-only */
/* Fills: reads of whole blocks into pages of the pool. */
#ifndef _RXC_FILL_H
#define _RXC_FILL_H

#include <linux/blk_types.h>
#include <linux/types.h>

struct rxc_io;
struct rxc_part;
struct rxc_speed;

struct rxc_part *rxc_fill_new(struct rxc_io *io, const struct rxc_speed *speed, u64 first,
			      u64 blocks, gfp_t gfp);
void rxc_fill_pages(struct rxc_part *part, u64 first, u64 blocks);
void rxc_fill_fit(struct rxc_part *part);
void rxc_fill_send(struct rxc_part *part);
void rxc_fill_undo(struct rxc_part *part);
bool rxc_fill_suits(const struct rxc_part *part, const struct rxc_speed *own);
bool rxc_fill_join(struct rxc_part *part, struct rxc_io *io, struct bvec_iter run);

#endif
