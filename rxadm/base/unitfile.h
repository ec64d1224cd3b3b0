/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_H
#define UNIT_H

#include "base/global.h"

#define UNIT_NAME_MAX	255

char *unit_of_path(const char *path, const char *suffix);
void unit_put(FILE *f, const char *text, bool word);
void unit_write(const char *dir, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void unit_wants(const char *dir, const char *who, const char *to);
bool unit_failed(void);

#endif
