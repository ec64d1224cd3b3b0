/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_H
#define UNIT_H

#include "global.h"

#define UNIT_NAME_MAX	255

char *unit_of_path(const char *path, const char *suffix);
void unit_put(FILE *f, const char *text);
FILE *unit_create(const char *dir, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void unit_close(FILE *f);
void unit_wants(const char *dir, const char *who, const char *to);
bool unit_failed(void);

#endif
