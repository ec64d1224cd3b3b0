/* SPDX-License-Identifier: GPL-2.0-only */
/* Verbs, their options, and the words of a command line. */
#ifndef RXADM_ARGS_H
#define RXADM_ARGS_H

#include "global.h"
#include "preflight.h"

/*
 * OPT_SIZES and OPT_TEXTS may be given more than once. OPT_PART: see part_parse(); OPT_MOST: but not 0.
 * OPT_AHEAD, OPT_UNTIL: see ahead_parse() and until_parse(). The values of OPT_WHEN and
 * OPT_LEVEL, 1 to 19, may be missing, and never are the next word.
 */
enum rx_opt_type {
	OPT_FLAG, OPT_TEXT, OPT_TEXTS, OPT_SIZE, OPT_SIZES, OPT_BYTES, OPT_PART, OPT_MOST, OPT_COUNT,
	OPT_TIME, OPT_CHOICE, OPT_NAME, OPT_AHEAD,
	OPT_UNTIL, OPT_WHEN, OPT_LEVEL,
};

struct rx_opt {
	const char *name;	/* without "--" */
	char letter;		/* 0 if none */
	enum rx_opt_type type;
	const char *arg;	/* placeholder; the choices a|b of OPT_CHOICE and OPT_WHEN */
	const char *help;
};

struct rx_args;
struct rx_verb;
typedef int rx_verb_run(const struct rx_args *args);

struct rx_verb {
	const char *name;
	const char *objects;	/* as in the synopsis */
	unsigned int min, max;
	const char *help;
	const struct rx_opt *opts;
	const char *exclusive;	/* "a b" pairs, separated by commas */
	const char *needs;	/* "a b": a makes no sense without b */
	rx_verb_run *run;
	bool hidden;
};

struct rx_value {
	const struct rx_opt *opt;
	const char *text;
	uint64_t num;		/* the place of a choice, from 0; 1 for a flag */
};

struct rx_args {
	const struct rx_verb *verb;
	const char **objects;
	size_t n_objects;
	struct rx_value values[128];
	size_t n_values;
	bool plain;		/* after "--" no word is an option */
	bool lenient;		/* in: this is for completion, nothing is checked */
	const struct rx_opt *pending;	/* out, for completion: the next word is its value */
};

extern const struct rx_opt rx_global_opts[];
extern const struct rx_verb rx_verbs[];	/* in the order of help */
const struct rx_verb *verb_find(const char *name);
bool verb_overrides(const struct rx_verb *verb, const char *option);
int args_verb(int argc, char **argv);
int args_parse(int argc, char **argv, int at, struct rx_args *args);
bool opt_may_lack(const struct rx_opt *opt);
bool args_has(const struct rx_args *args, const char *name);
const char *args_text(const struct rx_args *args, const char *name);
void args_texts(const struct rx_args *args, const char *name, struct rx_strv *texts);
uint64_t args_num(const struct rx_args *args, const char *name, uint64_t none);
struct rx_plan_value args_value(const struct rx_args *args, const char *name);
int args_quiet(const struct rx_args *args);
long args_wait(const struct rx_args *args);
bool args_named(const struct rx_args *args, const char *name);
bool new_name_ok(const struct rx_args *args, enum rx_family family);
bool value_parse(struct rx_value *value, char *why, size_t len);
const char *nearest(const char *word, const char *const *choices, size_t n);

#endif
