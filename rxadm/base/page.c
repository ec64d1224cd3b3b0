// SPDX-License-Identifier: GPL-2.0-only
/* Numbers and paragraphs of pages for people. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/page.h"
#include "base/tty.h"
#include "base/units.h"

#define WIDTH_MAX	120	/* longer lines are hard to read */
#define INDENT		2

const char *page_text(const char *fmt, ...)
{
	static char texts[16][128];
	static unsigned int next;
	char *text = texts[next++ % ARRAY_SIZE(texts)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(texts[0]), fmt, ap);
	va_end(ap);
	return text;
}

/* A counter that the kernel lacks is shown as 0. */
const char *page_count(uint64_t n)
{
	return page_text("%" PRIu64, or_zero(n));
}

const char *page_bad(uint64_t n)
{
	return page_text("%s%s%s", or_zero(n) ? trouble_on(STDOUT_FILENO) : "", page_count(n),
			 or_zero(n) ? trouble_off(STDOUT_FILENO) : "");
}

/* Returns the name of a state or a mode, in the colour of trouble if it is one. */
const char *page_state(const char *state)
{
	bool bad = trouble_word(state);

	return page_text("%s%s%s", bad ? trouble_on(STDOUT_FILENO) : "", state,
			 bad ? trouble_off(STDOUT_FILENO) : "");
}

const char *page_size(uint64_t bytes)
{
	char buf[32];

	if (bytes == RX_NONE)
		return "?";
	return rx.bytes ? page_count(bytes) :
	       page_text("%s", size_print(bytes, buf, sizeof(buf)));
}

/* Returns "71 %". Only an exact 0 or 1 is shown as 0 % or 100 %. */
const char *page_percent(double ratio)
{
	if (ratio > 0 && ratio < 0.005)
		return "under 1 %";
	if (ratio < 1 && ratio >= 0.995)
		return "over 99 %";
	return page_text("%.0f %%", ratio * 100);
}

const char *page_span(double ns)
{
	char buf[32];

	return page_text("%s", span_print(ns, buf, sizeof(buf)));
}

/* Returns "3.3 us"; from 100 seconds on the same as page_span(). */
const char *page_time(double ns)
{
	const char *span = page_span(ns);
	int digits = strspn(span, "0123456789.");

	if (span[strlen(span) - 1] != 's')
		return span;
	return page_text("%.*s %s", digits, span, span + digits);
}

/* Returns the width of the terminal, or 80 columns for a file or a pipe. */
size_t page_width(void)
{
	size_t width = tty_width(STDOUT_FILENO);

	return width < WIDTH_MAX ? width : WIDTH_MAX;
}

/*
 * Prints a paragraph. On a terminal its lines are broken between words; elsewhere it is
 * one line.
 */
void page_para(const char *fmt, ...)
{
	size_t width = isatty(STDOUT_FILENO) ? page_width() : SIZE_MAX;
	size_t at = INDENT, len;
	char *text, *word;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vtext(fmt, ap);
	va_end(ap);
	printf("%*s", INDENT, "");
	for (word = text; *word; word += len + (word[len] == ' ')) {
		len = strcspn(word, " ");
		if (at > INDENT && at + 1 + len > width) {
			printf("\n%*s", INDENT, "");
			at = INDENT;
		} else if (at > INDENT) {
			putchar(' ');
			at++;
		}
		fwrite(word, 1, len, stdout);
		at += len;
	}
	putchar('\n');
	free(text);
}
