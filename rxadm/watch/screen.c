// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the bytes that draw the screen of top. The bytes depend only on what was
 * measured, what the user chose and the size of the screen. Only ASCII is drawn, except
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
#include "show/columns.h"
#include "show/out.h"
#include "watch/columns.h"
#include "watch/keys.h"
#include "watch/rates.h"
#include "watch/screen.h"
#include "watch/top.h"

#define MIN_WIDTH	20
#define MIN_HEIGHT	3
#define MAX_COLS	32
#define CUT_WIDTH	8	/* the last column may be cut to this */

/*
 * These columns are left out where there is no room, in this order. After them the last
 * column goes.
 */
static const char *const dropped[] = {
	"ALL%", "ORIGIN", "W-MS", "R-MS", "SIZE", "WMIB/S", "RMIB/S", "STATE",
	"W/S", "R/S", "HIT%",
};

/* Widths that keep the columns in place from one sample to the next. */
static const struct {
	const char *name;
	size_t width;
} usual[] = {
	{ "NAME", 6 }, { "STATE", 6 }, { "SIZE", 5 }, { "USED", 6 },
	{ "HIT%", 5 }, { "ALL%", 5 }, { "R/S", 5 }, { "W/S", 5 },
	{ "R-MS", 5 }, { "W-MS", 5 },
};

struct screen {
	FILE *to;		/* NULL: nothing is drawn, only measured */
	size_t width;
	size_t y, end;		/* lines that are drawn; lines that may be */
	size_t left;		/* columns of the present line */
};

/*
 * Draws up to WIDTH columns of TEXT, with a question mark for each character
 * that could move the cursor. Returns the columns used.
 */
static size_t put(struct screen *screen, const char *text, size_t width)
{
	size_t used = 0, len = strlen(text), n;
	mbstate_t state = { 0 };
	bool shown;
	wchar_t wc;
	int w;

	if (width > screen->left)
		width = screen->left;
	while (len) {
		n = mbrtowc(&wc, text, len, &state);
		w = n <= len && n ? wcwidth(wc) : -1;
		shown = w > 0;
		if (!shown) {
			memset(&state, 0, sizeof(state));
			n = n <= len && n ? n : 1;
			w = 1;
		}
		if (used + w > width)
			break;
		if (screen->to)
			fwrite(shown ? text : "?", 1, shown ? n : 1, screen->to);
		used += w;
		text += n;
		len -= n;
	}
	screen->left -= used;
	return used;
}

static void fill(struct screen *screen, size_t n)
{
	for (; n && screen->left; n--, screen->left--)
		fputc(' ', screen->to);
}

static size_t width_of(const char *text)
{
	struct screen none = { .left = 127 };

	return put(&none, text, none.left);
}

static void begin_line(struct screen *screen, bool reverse)
{
	fprintf(screen->to, "\033[%zu;1H%s", ++screen->y,
		reverse ? "\033[7m" : "");
	screen->left = screen->width;
}

static void end_line(struct screen *screen, bool reverse)
{
	fill(screen, screen->left);
	fputs(reverse ? "\033[m" : "", screen->to);
}

static void put_line(struct screen *screen, bool reverse, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

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
	put(screen, text, screen->width);
	end_line(screen, reverse);
}

static void put_blank(struct screen *screen)
{
	while (screen->y < screen->end)
		put_line(screen, false, " ");
}

/* Prints units even with --bytes, because the line has no room for more. */
static const char *size(uint64_t bytes)
{
	char buf[32];

	return bytes == RX_NONE ? "?" : page_text("%s", size_print(bytes, buf, sizeof(buf)));
}

static const char *sum(double value, const char *fmt, double unit)
{
	return value < 0 ? "-" : page_text(fmt, value / unit);
}

