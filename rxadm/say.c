// SPDX-License-Identifier: GPL-2.0-only
/* Prints "rxadm: VERB OBJECT: words" on standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem.h"
#include "say.h"

/*
 * Replaces control characters: for example, the name of a mount point must not reach the
 * terminal raw.
 */
static void put_safe(const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' :
		      *text, stderr);
}

/* VERB and OBJECT may be NULL. */
void say(const char *verb, const char *object, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vtext(fmt, ap);
	va_end(ap);
	fflush(stdout);
	fputs("rxadm: ", stderr);
	if (verb) {
		put_safe(verb);
		if (object && *object) {
			fputc(' ', stderr);
			put_safe(object);
		}
		fputs(": ", stderr);
	}
	put_safe(text);
	fputc('\n', stderr);
	free(text);
}
