/* SPDX-License-Identifier: GPL-2.0-only */
/* An error of the kernel, and what to do about it. */
#ifndef RXADM_ERRTEXT_H
#define RXADM_ERRTEXT_H

#include <stdbool.h>

struct rx_err {
	int err;		/* errno, positive; 0 if there was none */
	bool absent;		/* no such family */
	bool hidden;		/* the module is loaded, and another network namespace has the family */
	bool version;		/* the family is older than this tool */
	char msg[256];		/* the kernel's own words, or "" */
};

/*
 * Tells whether the module is older than this tool. It refuses a request that it does not
 * know without words, because one that knows the request has words for a refusal. What it
 * does not know within a request it refuses in the words of the kernel's netlink code.
 */
bool err_is_older(const struct rx_err *err);
/* Returns what to do about a refusal: a command or an advice, or NULL. */
const char *err_next(const char *verb, const struct rx_err *err);
int err_report(const char *verb, const char *object, const struct rx_err *err);
/* Always returns -1. */
int err_set(struct rx_err *err, int number, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
const char *err_kernel(const struct rx_err *err);

#endif
