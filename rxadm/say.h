/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for people, on standard error. */
#ifndef RXADM_SAY_H
#define RXADM_SAY_H

void say(const char *verb, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
