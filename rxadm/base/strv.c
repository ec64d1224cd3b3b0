// SPDX-License-Identifier: GPL-2.0-only
/* A list of strings that grows. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strv.h"

bool matches_any(const char *text, const char *const *patterns)
{
	while (*patterns && fnmatch(*patterns, text, 0))
		patterns++;
	return *patterns;
}

static void add(struct rx_strv *v, char *text)
{
	v->v = mem_grow(v->v, v->n + 1, sizeof(*v->v));
	v->v[v->n++] = text;
	v->v[v->n] = NULL;
}

void strv_add(struct rx_strv *v, const char *text)
{
	add(v, mem_dup(text));
}

void strv_print(struct rx_strv *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(v, mem_vtext(fmt, ap));
	va_end(ap);
}

bool strv_has(const struct rx_strv *v, const char *text)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (!strcmp(v->v[i], text))
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct rx_strv *v)
{
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), compare);
}

/* Returns the strings as one text, which the caller frees. */
char *strv_join(const struct rx_strv *v, const char *between)
{
	char *text;
	FILE *f = mem_open(&text);
	size_t i;

	for (i = 0; i < v->n; i++)
		fprintf(f, "%s%s", i ? between : "", v->v[i]);
	mem_close(f);
	return text;
}

void strv_free(struct rx_strv *v)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		free(v->v[i]);
	free(v->v);
	*v = (struct rx_strv){ 0 };
}
