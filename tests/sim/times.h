/* SPDX-License-Identifier: GPL-2.0-only */
/* What index and policies cost. */
#ifndef RX_SIM_TIMES_H
#define RX_SIM_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "../../rxcache/policy.h"

/**
 * struct sim_times - nanoseconds that the processor takes, see sim_time()
 * @lookup: index and policy, for a block that is there
 * @store: index and policy, for a block that turns out another
 * @hit: of @lookup, the policy alone
 * @evict: of @store, the policy alone: one comes and one goes
 */
struct sim_times {
	double lookup, store, hit, evict;
};

/* Of a cache with @blocks, under a load that is read unevenly. */
bool sim_time(const struct rxc_policy *policy, uint64_t blocks,
	      struct sim_times *times);

#endif
