// SPDX-License-Identifier: GPL-2.0-only
/* Numbers and paragraphs of pages for people. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "mem.h"
#include "page.h"
#include "units.h"

#define WIDTH_DEFAULT	80
#define WIDTH_MAX	120	/* longer lines are hard to read */
#define INDENT		2

static char *buffer(void)
{
	static char bufs[16][32];
	static unsigned int next;

	return bufs[next++ % ARRAY_SIZE(bufs)];
}

/* A counter that the kernel lacks is 0. */
const char *page_count(uint64_t n)
{
	char *buf = buffer();

	snprintf(buf, 32, "%" PRIu64, or_zero(n));
	return buf;
}

const char *page_size(uint64_t bytes)
{
	if (bytes == RX_NONE)
		return "?";
	return rx.bytes ? page_count(bytes) : size_print(bytes, buffer(), 32);
}

/* "71 %"; only an exact 0 or 1 is shown as none or all. */
const char *page_percent(double ratio)
{
	char *buf;

	if (ratio > 0 && ratio < 0.005)
		return "under 1 %";
	if (ratio < 1 && ratio >= 0.995)
		return "over 99 %";
	buf = buffer();
	snprintf(buf, 32, "%.0f %%", ratio * 100);
	return buf;
}

const char *page_span(double ns)
{
	return span_print(ns, buffer(), 32);
}

/* "3.3 us"; from 100 seconds on as page_span(). */
const char *page_time(double ns)
{
	const char *span = page_span(ns);
	int digits = strspn(span, "0123456789.");
	char *buf;

	if (span[strlen(span) - 1] != 's')
		return span;
	buf = buffer();
	snprintf(buf, 32, "%.*s %s", digits, span, span + digits);
	return buf;
}

/* Width of the terminal, or 80 columns for a file or a pipe. */
size_t page_width(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_DEFAULT;
	return size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX;
}

/*
 * On a terminal lines are broken between words; elsewhere a paragraph is a
 * line.
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
