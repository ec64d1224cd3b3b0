// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bars of text: a ratio for each size. In a UTF-8 locale they are block
 * characters, exact to an eighth of a column, elsewhere number signs.
 */
#define _GNU_SOURCE
#include <langinfo.h>
#include <string.h>

#include "advice.h"

#define BAR_MIN		10

bool plot_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static void put_bar(FILE *f, double ratio, size_t width, bool utf8)
{
	static const char *const eighths[] = {
		"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
	};
	size_t n = ratio * width * 8 + 0.5, i;

	if (!utf8)
		n = (n + 4) / 8 * 8;
	for (i = 0; i < n / 8; i++)
		fputs(utf8 ? "█" : "#", f);
	fputs(eighths[n % 8], f);
}

static size_t longer(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

/*
 * Each row is a line "  SIZE LABEL  HIT% BAR MARK" of at most WIDTH columns,
 * unless the shortest bars need more. HEADING is that of the labels; NULL
 * leaves the line of headings out.
 */
void plot_bars(FILE *f, const struct rx_plot_row *rows, size_t n,
	       const char *heading, size_t width, bool utf8)
{
	size_t size = strlen("SIZE"), label = heading ? strlen(heading) : 0;
	size_t mark = 0, used, bar, i;

	for (i = 0; i < n; i++) {
		size = longer(size, rows[i].size);
		label = longer(label, rows[i].label);
		mark = longer(mark, rows[i].mark);
	}
	used = 2 + size + 1 + label + 1 + 5 + 1 + mark + 1;
	bar = width > used + BAR_MIN ? width - used : BAR_MIN;
	if (heading)
		fprintf(f, "  %*s %-*s %5s\n", (int)size, "SIZE", (int)label,
			heading, "HIT%");
	for (i = 0; i < n; i++) {
		fprintf(f, "  %*s %-*s %5.1f", (int)size, rows[i].size,
			(int)label, rows[i].label, rows[i].ratio * 100);
		if (rows[i].ratio > 0 || *rows[i].mark)
			fputc(' ', f);
		put_bar(f, rows[i].ratio, bar, utf8);
		fprintf(f, "%s%s\n", *rows[i].mark ? " " : "", rows[i].mark);
	}
}
