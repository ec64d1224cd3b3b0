// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws bars of text, one for the ratio of each size. In a UTF-8 locale the bars are
 * block characters, exact to an eighth of a column; elsewhere they are number signs.
 */
#include <langinfo.h>
#include <string.h>

#include "advise/advice.h"
#include "advise/bars.h"
#include "base/global.h"
#include "base/page.h"

#define BAR_MIN		10

static void put_bar(double ratio, size_t width)
{
	static const char *const eighths[] = {
		"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
	};
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	size_t n = ratio * width * 8 + 0.5, i;

	if (!utf8)
		n = (n + 4) / 8 * 8;
	for (i = 0; i < n / 8; i++)
		fputs(utf8 ? "█" : "#", stdout);
	fputs(eighths[n % 8], stdout);
}

static size_t longer(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

/*
 * Each row is a line "  SIZE LABEL  HIT% BAR <-" that fits into the page, unless the
 * shortest bars need more. The arrow is at rows that are chosen. HEADING stands above the
 * labels. An empty line comes before the rows and one after them.
 */
void plot_bars(const struct rx_plot_row *rows, size_t n, const char *heading)
{
	size_t size = strlen("SIZE"), label = rx.noheadings ? 0 : strlen(heading);
	size_t mark = 0, used, bar, width = page_width(), i;

	for (i = 0; i < n; i++) {
		size = longer(size, rows[i].size);
		label = longer(label, rows[i].label);
		if (rows[i].chosen)
			mark = strlen("<-");
	}
	used = 2 + size + 1 + label + 1 + 5 + 1 + mark + 1;
	bar = width > used + BAR_MIN ? width - used : BAR_MIN;
	putchar('\n');
	if (!rx.noheadings)
		printf("  %*s %-*s %5s\n", (int)size, "SIZE", (int)label, heading, "HIT%");
	for (i = 0; i < n; i++) {
		printf("  %*s %-*s %5.1f", (int)size, rows[i].size, (int)label,
		       rows[i].label, rows[i].ratio * 100);
		if (rows[i].ratio > 0 || rows[i].chosen)
			putchar(' ');
		put_bar(rows[i].ratio, bar);
		puts(rows[i].chosen ? " <-" : "");
	}
	putchar('\n');
}