/* Prints one line into MEMORY and one into SUMS, of up to LEN bytes each. */
void top_summary(const struct rx_total *t, char *memory, char *sums, size_t len)
{
	snprintf(memory, len,
		 "memory  %s of %s in %zu disk%s, index of %zu cache%s %s; %s of %s available, %s free",
		 size(t->used), size(t->size), t->disks, t->disks == 1 ? "" : "s",
		 t->caches, t->caches == 1 ? "" : "s", size(t->index),
		 size(t->available), size(t->memory), size(t->free_now));
	snprintf(sums, len, "total   %s reads/s, %s MiB/s; %s writes/s, %s MiB/s; hit %s",
		 sum(t->reads, "%.0f", 1), sum(t->read_bytes, "%.1f", 1 << 20),
		 sum(t->writes, "%.0f", 1), sum(t->write_bytes, "%.1f", 1 << 20),
		 sum(t->hit, "%.1f%%", 0.01));
}

/* The columns of the table; a width of 0 leaves one out. */
struct layout {
	const struct rx_col *cols[MAX_COLS];
	size_t widths[MAX_COLS], n;
};

/*
 * Tells whether the columns fit, and sets *LAST to the last one, where a text may be cut.
 */
static bool fits(const struct layout *l, size_t width, size_t *last)
{
	size_t c, before = 0;

	*last = 0;
	for (c = 1; c < l->n; c++) {
		if (l->widths[c]) {
			before += l->widths[*last] + 1;
			*last = c;
		}
	}
	return !*last || before + l->widths[*last] <= width ||
	       (!col_right(l->cols[*last]) && before + CUT_WIDTH <= width);
}

/* Leaves out columns until the rest fits, but never the first one. */
static void fit(struct layout *l, size_t width)
{
	size_t c, i, last;

	for (i = 0; !fits(l, width, &last); i++) {
		if (i >= ARRAY_SIZE(dropped))
			l->widths[last] = 0;
		for (c = 1; i < ARRAY_SIZE(dropped) && c < l->n; c++)
			if (!strcmp(l->cols[c]->name, dropped[i]))
				l->widths[c] = 0;
	}
}

/*
 * Sets the widths of the columns. CELLS are those of the heading and, after them, of each
 * row.
 */
static void lay_out(struct layout *l, char *const *cells, size_t n_cells, size_t width)
{
	size_t c, i, w;

	for (i = 0; i < ARRAY_SIZE(usual); i++)
		for (c = 0; c < l->n; c++)
			if (!strcmp(usual[i].name, cells[c]))
				l->widths[c] = usual[i].width;
	for (i = 0; i < n_cells; i++) {
		w = width_of(cells[i]);
		if (w > l->widths[i % l->n])
			l->widths[i % l->n] = w;
	}
	fit(l, width);
}

static void put_row(struct screen *screen, const struct layout *l,
		    char *const *cells, bool reverse)
{
	size_t c, w, used;
	bool red;

	begin_line(screen, reverse);
	for (c = 0; c < l->n; c++) {
		w = l->widths[c];
		if (!w)
			continue;
		if (c)
			fill(screen, 1);
		used = width_of(cells[c]);
		if (col_right(l->cols[c]) && used < w) {
			fill(screen, w - used);
			w = used;
		}
		red = !reverse && cell_trouble(l->cols[c], cells[c]);
		fputs(red ? trouble_on(STDOUT_FILENO) : "", screen->to);
		used = put(screen, cells[c], w);
		fputs(red ? trouble_off(STDOUT_FILENO) : "", screen->to);
		fill(screen, w - used);
	}
	end_line(screen, reverse);
}

static void put_table(struct screen *screen, const struct rx_rate *rows, size_t n)
{
	struct layout l = { .n = 0 };
	const struct rx_col *col;
	char **cells;
	size_t i;

	for (col = view_rates.cols; col->help && l.n < MAX_COLS; col++)
		if (col_chosen(&view_rates, col, rx.columns))
			l.cols[l.n++] = col;
	if (!l.n)
		return;
	cells = mem_zero((n + 1) * l.n, sizeof(*cells));
	for (i = 0; i < l.n; i++)
		cells[i] = mem_dup(l.cols[i]->name);
	for (; i < (n + 1) * l.n; i++)
		cells[i] = cell_text(l.cols[i % l.n], &rows[i / l.n - 1]);
	lay_out(&l, cells, i, screen->width);
	for (i = rx.noheadings; i <= n; i++)
		put_row(screen, &l, cells + i * l.n, !i);
	for (i = 0; i < (n + 1) * l.n; i++)
		free(cells[i]);
	free(cells);
}

