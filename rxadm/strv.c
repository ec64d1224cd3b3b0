// SPDX-License-Identifier: GPL-2.0-only
/* A list of strings that grows. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "strv.h"

void strv_add(struct rx_strv *v, const char *text)
{
	v->v = reallocarray(v->v, v->n + 1, sizeof(*v->v));
	if (!v->v)
		abort();
	v->v[v->n] = strdup(text);
	if (!v->v[v->n++])
		abort();
}

bool strv_has(const struct rx_strv *v, const char *text)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (!strcmp(v->v[i], text))
			return true;
	return false;
}

void strv_free(struct rx_strv *v)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		free(v->v[i]);
	free(v->v);
	v->v = NULL;
	v->n = 0;
}
