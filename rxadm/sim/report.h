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
	bool json, stores, shadow, times, mix, ahead;
	const char *disks[8];		/* disk_parse() knows them */
	unsigned int nr_disks;
	uint64_t think;			/* ns */
	uint64_t memory;		/* most bytes of the traces at a time */
};

/*
 * Each prints one element of the JSON's "results", with a comma if there is
 * @more, or tables. Each returns false if it failed, and has said why.
 */
bool report_trace(const struct sim_ask *ask, const char *path, bool more);
bool report_times(const struct sim_ask *ask, bool more);
bool report_mix(const struct sim_ask *ask, char **paths, unsigned int nr);

/*
 * Prints what read-ahead does to a trace: a row, or a cell of the JSON, for each mode,
 * policy, size and disk. Returns false if there is no memory.
 */
bool report_ahead(const struct sim_ask *ask, const struct trace *trace);

/* For the above: */
extern const char report_no_memory[];

/* A size in blocks, of traces that have as many distinct ones; at least 1. */
uint64_t report_blocks(const struct sim_size *size, uint64_t distinct);
double report_percent(uint64_t part, uint64_t all);
void report_string(const char *text);		/* in JSON */

#endif
