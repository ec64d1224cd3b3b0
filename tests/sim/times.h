/* SPDX-License-Identifier: GPL-2.0-only */
/* The time that index and policies take. */
#ifndef RXSIM_TIMES_H
#define RXSIM_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/policy.h"

/**
 * struct sim_times - nanoseconds of an operation, see sim_time()
 * @lookup: look-up of a cached block, index and policy
 * @store: storing a block that evicts another one, index and policy
 * @hit: the policy's part of @lookup
 * @evict: the policy's part of @store: victim, remove and insert
 */
struct sim_times {
	double lookup, store, hit, evict;
};

/* Times a cache of @blocks that is read unevenly. Returns false if there is no memory. */
bool sim_time(const struct rxc_policy *policy, uint64_t blocks,
	      struct sim_times *times);

#endif
