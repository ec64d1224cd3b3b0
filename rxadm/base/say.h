/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for people, on standard error. */
#ifndef RXADM_SAY_H
#define RXADM_SAY_H

#include "base/global.h"

/* A message. VERB and OBJECT are NULL if it has none. */
struct rx_said {
	char *verb, *object, *text;
};

/* Print errors, hints and progress. */
void say(const char *verb, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void say_hint(const char *verb, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void say_line(const char *file, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void said_add(const char *verb, const char *object, const char *text);
size_t said_take(void (*put)(const struct rx_said *said, void *arg), void *arg);
bool said_any(void);
void said_forget(void);

/* Says the words. Its value is the exit code. */
#define usage_error(...) ({ say(NULL, NULL, __VA_ARGS__); RX_USAGE; })

#endif
