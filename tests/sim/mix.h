/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several traces at the same time, each with a cache of its own: the memory shared by
 * all of them, or divided between them for good.
 */
#ifndef RXSIM_MIX_H
#define RXSIM_MIX_H

#include "sim.h"

/* The memory is divided into MIX_UNITS parts. */
enum { MIX_MAX = 16, MIX_UNITS = 256 };

/**
 * struct mix - the traces
 * @trace: a trace that has times has them for all its requests
 * @nr: at most MIX_MAX
 */
struct mix {
	struct trace trace[MIX_MAX];
	unsigned int nr;
};

/**
 * struct mix_result - what became of the traces
 * @of: the counts of each trace's cache. Its capacity is its part of the memory, which
 *	for a shared memory is what its blocks took on the average
 * @all: their sums
 */
struct mix_result {
	struct sim_result of[MIX_MAX];
	struct sim_result all;
};

/* Whether all traces have times. */
bool mix_timed(const struct mix *mix);

/* The number of different blocks. No two traces have one in common. */
uint64_t mix_distinct(const struct mix *mix);

/*
 * The trace that the next request comes from, if @next of each trace were run already;
 * or @mix->nr if all are over. Goes by the times if all traces have them. Else each
 * trace is spread evenly over the same span.
 */
unsigned int mix_next(const struct mix *mix, const size_t *next);

/*
 * All of these run the mix through @blocks of memory, empty at first. They return false
 * if there is no memory.
 */

/* One index and one policy for all blocks. */
bool mix_share(const struct mix *mix, const struct rxc_policy *policy,
	       enum sim_mode mode, uint64_t blocks, struct mix_result *result);

/* A cache of the same size for each trace. */
bool mix_equal(const struct mix *mix, const struct rxc_policy *policy,
	       enum sim_mode mode, uint64_t blocks, struct mix_result *result);

/*
 * A cache for each trace, of the sizes that give the most hits in all. Of all divisions
 * into sixteenths of the memory the best one is taken, and from there on smaller and
 * smaller parts, down to 1/MIX_UNITS, are moved while that gives more hits.
 */
bool mix_best(const struct mix *mix, const struct rxc_policy *policy,
	      enum sim_mode mode, uint64_t blocks, struct mix_result *result);

#endif
