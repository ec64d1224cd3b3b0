/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of requests, and their way to the shadow (shadow.h).
 *
 * A multiplication and a comparison decide for each block of a request whether it is
 * sampled. One block in N is: it goes into a ring of the CPU's own, without a lock, and a
 * work takes it from there. A full ring loses samples. Since losses would favour some
 * blocks, a shadow that loses many samples fewer blocks instead (sampler.c).
 */
#ifndef _RXC_SAMPLER_H
#define _RXC_SAMPLER_H

#include "shadow.h"

struct bio;
struct rxc_map;
struct rxc_sampler;

/**
 * struct rxc_sampling - the part of a cache's sampling that every request reads
 * @below: which blocks are sampled, see rxc_shadow_looks(); 0: none, because
 *	there is no sampler or it is held. READ_ONCE/WRITE_ONCE
 * @sampler: NULL if there is none; constant while there is I/O
 */
struct rxc_sampling {
	u64 below;
	struct rxc_sampler *sampler;
};

/* The estimates of the shadow, see shadow.h. */
struct rxc_estimates {
	u32 rate;
	u64 reads;
	u64 lost;
	u64 hits[RXC_NR_SHADOWS];
};

/*
 * Makes a sampler if the module's parameter allows it and there is memory; the cache
 * works without one, too. The pool is open. Context: process, may sleep.
 */
void rxc_sampler_new(struct rxc_map *map);

/* No I/O runs, and nobody reads estimates. Context: process, may sleep, no lock. */
void rxc_sampler_free(struct rxc_map *map);

/*
 * Returns whether a read continues a long sequential run. To be called once for each
 * read, because the run grows by it. Context: process.
 */
bool rxc_sample_run(const struct rxc_map *map, const struct bio *bio);

/*
 * Samples a read that was served and has not ended; @run is what rxc_sample_run()
 * returned. Not called in bypass mode. Context: any.
 */
void rxc_sample_read(const struct rxc_map *map, const struct bio *bio, bool run);

/* Does both for a read that is known to be served. Context: process. */
void rxc_sample_served(const struct rxc_map *map, const struct bio *bio);

/* Samples a write that will be sent. Not called in bypass mode. Context: process. */
void rxc_sample_write(const struct rxc_map *map, const struct bio *bio);

/* Gets the estimates of now. Returns false if there are none. May sleep; rxc_mutex. */
bool rxc_sampler_read(struct rxc_map *map, struct rxc_estimates *now);

/* With @all the shadow begins anew, else it forgets its counts. May sleep; rxc_mutex. */
void rxc_sampler_reset(struct rxc_map *map, bool all);

/* If the cache holds another number of blocks, the shadow begins anew. May sleep; rxc_mutex. */
void rxc_sampler_resize(struct rxc_map *map);

/*
 * Takes no samples until it is called again without @hold: a cache that admits nothing
 * tells nothing of one that does. May sleep; rxc_mutex.
 */
void rxc_sampler_hold(struct rxc_map *map, bool hold);

#endif
