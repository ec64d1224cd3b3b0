/* SPDX-License-Identifier: GPL-2.0-only */
/* The part that every file knows: exit codes, and the options that all verbs share. */
#ifndef RXADM_GLOBAL_H
#define RXADM_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* A number that the kernel did not send; null in JSON. */
#define RX_NONE		UINT64_MAX
static inline uint64_t or_zero(uint64_t n) { return n == RX_NONE ? 0 : n; }

/*
 * Returns PART / ALL, or a value below 0 if a number is not known or nothing was counted.
 */
static inline double ratio_of(uint64_t part, uint64_t all)
{
	return part == RX_NONE || all == RX_NONE || !all ? -1 : (double)part / all;
}

/* As in ASCII: to a Turkish locale i is no small I. */
static inline char upper(char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }

/* Tells whether the LEN characters of TEXT are WORD, in upper or lower case. */
static inline bool same_word(const char *word, const char *text, size_t len)
{
	for (; len && *word && upper(*word) == upper(*text); len--, word++, text++)
		;
	return !len && !*word;
}

#define RX_NAME_LEN	32

enum rx_family { RX_DISK, RX_CACHE, RX_FAMILIES };

enum rx_exit {
	RX_OK		= 0,
	RX_USAGE	= 1,	/* nothing was sent */
	RX_KERNEL	= 2,	/* the kernel refused */
	RX_ABSENT	= 3,	/* the module is absent or older than this tool */
	RX_PARTIAL	= 4,	/* some of several objects failed */
	RX_DATA		= 5,	/* data differs, a list can't be used, or output was lost */
};

/* In the order of the choices of --color. */
enum rx_color { RX_COLOR_AUTO, RX_COLOR_ALWAYS, RX_COLOR_NEVER };

struct rx_global {
	bool json, pretty, bytes, noheadings, raw, quiet, dry_run;
	const char *columns;	/* -o, or NULL */
	enum rx_color color;
	int out_errno;		/* first failure to write the output */
};
extern struct rx_global rx;

/* Folds the results of several objects into one exit code. */
struct rx_tally {
	int done, failed, status;
};
void tally(struct rx_tally *t, int status);
int tally_exit(const struct rx_tally *t);

#endif
