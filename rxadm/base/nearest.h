/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_NEAREST_H
#define RXADM_NEAREST_H

#include <stddef.h>

/* Returns the one of N choices that WORD may have meant, or NULL. */
const char *nearest(const char *word, const char *const *choices, size_t n);

#endif
