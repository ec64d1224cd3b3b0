/* SPDX-License-Identifier: GPL-2.0-only */
/* The cache's own index and policies, run over a trace. */
#ifndef RXADM_SIM_H
#define RXADM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "../rxcache/policy.h"
#include "trace.h"

/*
 * What a write does: it puts whole blocks into the cache, as the module does;
 * changes only what is cached, as with --no-write-allocate; or drops what is
 * cached, as in mode around. None is a reference to the block.
 */
enum sim_mode { SIM_ALLOCATE, SIM_UPDATE, SIM_INVALIDATE, SIM_MODES };

/**
 * struct sim_result - what a cache made of a trace
 * @capacity: blocks that it could hold, at most what was asked for
 * @metadata: bytes of its index
 * @reads: blocks that were read
 * @hits: those of them that were cached
 * @stores: hits that changed the policy's state
 * @evicted: blocks that had to make room
 */
struct sim_result {
	uint64_t capacity;
	uint64_t metadata;
	uint64_t reads;
	uint64_t hits;
	uint64_t stores;
	uint64_t evicted;
};

extern const struct rxc_policy *const sim_policies[];	/* ends with NULL */
extern const char *const sim_mode_names[SIM_MODES];

/*
 * A cache of up to @blocks, empty at first. With @count_stores it takes longer.
 * False if there is no memory.
 */
bool sim_run(const struct trace *trace, const struct rxc_policy *policy,
	     enum sim_mode mode, uint64_t blocks, bool count_stores,
	     struct sim_result *result);

#endif
