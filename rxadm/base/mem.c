// SPDX-License-Identifier: GPL-2.0-only
/* Memory and texts. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void *mem_zero(size_t n, size_t size)
{
	return must(calloc(n ? n : 1, size));
}

void *mem_grow(void *array, size_t n, size_t size)
{
	return must(reallocarray(array, n + 1, size));
}

char *mem_dup(const char *text)
{
	return must(strdup(text));
}

char *mem_vtext(const char *fmt, va_list ap)
{
	char *text;

	return vasprintf(&text, fmt, ap) < 0 ? must(NULL) : text;
}

char *mem_text(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vtext(fmt, ap);
	va_end(ap);
	return text;
}

char *mem_swap(char *text, char from, char to)
{
	char *p = text;

	while ((p = strchr(p, from)))
		*p++ = to;
	return text;
}

FILE *mem_open(char **text)
{
	static size_t size;	/* the text ends in a zero byte */

	return must(open_memstream(text, &size));
}

void mem_close(FILE *f)
{
	if (fclose(f))
		abort();
}
