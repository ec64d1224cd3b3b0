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

int err_report(const char *verb, const char *object, const struct rx_err *err);
/* Always returns -1. */
int err_set(struct rx_err *err, int number, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
const char *err_kernel(const struct rx_err *err);

#endif
