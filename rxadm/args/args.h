/* SPDX-License-Identifier: GPL-2.0-only */
/* Verbs, their options, and the words of a command line. */
#ifndef RXADM_ARGS_H
#define RXADM_ARGS_H

#include "base/global.h"
#include "base/value.h"
#include "kernel/name.h"

struct rx_list;
struct rx_req;
struct rx_strv;

struct rx_args;
struct rx_verb;
typedef int rx_verb_run(const struct rx_args *args);

/*
 * Where a verb has columns of disks and caches, which -o chooses: nowhere, in the JSON of
 * those that it made, changed or watched, or in tables too. Hidden verbs are for programs.
 */
enum rx_shows { SHOWS_NONE, SHOWS_JSON, SHOWS_TABLE, HIDDEN };

struct rx_verb {
	const char *name;
	const char *objects;	/* as in the synopsis */
	unsigned int min, max;
	const char *help;
	const struct rx_opt *opts;
	const char *exclusive;	/* "a b" pairs, separated by commas */
	const char *needs;	/* "a b": a makes no sense without b */
	rx_verb_run *run;
	enum rx_shows shows;
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
extern const struct rx_verb rx_verbs[];	/* in the order of help; ../verbs.c has them */
const struct rx_verb *verb_find(const char *name);
int args_verb(int argc, char **argv);
int args_parse(int argc, char **argv, int at, struct rx_args *args);
bool opt_may_lack(const struct rx_opt *opt);
bool args_has(const struct rx_args *args, const char *name);
const char *args_text(const struct rx_args *args, const char *name);
void args_texts(const struct rx_args *args, const char *name, struct rx_strv *texts);
uint64_t args_num(const struct rx_args *args, const char *name, uint64_t none);
/* Adds the values of the options that are attributes; but --size is for the verb to add. */
void args_put(const struct rx_args *args, struct rx_req *req);
bool args_name_object(const struct rx_args *args);
bool args_ask_columns(const struct rx_args *args);
int args_quiet(const struct rx_args *args);
long args_wait(const struct rx_args *args);
struct rx_objects args_objects(const struct rx_args *args);
bool new_name_ok(const struct rx_args *args, enum rx_family family);
int verb_each(const struct rx_args *args, enum rx_family family,
	      int (*one)(const struct rx_args *args, const char *name, struct rx_list *done));

#endif
