/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory and texts. Without memory the tool ends, so there is no error to check. */
#ifndef RXADM_MEM_H
#define RXADM_MEM_H

#include <stddef.h>

#include <stdarg.h>
#include <stdio.h>

void *mem_zero(size_t n, size_t size);
/* Returns ARRAY, which has N elements, with room for one more. */
void *mem_grow(void *array, size_t n, size_t size);
char *mem_dup(const char *text);
char *mem_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *mem_vtext(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0)));
/* Puts TO in the place of each FROM in TEXT, and returns TEXT. */
char *mem_swap(char *text, char from, char to);
/* Once the file is closed, *TEXT is what was written into it. */
FILE *mem_open(char **text);
void mem_close(FILE *f);

#endif
