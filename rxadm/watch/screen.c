// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the bytes that draw the screen of top. They depend only on what was measured, on
 * the order that the user chose and on the size of the screen. Only ASCII is drawn, except
 * that names of origins are shown as far as the locale can.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/page.h"
#include "base/tty.h"
#include "base/units.h"
#include "show/out.h"
#include "watch/sample.h"
#include "watch/screen.h"

#define HEADS	4	/* lines above the rows */
#define RATE(name, type, field) COL(rx_rate, name, NULL, NULL, type, field, NULL, 0, "")

/* Where the screen is narrow, the last columns are left out. */
static const struct column {
	struct rx_col col;
	size_t width;
	char key;		/* sorts by this column; 0: none */
} cols[] = {
	{ RATE("NAME", COL_TEXT, name), 6, 'n' },
	{ RATE("STATE", COL_TEXT, state), 8, 0 },
	{ RATE("HIT%", COL_RATIO, hit), 5, 'h' },
	{ RATE("R/S", COL_RATE, reads), 6, 'r' },
	{ RATE("RMIB/S", COL_MIB, read_bytes), 6, 0 },
	{ RATE("W/S", COL_RATE, writes), 6, 'w' },
	{ RATE("WMIB/S", COL_MIB, write_bytes), 6, 0 },
	{ RATE("R-TIME", COL_US, read_ns), 6, 't' },
	{ RATE("W-TIME", COL_US, write_ns), 6, 0 },
	{ RATE("USED", COL_SIZE, used), 6, 'u' },
	{ RATE("ORIGIN", COL_TEXT, origin), 6, 0 },
};

struct screen {
	FILE *to;
	size_t width;
	size_t y, end;		/* lines that are drawn; lines that may be */
	size_t left;		/* columns of the present line */
};

static void blank(struct screen *screen, size_t n)
{
	for (; n && screen->left; n--, screen->left--)
		fputc(' ', screen->to);
}

/*
 * Draws as much of TEXT as fits, with a question mark for each character that could move
 * the cursor.
 */
static void put(struct screen *screen, const char *text)
{
	size_t len = strlen(text), n;
	mbstate_t state = { 0 };
	wchar_t wc;
	int w;

	for (; len; text += n, len -= n) {
		n = mbrtowc(&wc, text, len, &state);
		w = n <= len && n ? wcwidth(wc) : -1;
		if (w <= 0) {
			memset(&state, 0, sizeof(state));
			n = n <= len && n ? n : 1;
		}
		if ((w > 0 ? (size_t)w : 1) > screen->left)
			return;
		fwrite(w > 0 ? text : "?", 1, w > 0 ? n : 1, screen->to);
		screen->left -= w > 0 ? w : 1;
	}
}

static void begin_line(struct screen *screen, bool reverse)
{
	fprintf(screen->to, "\033[%zu;1H%s", ++screen->y,
		reverse ? "\033[7m" : "");
	screen->left = screen->width;
}

static void end_line(struct screen *screen, bool reverse)
{
	blank(screen, screen->left);
	fputs(reverse ? "\033[m" : "", screen->to);
}

__attribute__((format(printf, 3, 4)))
static void put_line(struct screen *screen, bool reverse, const char *fmt, ...)
{
	char text[512];		/* messages, the longest, have 256 */
	va_list ap;

	if (screen->y == screen->end)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	begin_line(screen, reverse);
	put(screen, text);
	end_line(screen, reverse);
}

