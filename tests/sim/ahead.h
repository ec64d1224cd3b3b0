/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a trace through a cache with read-ahead, in virtual time. There is one reader: it
 * makes a request, waits until it has all the blocks, thinks, and makes the next request.
 */
#ifndef RXSIM_AHEAD_H
#define RXSIM_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/policy.h"
#include "disk.h"
#include "sim.h"

/**
 * struct ahead_setup - a cache, its origin, and its reader
 * @policy: of the cache
 * @mode: the effect of a write
 * @blocks: of the cache
 * @disk: the origin
 * @think: ns that the reader takes for each request, besides waiting; at least 1
 * @on: with read-ahead
 */
struct ahead_setup {
	const struct rxc_policy *policy;
	enum sim_mode mode;
	uint64_t blocks;
	struct disk_model disk;
	uint64_t think;
	bool on;
};

/**
 * struct ahead_result - counts of one run
 * @capacity: blocks that the cache could hold
 * @requests: the reader's read requests
 * @waits: those among them that waited for the origin
 * @waited: ns that they waited
 * @time: ns of the run, with the waits for writes
 * @reads: blocks that were read
 * @hits: blocks among them that were in the cache, read ahead or not
 * @origin: blocks that the origin read
 * @issued: blocks that were read ahead; each is used or in vain in the end
 * @used: those that were read later
 * @late: those among the used ones whose reader came before they had arrived
 * @vain: those that were written or evicted before they were read, or not read at all
 */
struct ahead_result {
	uint64_t capacity;
	uint64_t requests;
	uint64_t waits;
	uint64_t waited;
	uint64_t time;
	uint64_t reads;
	uint64_t hits;
	uint64_t origin;
	uint64_t issued;
	uint64_t used;
	uint64_t late;
	uint64_t vain;
};

/* Begins with an empty cache. Returns false if there is no memory. */
bool ahead_run(const struct trace *trace, const struct ahead_setup *setup,
	       struct ahead_result *result);

#endif
