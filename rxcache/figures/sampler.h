/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of requests, and their way to the shadow (shadow.h).
 *
 * Two multiplications and a comparison decide for each block of a request whether the
 * block is sampled: one block in N is. A sample goes into the CPU's own ring without a
 * lock, and a work takes it from there. A full ring loses samples. After many losses the
 * sampler samples fewer blocks, because losses would favour some blocks (sampler.c).
 */
#ifndef _RXC_SAMPLER_H
#define _RXC_SAMPLER_H

#include "figures/shadow.h"

struct bio;
struct rxc_cache;
struct rxc_sampler;

/**
 * struct rxc_sampling - the part of a cache's sampling that every request reads
 * @below: which blocks are sampled, see rxc_shadow_looks(); 0: none, because
 *	there is no sampler or sampling is stopped. READ_ONCE/WRITE_ONCE
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
 * Makes a sampler if the module's parameter allows a sampler and there is memory. The
 * cache works without one, too. The pool is open. Context: process, may sleep.
 */
void rxc_sampler_new(struct rxc_cache *cache);

/*
 * Frees the sampler, if any. No I/O runs, and no request reads estimates. Context:
 * process, may sleep, no lock.
 */
void rxc_sampler_free(struct rxc_cache *cache);

/*
 * Returns whether a read continues a long sequential run. Called once for each read,
 * because the read makes the run longer. Context: process.
 */
bool rxc_sample_run(const struct rxc_cache *cache, const struct bio *bio);

/*
 * Samples a read that was served and has not ended; @run is the result of
 * rxc_sample_run(). Not called in bypass mode. Context: any.
 */
void rxc_sample_read(const struct rxc_cache *cache, const struct bio *bio, bool run);

/* Does both for a read that is known to be served. Context: process. */
void rxc_sample_served(const struct rxc_cache *cache, const struct bio *bio);

/* Samples a write that will be sent, but not in bypass mode. Context: process. */
void rxc_sample_write(const struct rxc_cache *cache, const struct bio *bio);

/* Gets the current estimates. Returns false if there are none. May sleep; rxc_mutex. */
bool rxc_sampler_read(struct rxc_cache *cache, struct rxc_estimates *now);

/*
 * Clears the shadow's counts. With @all, this also clears the count of lost samples, and
 * the shadow begins anew if losses have changed the rate. May sleep; rxc_mutex.
 */
void rxc_sampler_reset(struct rxc_cache *cache, bool all);

/* Begins the shadow anew if the cache's capacity has changed. May sleep; rxc_mutex. */
void rxc_sampler_resize(struct rxc_cache *cache);

/*
 * With @hold stops sampling, else continues. A frozen cache is not sampled, because the
 * reads of a scan say nothing about the size that other reads need. May sleep; rxc_mutex.
 */
void rxc_sampler_hold(struct rxc_cache *cache, bool hold);

#endif
