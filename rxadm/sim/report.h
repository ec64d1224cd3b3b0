/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs what is asked for, and prints it as tables or as JSON. */
#ifndef RXSIM_REPORT_H
#define RXSIM_REPORT_H

#include "ask.h"

/*
 * Prints one element of the JSON's "results", with a comma if there is @more, or a
 * table, by @ask->page. Returns false if it failed, and has said why.
 */
bool report_trace(const struct sim_ask *ask, const char *path, bool more);

/* Ends the output. Returns the exit status: @status, or another if output is lost. */
int report_end(int status);

/*
 * A page: prints the hit ratios of a trace, a row, or a cell of the JSON, for each mode
 * and policy. Returns false if there is no memory.
 */
bool report_sizes(const struct sim_ask *ask, const struct trace *trace);

/* For other pages: */
/* A size in blocks, of traces that have as many distinct ones; at least 1. */
uint64_t report_blocks(const struct sim_size *size, uint64_t distinct);
double report_percent(uint64_t part, uint64_t all);
void report_string(const char *text);		/* in JSON */
/* Begins a cell of the JSON. */
void report_names(const struct rxc_policy *policy, enum sim_mode mode, bool *first);

#endif
