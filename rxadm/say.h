/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for people, on standard error. */
#ifndef RXADM_SAY_H
#define RXADM_SAY_H

#include "global.h"

void say(const char *verb, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Says the words. Its value is the exit code. */
#define usage_error(...) ({ say(NULL, NULL, __VA_ARGS__); RX_USAGE; })

#endif
