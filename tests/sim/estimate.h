/* SPDX-License-Identifier: GPL-2.0-only */
/* The hit ratios that the shadow of a cache estimates, and the real ones. */
#ifndef RXSIM_ESTIMATE_H
#define RXSIM_ESTIMATE_H

#include "figures/shadow.h"
#include "kernel.h"
#include "sim.h"

/**
 * struct sim_shadow - counts of a shadow
 * @rate: one block in @rate is sampled
 * @bytes: size of the shadow's sets
 * @distinct: number of different blocks that were sampled
 * @reads: reads of sampled blocks
 * @hits: hits among @reads, for each small cache of the shadow
 */
struct sim_shadow {
	uint32_t rate;
	uint64_t bytes;
	uint64_t distinct;
	uint64_t reads;
	uint64_t hits[RXC_NR_SHADOWS];
};

/* Runs the shadow of a cache of up to @blocks. Returns false if there is no memory. */
bool sim_shadow(const struct trace *trace, const struct rxc_policy *policy,
		enum sim_mode mode, uint64_t blocks, struct sim_shadow *result);

/* Runs the cache that @point estimates. Returns false if there is no memory. */
bool sim_shadow_truth(const struct trace *trace, const struct rxc_policy *policy,
		      enum sim_mode mode, uint64_t blocks,
		      enum rxc_shadow_point point, struct sim_result *result);

/* The estimated hit ratio less the real one, in percent of the reads. */
double sim_shadow_error(const struct sim_shadow *shadow,
			enum rxc_shadow_point point,
			const struct sim_result *truth);

#endif
