/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a trace through the module's own index and policies. */
#ifndef RXSIM_SIM_H
#define RXSIM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "trace.h"

/*
 * The effect of a write. ALLOCATE stores blocks that are written as a whole, as
 * the module does by default; UPDATE changes only blocks that are cached, as with
 * --no-write-allocate; INVALIDATE drops them, as in mode around. No write counts
 * as a reference to its block.
 */
enum sim_mode { SIM_ALLOCATE, SIM_UPDATE, SIM_INVALIDATE, SIM_MODES };

/*
 * A cache of this many times the distinct blocks holds all of them, however
 * unevenly they fall into its sets. A larger index would only take memory.
 */
enum { SIM_BLOCKS_ENOUGH = 4 };

/**
 * struct sim_result - counts of one run
 * @capacity: blocks that the cache could hold: the number asked for, rounded down
 *	to what its sets can hold
 * @metadata: bytes of its index
 * @reads: blocks that were read
 * @hits: blocks that were read and were in the cache
 * @stores: hits that changed the policy's state
 * @evicted: blocks that were evicted
 * @held: blocks that are in the cache
 */
struct sim_result {
	uint64_t capacity;
	uint64_t metadata;
	uint64_t reads;
	uint64_t hits;
	uint64_t stores;
	uint64_t evicted;
	uint64_t held;
};

/*
 * The module's own policy, and one that it has not, to compare that with. rxadm, which does
 * not know the module's headers, includes this file, too.
 */
struct rxc_policy;
extern const struct rxc_policy rxc_policy_rx, rxc_policy_clock;

/* All policies that can be chosen, ending with NULL. Each program has its own. */
extern const struct rxc_policy *const sim_policies[];
extern const char *const sim_mode_names[SIM_MODES];
/* What to say when sim_run() has failed. */
extern const char sim_no_memory[];

/*
 * Runs @trace through an empty cache of up to @blocks. Counting stores makes it
 * slower. Returns false if there is no memory.
 */
bool sim_run(const struct trace *trace, const struct rxc_policy *policy,
	     enum sim_mode mode, uint64_t blocks, bool count_stores,
	     struct sim_result *result);

/*
 * Runs one request of the cache with number @map. The caches that share @index have
 * their counts in @of, by their numbers.
 */
struct rxc_index;
void sim_request(struct rxc_index *index, unsigned int map,
		 const struct trace_req *req, enum sim_mode mode,
		 struct sim_result *of);

/* Empties an index, which may not hold a page when it is freed, and frees it. */
void sim_free(struct rxc_index *index);

#endif
