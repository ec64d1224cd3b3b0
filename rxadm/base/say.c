// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints "rxadm: VERB OBJECT: words" on standard error, and keeps it for the next object of
 * JSON.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/tty.h"

static struct rx_said *said;
static size_t n_said;
static bool forget;

/* The name of a mount point, for example, must not reach the terminal raw. */
static void put_safe(const char *text)
{
	char *safe = visible(text);

	fputs(safe, stderr);
	free(safe);
}

/* Keeps TEXT, which it frees later. */
static void keep(const char *verb, const char *object, char *text)
{
	if (forget) {
		free(text);
		return;
	}
	said = mem_grow(said, n_said, sizeof(*said));
	said[n_said++] = (struct rx_said){
		.verb = verb ? mem_dup(verb) : NULL,
		.object = verb && object && *object ? mem_dup(object) : NULL,
		.text = text,
	};
}

__attribute__((format(printf, 4, 0)))
static void put(bool trouble, const char *verb, const char *object, const char *fmt, va_list ap)
{
	char *text = mem_vtext(fmt, ap);

	progress_hide();
	fflush(stdout);
	fprintf(stderr, "%srxadm:%s ", trouble ? trouble_on(STDERR_FILENO) : "",
		trouble ? trouble_off(STDERR_FILENO) : "");
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
	keep(verb, object, text);
}

/* VERB and OBJECT may be NULL. */
void say(const char *verb, const char *object, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(true, verb, object, fmt, ap);
	va_end(ap);
}

void say_hint(const char *verb, const char *object, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(false, verb, object, fmt, ap);
	va_end(ap);
}

/* Prints "FILE:LINE: words". */
void say_line(const char *file, unsigned int line, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vtext(fmt, ap);
	va_end(ap);
	progress_hide();
	fflush(stdout);
	put_safe(file);
	fprintf(stderr, ":%u: ", line);
	put_safe(text);
	fputc('\n', stderr);
	keep(NULL, NULL, mem_text("%s:%u: %s", file, line, text));
	free(text);
}

/* Keeps what a process of ours has printed. VERB and OBJECT may be NULL. */
void said_add(const char *verb, const char *object, const char *text)
{
	keep(verb, object, mem_dup(text ? text : ""));
}

/* Calls PUT for each message since the last call, and forgets them. Returns their number. */
size_t said_take(void (*put)(const struct rx_said *said, void *arg), void *arg)
{
	size_t n = n_said, i;

	for (i = 0; i < n; i++) {
		put(&said[i], arg);
		free(said[i].verb);
		free(said[i].object);
		free(said[i].text);
	}
	n_said = 0;
	return n;
}

/* Tells whether there is a message since the last call of said_take(). */
bool said_any(void)
{
	return n_said;
}

/* There will be no JSON, so a verb that runs for days need not keep what it says. */
void said_forget(void)
{
	forget = true;
}
