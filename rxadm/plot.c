// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bars of text: a ratio for each size. In a locale that has them they are drawn
 * with blocks, to an eighth of a column, and else with number signs.
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

static size_t longest(const struct rx_plot_row *rows, size_t n,
		      const char *(*text)(const struct rx_plot_row *row))
{
	size_t max = 0, i;

	for (i = 0; i < n; i++)
		if (strlen(text(&rows[i])) > max)
			max = strlen(text(&rows[i]));
	return max;
}

static const char *size_of(const struct rx_plot_row *row)
{
	return row->size;
}

static const char *label_of(const struct rx_plot_row *row)
{
	return row->label;
}

static const char *mark_of(const struct rx_plot_row *row)
{
	return row->mark;
}

/*
 * "  SIZE LABEL  HIT% BAR MARK", a line each, as long as WIDTH if that is
 * enough. HEADING is that of the labels; NULL leaves the line out.
 */
void plot_bars(FILE *f, const struct rx_plot_row *rows, size_t n,
	       const char *heading, size_t width, bool utf8)
{
	size_t size = longest(rows, n, size_of), label, used, bar, i;

	label = longest(rows, n, label_of);
	size = size < 4 ? 4 : size;
	if (heading && label < strlen(heading))
		label = strlen(heading);
	used = 2 + size + 1 + label + 1 + 5 + 1 + longest(rows, n, mark_of) + 1;
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
