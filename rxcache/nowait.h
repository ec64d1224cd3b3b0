/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads that must not wait; nowait.c has them. */
#ifndef _RXC_NOWAIT_H
#define _RXC_NOWAIT_H

#include <linux/blk_types.h>
#include <linux/types.h>

struct rxc_io;
struct rxc_map;

/**
 * struct rxc_late - what a read that must not wait will have been: it is counted at
 *	its end, when it is known whether the origin refused it
 * @kind: the counter of the request
 * @how: the counter of the blocks that were not cached
 * @blocks: how many
 * @bytes: what it wanted of them
 * @through: the shadow is told of it, too
 * @run: then, of a long sequential run
 */
struct rxc_late {
	u8 kind;
	u8 how;
	u16 blocks;
	u32 bytes;
	bool through;
	bool run;
};

/*
 * Serves a read from @iter on, which begins with a block that is not cached;
 * @any_hit says whether others were. Context: process, does not sleep.
 */
void rxc_read_nowait(struct rxc_map *map, struct bio *bio, struct bvec_iter iter,
		     unsigned long start, bool any_hit);

/*
 * What a read, of any kind, got other than from memory, and how: an rxc_stat. If it
 * must not wait this is called once, and nothing is counted yet. Context: process.
 */
void rxc_io_count(struct rxc_io *io, unsigned int how, u64 blocks,
		  unsigned int bytes);

/* Counts a read that must not wait, which has ended so. Context: any. */
void rxc_io_count_late(const struct rxc_io *io, blk_status_t status);

#endif
