/* SPDX-License-Identifier: GPL-2.0-only */
/* What rxstudy prints beyond rxsim. */
#ifndef RXSTUDY_PAGES_H
#define RXSTUDY_PAGES_H

#include "report.h"

/* Of --read-ahead. @think is in ns; disk_parse() knows the disks. */
extern struct ahead_ask {
	const char *disks[8];
	unsigned int nr_disks;
	uint64_t think;
} ahead_ask;

/*
 * Pages of a trace, see report.h: what read-ahead does to it, for each mode, policy, size
 * and disk; and what the shadow of a cache estimates, and the error.
 */
bool report_ahead(const struct sim_ask *ask, const struct trace *trace);
bool report_shadows(const struct sim_ask *ask, const struct trace *trace);

/*
 * Each prints elements of the JSON's "results", the first with a comma if there is @more,
 * or a table. Each returns false if it failed, and has said why.
 */
bool report_times(const struct sim_ask *ask, bool more);
bool report_mix(const struct sim_ask *ask, char **paths, unsigned int nr);

#endif