static void put_help(struct screen *screen)
{
	static const char *const others[] = {
		"r       turn the order round",
		"d c a   disks, caches, all",
		"p       pause, and go on",
		"+ -     longer or shorter interval",
		"arrows, PgUp, PgDn, Home, End   scroll",
		"q       quit",
	};
	size_t i;

	for (i = 0; i < SORTS; i++)
		put_line(screen, false, "  %c       sort by %s",
			 rx_sort_keys[i].key, rx_sort_keys[i].help);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		put_line(screen, false, "  %s", others[i]);
	put_line(screen, false, " ");
	put_line(screen, false, "Any key goes back. More: man rxadm");
}

static void put_title(struct screen *screen, const struct rx_top *top)
{
	char interval[32];

	put_line(screen, false, "rxadm top  %s  every %s%s  by %s%s%s",
		 top->time, time_print(top->interval_ns, interval,
				       sizeof(interval)),
		 top->paused ? "  PAUSED" : "", rx_sort_keys[top->sort].name,
		 top->reverse ? ", reversed" : "",
		 top->disks && top->caches ? "" : top->disks ?
		 "  disks only" : "  caches only");
}

static void put_foot(struct screen *screen, const struct rx_top *top, size_t n)
{
	char where[80] = "";

	if (n > top->page)
		snprintf(where, sizeof(where), "%zu-%zu of %zu  ",
			 top->first + 1, top->first + top->page, n);
	put_line(screen, true,
		 "%sq quit  ? help  sort: n i b h m l, r reverse  d disks  c caches  a all  p pause  +/- interval",
		 where);
}

/* Draws the screen. On a low screen, lines at the top and the bottom are left out. */
static void draw(struct screen *screen, struct rx_top *top,
		 const struct rx_rates *rates)
{
	size_t n, h = screen->end;
	struct rx_rate *rows = top_rows(top, rates, &n);
	bool heads = !rx.noheadings;
	char memory[256], sums[256];

	screen->end -= h >= 6;
	top_summary(&rates->total, memory, sums, sizeof(memory));
	if (heads)
		put_title(screen, top);
	if (heads && h >= 7)
		put_line(screen, false, "%s", memory);
	if (heads && h >= 8)
		put_line(screen, false, "%s", sums);
	if (*top->message || (heads && h >= 10))
		put_line(screen, false, "%s", top->message);
	top->page = screen->end - screen->y - heads;
	if (top->first + top->page > n)
		top->first = n > top->page ? n - top->page : 0;
	if (top->help)
		put_help(screen);
	else
		put_table(screen, rows + top->first,
			  n - top->first < top->page ? n - top->first :
			  top->page);
	put_blank(screen);
	screen->end = h;
	if (h >= 6)
		put_foot(screen, top, n);
	free(rows);
}

/*
 * Returns the bytes that draw the screen on a terminal of this size; the caller
 * frees them. Sets TOP's page, and moves its first row back if that is beyond
 * the last page.
 */
char *screen_draw(size_t width, size_t height, struct rx_top *top,
		  const struct rx_rates *rates)
{
	struct screen screen = { .width = width, .end = height };
	char *bytes;

	screen.to = mem_open(&bytes);
	if (width < MIN_WIDTH || height < MIN_HEIGHT)
		put_line(&screen, false, "needs %dx%d", MIN_WIDTH, MIN_HEIGHT);
	else
		draw(&screen, top, rates);
	put_blank(&screen);
	mem_close(screen.to);
	return bytes;
}
