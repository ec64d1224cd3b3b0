/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What requests tell the shadow (shadow.h), and how it gets there.
 *
 * Each block of a request is looked at by a multiplication and a comparison. One
 * in so many goes into a ring of the CPU's own, without a lock, and a work takes
 * it from there. A ring that is full loses what comes; so that losses favour
 * nobody, they make the shadow look at fewer blocks instead (sampler.c).
 */
#ifndef _RXC_SAMPLER_H
#define _RXC_SAMPLER_H

#include "shadow.h"

struct bio;
struct rxc_map;
struct rxc_sampler;

/**
 * struct rxc_sampling - of a mapping
 * @below: which blocks are looked at, see rxc_shadow_looks(); 0: none are, for
 *	there is no sampler. READ_ONCE/WRITE_ONCE
 * @sampler: NULL if there is none; constant while there is I/O
 */
struct rxc_sampling {
	u64 below;
	struct rxc_sampler *sampler;
};

/* What the shadow has come to. */
struct rxc_estimates {
	u32 rate;
	u64 reads;
	u64 lost;
	u64 hits[RXC_NR_SHADOWS];
};

/*
 * If the module's parameter says so and there is the memory; does without it if
 * not. The pool is open. Context: process, may sleep.
 */
void rxc_sampler_new(struct rxc_map *map);

/* No I/O runs and nobody asks any more. Context: process, may sleep, no lock. */
void rxc_sampler_free(struct rxc_map *map);

/*
 * Whether a read goes on where a long sequential run was. To be asked once of each
 * read, for the run grows by it. Context: process.
 */
bool rxc_sample_run(const struct rxc_map *map, const struct bio *bio);

/*
 * A read that was served, with what rxc_sample_run() said of it; it has not ended.
 * Not in the mode bypass. Context: any.
 */
void rxc_sample_read(const struct rxc_map *map, const struct bio *bio, bool run);

/* Both, of a read whose end is known when it is asked. Context: process. */
void rxc_sample_served(const struct rxc_map *map, const struct bio *bio);

/* A write that will be sent. Not in the mode bypass. Context: process. */
void rxc_sample_write(const struct rxc_map *map, const struct bio *bio);

/* The estimates as of now. False if there are none. May sleep; rxc_mutex. */
bool rxc_sampler_read(struct rxc_map *map, struct rxc_estimates *now);

/* With @all begins anew; else forgets the counts alone. May sleep; rxc_mutex. */
void rxc_sampler_reset(struct rxc_map *map, bool all);

#endif