/* Draws a row, or the heading if there is none. A number is drawn whole or not at all. */
static void put_row(struct screen *screen, const struct rx_rate *row)
{
	const struct rx_col *col;
	size_t c, len, pad;
	char *text;
	bool red;

	if (screen->y == screen->end)
		return;
	begin_line(screen, !row);
	for (c = 0; c < ARRAY_SIZE(cols); c++) {
		col = &cols[c].col;
		text = row ? cell_text(col, row) : mem_dup(col->name);
		len = strlen(text);
		pad = len < cols[c].width ? cols[c].width - len : 0;
		if (col_right(col) && pad + len >= screen->left) {
			free(text);
			break;
		}
		blank(screen, (c > 0) + (col_right(col) ? pad : 0));
		red = row && cell_trouble(col, text);
		fputs(red ? trouble_on(STDOUT_FILENO) : "", screen->to);
		put(screen, text);
		fputs(red ? trouble_off(STDOUT_FILENO) : "", screen->to);
		blank(screen, col_right(col) ? 0 : pad);
		free(text);
	}
	end_line(screen, !row);
}

static void put_help(struct screen *screen)
{
	char keys[128] = "";
	size_t c, len = 0;

	for (c = 0; c < ARRAY_SIZE(cols); c++)
		if (cols[c].key)
			len += snprintf(keys + len, sizeof(keys) - len, "  %c %s", cols[c].key,
					cols[c].col.name);
	put_line(screen, true, "q quit  sort by:%s", keys);
}

/* Sorts by the column of KEY, if there is one. */
void screen_key(struct rx_top *top, int key)
{
	size_t c;

	for (c = 0; c < ARRAY_SIZE(cols); c++)
		if (cols[c].key && cols[c].key == key)
			top->sort = c;
}

static double measure(const struct rx_rate *r, size_t sort)
{
	const void *field = (const char *)r + cols[sort].col.off;

	switch (cols[sort].col.type) {
	case COL_TEXT:
		return 0;
	case COL_SIZE:
		return *(const uint64_t *)field == RX_NONE ? -1 : (double)*(const uint64_t *)field;
	default:
		return *(const double *)field;
	}
}

/* Puts the largest first, unknown ones last, and equal ones in the order of their names. */
static int compare(const void *a, const void *b, void *sort)
{
	const struct rx_rate *x = a, *y = b;
	double p = measure(x, *(size_t *)sort), q = measure(y, *(size_t *)sort);

	if (p < q || q < p)
		return p < q ? 1 : -1;
	return x->family != y->family ? (int)x->family - (int)y->family :
		atoi(x->name + 3) - atoi(y->name + 3);
}

/*
 * Sorts the rows, and returns the bytes that draw them on a terminal of this size; the
 * caller frees them.
 */
char *screen_draw(size_t width, size_t height, const struct rx_top *top,
		  struct rx_rates *rates)
{
	struct screen screen = { .width = width, .end = height > 1 ? height - 1 : 1 };
	char *bytes, interval[32], rows[64] = "";
	size_t i, sort = top->sort;

	qsort_r(rates->rows, rates->n, sizeof(*rates->rows), compare, &sort);
	if (rates->n + HEADS > screen.end && screen.end > HEADS)
		snprintf(rows, sizeof(rows), "  %zu of %zu rows", screen.end - HEADS, rates->n);
	screen.to = mem_open(&bytes);
	put_line(&screen, false, "rxadm top  %s  every %s  by %s%s", top->time,
		 time_print(top->interval_ns, interval, sizeof(interval)),
		 cols[sort].col.name, rows);
	put_line(&screen, false, "memory  %s of %s in disks, %s in indexes; %s of %s available",
		 page_size(rates->used), page_size(rates->size), page_size(rates->index),
		 page_size(rates->available), page_size(rates->memory));
	if (*top->message || !rates->compressed_memory)
		put_line(&screen, false, "%s", top->message);
	else
		put_line(&screen, false, "compressed  %s of blocks in %s, %.1f times smaller",
			 page_size(rates->compressed), page_size(rates->compressed_memory),
			 ratio_of(rates->compressed, rates->compressed_memory));
	put_row(&screen, NULL);
	for (i = 0; i < rates->n; i++)
		put_row(&screen, &rates->rows[i]);
	while (screen.y < screen.end)
		put_line(&screen, false, " ");
	screen.end = height;
	put_help(&screen);
	mem_close(screen.to);
	return bytes;
}
