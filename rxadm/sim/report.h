/* SPDX-License-Identifier: GPL-2.0-only */
/* What rxsim is asked for, and the answers. */
#ifndef RXSIM_REPORT_H
#define RXSIM_REPORT_H

#include "sim.h"

/* A size of a cache: bytes, or if @percent is set a share of the distinct blocks. */
struct sim_size {
	char text[24];
	double percent;
	uint64_t bytes;
};

struct sim_ask {
	struct sim_size sizes[32];
	unsigned int nr_sizes;
	const struct rxc_policy *policies[8];
	unsigned int nr_policies;
	bool modes[SIM_MODES];
	bool json, stores, shadow, times;
	uint64_t memory;		/* most bytes of a trace */
};

/*
 * Each prints one element of the JSON's "results", with a comma if there is
 * @more, or tables. Each returns false if it failed, and has said why.
 */
bool report_trace(const struct sim_ask *ask, const char *path, bool more);
bool report_times(const struct sim_ask *ask, bool more);

#endif
