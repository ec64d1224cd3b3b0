/* SPDX-License-Identifier: GPL-2.0-only */
/* The cache's shadow over a trace, and what it estimates. */
#ifndef RX_SIM_ESTIMATE_H
#define RX_SIM_ESTIMATE_H

#include "kernel.h"
#include "../../rxcache/shadow.h"
#include "sim.h"

/**
 * struct sim_shadow - what the shadow of a cache makes of a trace
 * @rate: one block in so many was looked at
 * @bytes: of its sets
 * @distinct: different blocks that were looked at
 * @reads: of them
 * @hits: those that each of the small caches had
 */
struct sim_shadow {
	uint32_t rate;
	uint64_t bytes;
	uint64_t distinct;
	uint64_t reads;
	uint64_t hits[RXC_NR_SHADOWS];
};

/* Of a cache of up to @blocks, at the rate that it has. False: no memory. */
bool sim_shadow(const struct trace *trace, const struct rxc_policy *policy,
		enum sim_mode mode, uint64_t blocks, struct sim_shadow *result);

/* What the shadow estimates by this point, run in full. False: no memory. */
bool sim_shadow_truth(const struct trace *trace, const struct rxc_policy *policy,
		      enum sim_mode mode, uint64_t blocks,
		      enum rxc_shadow_point point, struct sim_result *result);

/* In percent of the reads, the estimate less what is true. */
double sim_shadow_error(const struct sim_shadow *shadow,
			enum rxc_shadow_point point,
			const struct sim_result *truth);

#endif
