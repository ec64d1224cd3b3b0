/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_EXPORT_TARGET_H
#define RXADM_EXPORT_TARGET_H

#include <stdbool.h>

/* Tells whether exports can be seen, and says so if not. */
bool exports_seen(const char *verb, const char *object);
int target_load(const char *verb, const char *object, const char *transport);

#endif
