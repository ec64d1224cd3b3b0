/* SPDX-License-Identifier: GPL-2.0-only */
/* A list of strings that grows. */
#ifndef RXADM_STRV_H
#define RXADM_STRV_H

#include <stdbool.h>
#include <stddef.h>

struct rx_strv {
	char **v;		/* with NULL after the last, once there is one */
	size_t n;
};

/* PATTERNS are shell patterns, with NULL after the last. */
bool matches_any(const char *text, const char *const *patterns);

void strv_add(struct rx_strv *v, const char *text);
void strv_print(struct rx_strv *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool strv_has(const struct rx_strv *v, const char *text);
void strv_sort(struct rx_strv *v);
char *strv_join(const struct rx_strv *v, const char *between);
void strv_free(struct rx_strv *v);

#endif
