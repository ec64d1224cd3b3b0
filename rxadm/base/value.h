/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VALUE_H
#define RXADM_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPT_LEVEL_MAX	19	/* of zstd */

/*
 * OPT_SIZES and OPT_TEXTS may be given more than once. OPT_PART: see part_parse(); OPT_MOST:
 * but not 0. OPT_AHEAD: see ahead_parse(). OPT_NODE: see numa_parse(). The values of OPT_WHEN
 * and OPT_LEVEL, 1 to 19, may be missing, and never are the next word.
 */
enum rx_opt_type {
	OPT_FLAG, OPT_TEXT, OPT_TEXTS, OPT_SIZE, OPT_SIZES, OPT_BYTES, OPT_PART, OPT_MOST, OPT_COUNT,
	OPT_TIME, OPT_CHOICE, OPT_NAME, OPT_AHEAD, OPT_NODE,
	OPT_WHEN, OPT_LEVEL,
};

struct rx_opt {
	const char *name;	/* without "--" */
	char letter;		/* 0 if none */
	enum rx_opt_type type;
	const char *arg;	/* placeholder; the choices a|b of OPT_CHOICE and OPT_WHEN */
	const char *help;
};

struct rx_value {
	const struct rx_opt *opt;
	const char *text;
	uint64_t num;		/* the place of a choice, from 0; 1 for a flag */
};

/*
 * Checks value->text and sets value->num from it. Returns false if the text is wrong;
 * then WHY says what is wrong and, mostly after "; ", what to say instead.
 */
bool value_parse(struct rx_value *value, char *why, size_t len);

#endif
