/* SPDX-License-Identifier: GPL-2.0-only */
/* What a simulator is asked for: the options of rxsim, which those of the tests begin with. */
#ifndef RXSIM_ASK_H
#define RXSIM_ASK_H

#include <getopt.h>

#include "blocks/policy.h"
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
	bool json, stores;
	uint64_t memory;		/* most bytes of the traces at a time */
	/* Prints what becomes of a trace, see report.h. */
	bool (*page)(const struct sim_ask *ask, const struct trace *trace);
};

extern struct sim_ask ask;

enum { ASK_MEMORY = 256, ASK_STORES, ASK_OWN };

#define ASK_LETTERS "s:p:m:jh"
#define ASK_OPTIONS \
	{ "size", required_argument, NULL, 's' }, \
	{ "policy", required_argument, NULL, 'p' }, \
	{ "mode", required_argument, NULL, 'm' }, \
	{ "memory", required_argument, NULL, ASK_MEMORY }, \
	{ "stores", no_argument, NULL, ASK_STORES }, \
	{ "json", no_argument, NULL, 'j' }, \
	{ "help", no_argument, NULL, 'h' }

/* Says what is wrong with @arg, and exits. */
void __attribute__((noreturn)) ask_usage(const char *what, const char *arg);

/* Calls @add for each word of a list. */
void ask_each(const char *list, void (*add)(const char *word));

/*
 * Takes one of ASK_OPTIONS but help, as getopt_long() returned it. Exits if it is none
 * or wrong.
 */
void ask_option(int c, const char *arg);

/* Sets what no option has set. */
void ask_defaults(void);

/* The lines of ASK_OPTIONS in a help text, and of the exit status. */
void ask_put_help(void);

#endif
