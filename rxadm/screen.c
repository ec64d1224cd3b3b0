// SPDX-License-Identifier: GPL-2.0-only
/*
 * The screen of top as lines of text: a pure function of what was measured,
 * what the user chose and the size. Only ASCII is drawn; names of origins are
 * shown as the locale can.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "out.h"
#include "top.h"
#include "units.h"

#define MIN_WIDTH	20
#define MIN_HEIGHT	3
#define MAX_COLS	32
#define CUT_WIDTH	8	/* the last column may be cut to this */

/* What goes first where there is no room; then the last column. */
static const char *const dropped[] = {
	"ALL%", "ORIGIN", "W-MS", "R-MS", "SIZE", "WMIB/S", "RMIB/S", "STATE",
	"W/S", "R/S", "HIT%",
};

/* So that columns do not jump with every sample. */
static const struct {
	const char *name;
	size_t width;
} usual[] = {
	{ "NAME", 6 }, { "STATE", 6 }, { "SIZE", 5 }, { "USED", 6 },
	{ "HIT%", 5 }, { "ALL%", 5 }, { "R/S", 5 }, { "RMIB/S", 6 },
	{ "W/S", 5 }, { "WMIB/S", 6 }, { "R-MS", 5 }, { "W-MS", 5 },
};

/* One line that is being written; what does not fit is cut off. */
struct pen {
	char *at;
	size_t left;
};

/* Up to WIDTH columns of TEXT, without what could move the cursor. */
static size_t put(struct pen *pen, const char *text, size_t width)
{
	size_t used = 0, len = strlen(text), n;
	mbstate_t state = { 0 };
	wchar_t wc;
	int w;

	while (len) {
		n = mbrtowc(&wc, text, len, &state);
		w = n <= len && n ? wcwidth(wc) : -1;
		if (w <= 0) {
			memset(&state, 0, sizeof(state));
			n = n <= len && n ? n : 1;
			w = 1;
			wc = 0;
		}
		if (used + w > width || (size_t)w > pen->left)
			break;
		if (wc)
			memcpy(pen->at, text, n);
		else
			*pen->at = '?';
		pen->at += wc ? n : 1;
		pen->left -= w;
		used += w;
		text += n;
		len -= n;
	}
	*pen->at = '\0';
	return used;
}

static void fill(struct pen *pen, size_t n)
{
	for (; n && pen->left; n--, pen->left--)
		*pen->at++ = ' ';
	*pen->at = '\0';
}

static size_t width_of(const char *text)
{
	char buf[128 * MB_LEN_MAX];
	struct pen pen = { buf, 127 };

	return put(&pen, text, 127);
}

static void put_line(struct rx_screen *screen, size_t *y, bool reverse,
		     const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void put_line(struct rx_screen *screen, size_t *y, bool reverse,
		     const char *fmt, ...)
{
	struct pen pen;
	va_list ap;
	char *text;

	if (*y >= screen->height)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	pen = (struct pen){ screen->lines[*y], screen->width };
	put(&pen, text, screen->width);
	fill(&pen, screen->width);
	screen->reverse[(*y)++] = reverse;
	free(text);
}

static const char *size(uint64_t bytes, char *buf, size_t len)
{
	return bytes == RX_NONE ? "?" : size_print(bytes, buf, len);
}

static const char *sum(double value, const char *fmt, double unit, char *buf,
		       size_t len)
{
	if (value < 0)
		return "-";
	snprintf(buf, len, fmt, value / unit);
	return buf;
}

/* Two lines of LEN bytes. */
void top_summary(const struct rx_total *t, char *memory, char *sums, size_t len)
{
	char a[5][32], b[5][32];

	snprintf(memory, len,
		 "memory  %s of %s in %zu disk%s, index of %zu cache%s %s; %s of %s available, %s free",
		 size(t->used, a[0], 32), size(t->size, a[1], 32), t->disks,
		 t->disks == 1 ? "" : "s", t->caches, t->caches == 1 ? "" : "s",
		 size(t->index, a[2], 32), size(t->available, a[4], 32),
		 size(t->memory, a[3], 32), size(t->free_now, b[0], 32));
	snprintf(sums, len,
		 "total   %s reads/s, %s MiB/s; %s writes/s, %s MiB/s; hit %s",
		 sum(t->reads, "%.0f", 1, a[0], 32),
		 sum(t->read_bytes, "%.1f", 1 << 20, a[1], 32),
		 sum(t->writes, "%.0f", 1, a[2], 32),
		 sum(t->write_bytes, "%.1f", 1 << 20, a[3], 32),
		 sum(t->hit, "%.1f%%", 0.01, b[1], 32));
}

struct layout {
	const struct rx_col *cols[MAX_COLS];
	size_t widths[MAX_COLS], n;
};

static void drop(struct layout *l, size_t i)
{
	l->n--;
	memmove(l->cols + i, l->cols + i + 1, (l->n - i) * sizeof(*l->cols));
	memmove(l->widths + i, l->widths + i + 1,
		(l->n - i) * sizeof(*l->widths));
}

static void drop_one(struct layout *l)
{
	size_t i, c;

	for (i = 0; i < ARRAY_SIZE(dropped); i++) {
		for (c = 1; c < l->n; c++) {
			if (!strcmp(l->cols[c]->name, dropped[i])) {
				drop(l, c);
				return;
			}
		}
	}
	drop(l, l->n - 1);
}

/* Columns are left out until the rest fits; a text that is last may be cut. */
static void fit(struct layout *l, size_t width)
{
	size_t i, total, last;

	for (;;) {
		last = l->n - 1;
		for (i = total = 0; i < last; i++)
			total += l->widths[i] + 1;
		if (total + l->widths[last] <= width)
			return;
		if (l->n == 1 ||
		    (!col_right(l->cols[last]) && total + CUT_WIDTH <= width))
			return;
		drop_one(l);
	}
}

static void lay_out(struct layout *l, char **cells, size_t rows, size_t width)
{
	const struct rx_col *col;
	size_t c, i, w;

	for (c = 0; c < l->n; c++) {
		col = l->cols[c];
		l->widths[c] = strlen(col->name);
		for (i = 0; i < ARRAY_SIZE(usual); i++)
			if (!strcmp(usual[i].name, col->name) &&
			    usual[i].width > l->widths[c])
				l->widths[c] = usual[i].width;
		for (i = 0; i < rows; i++) {
			w = width_of(cells[i * MAX_COLS + c]);
			if (w > l->widths[c])
				l->widths[c] = w;
		}
	}
	fit(l, width);
}

/* CELLS are those of ALL, of which L has the columns that fit. */
static void put_row(struct rx_screen *screen, size_t *y, bool heading,
		    const struct layout *l, const struct layout *all,
		    char *const *cells)
{
	struct pen pen = { screen->lines[*y], screen->width };
	const char *text;
	size_t c, i, w;

	for (c = i = 0; c < l->n; c++, i++) {
		while (all->cols[i] != l->cols[c])
			i++;
		text = heading ? l->cols[c]->name : cells[i];
		w = width_of(text);
		if (c)
			fill(&pen, 1);
		if (col_right(l->cols[c]) && w < l->widths[c])
			fill(&pen, l->widths[c] - w);
		w = put(&pen, text, l->widths[c]);
		if (!col_right(l->cols[c]))
			fill(&pen, l->widths[c] - w);
	}
	fill(&pen, screen->width);
	screen->reverse[(*y)++] = heading;
}

static void put_table(struct rx_screen *screen, size_t *y,
		      const struct rx_rate **rows, size_t n)
{
	struct layout all = { .n = 0 }, l;
	const struct rx_col *col;
	char **cells;
	size_t i, c;

	for (col = view_rates.cols; col->help && all.n < MAX_COLS; col++)
		if (col_chosen(&view_rates, col, rx.columns))
			all.cols[all.n++] = col;
	if (!all.n)
		return;
	cells = calloc(n + 1, MAX_COLS * sizeof(*cells));
	if (!cells)
		abort();
	for (i = 0; i < n; i++)
		for (c = 0; c < all.n; c++)
			cells[i * MAX_COLS + c] = cell_text(all.cols[c],
							    rows[i]);
	l = all;
	lay_out(&l, cells, n, screen->width);
	if (!rx.noheadings)
		put_row(screen, y, true, &l, &all, NULL);
	for (i = 0; i < n; i++)
		put_row(screen, y, false, &l, &all, cells + i * MAX_COLS);
	for (i = 0; i < n * MAX_COLS; i++)
		free(cells[i]);
	free(cells);
}

static void put_help(struct rx_screen *screen, size_t *y)
{
	int i;

	for (i = 0; i < SORTS; i++)
		put_line(screen, y, false, "  %c       sort by %s",
			 rx_sort_keys[i].key, rx_sort_keys[i].help);
	put_line(screen, y, false, "  r       turn the order round");
	put_line(screen, y, false, "  d c a   disks, caches, all");
	put_line(screen, y, false, "  p       pause, and go on");
	put_line(screen, y, false, "  + -     longer or shorter interval");
	put_line(screen, y, false,
		 "  arrows, PgUp, PgDn, Home, End   scroll");
	put_line(screen, y, false, "  q       quit");
	put_line(screen, y, false, "%s", "");
	put_line(screen, y, false, "Any key goes back. More: man rxadm");
}

static void put_title(struct rx_screen *screen, size_t *y,
		      const struct rx_top *top)
{
	char interval[32];

	put_line(screen, y, false, "rxadm top  %s  every %s%s  by %s%s%s",
		 top->time, time_print(top->interval_ns, interval,
				       sizeof(interval)),
		 top->paused ? "  PAUSED" : "", rx_sort_keys[top->sort].name,
		 top->reverse ? ", reversed" : "",
		 top->disks && top->caches ? "" : top->disks ?
		 "  disks only" : "  caches only");
}

static void put_foot(struct rx_screen *screen, const struct rx_top *top,
		     size_t n)
{
	size_t y = screen->height - 1;
	char where[80] = "";

	if (n > top->page)
		snprintf(where, sizeof(where), "%zu-%zu of %zu  ",
			 top->first + 1, top->first + top->page, n);
	put_line(screen, &y, true,
		 "%sq quit  ? help  sort: n i b h m l, r reverse  d disks  c caches  a all  p pause  +/- interval",
		 where);
}

/*
 * Sets TOP's page, and its first row back if that is beyond the last page.
 * Lines at the top and the bottom are left out on a low screen.
 */
void screen_draw(struct rx_screen *screen, struct rx_top *top,
		 const struct rx_rates *rates)
{
	size_t y = 0, n, h = screen->height, end = h - (h >= 6);
	bool heads = !rx.noheadings;
	const struct rx_rate **rows;
	char memory[256], sums[256];

	if (screen->width < MIN_WIDTH || h < MIN_HEIGHT) {
		put_line(screen, &y, false, "needs %dx%d", MIN_WIDTH,
			 MIN_HEIGHT);
		while (y < h)
			put_line(screen, &y, false, "%s", "");
		return;
	}
	n = top_rows(top, rates, &rows);
	top_summary(&rates->total, memory, sums, sizeof(memory));
	if (heads)
		put_title(screen, &y, top);
	if (heads && h >= 7)
		put_line(screen, &y, false, "%s", memory);
	if (heads && h >= 8)
		put_line(screen, &y, false, "%s", sums);
	if (*top->message || (heads && h >= 10))
		put_line(screen, &y, false, "%s", top->message);
	top->page = end - y - heads;
	if (top->first + top->page > n)
		top->first = n > top->page ? n - top->page : 0;
	if (top->help)
		put_help(screen, &y);
	else
		put_table(screen, &y, rows + top->first,
			  n - top->first < top->page ? n - top->first :
			  top->page);
	while (y < end)
		put_line(screen, &y, false, "%s", "");
	if (end < h)
		put_foot(screen, top, n);
	free(rows);
}

void screen_free(struct rx_screen *screen)
{
	size_t i;

	for (i = 0; i < screen->height; i++)
		free(screen->lines[i]);
	free(screen->lines);
	free(screen->reverse);
	memset(screen, 0, sizeof(*screen));
}

/* Whether the size is another one. */
bool screen_resize(struct rx_screen *screen, size_t width, size_t height)
{
	size_t i;

	if (screen->lines && width == screen->width &&
	    height == screen->height)
		return false;
	screen_free(screen);
	screen->width = width;
	screen->height = height;
	screen->lines = calloc(height + 1, sizeof(*screen->lines));
	screen->reverse = calloc(height + 1, sizeof(*screen->reverse));
	if (!screen->lines || !screen->reverse)
		abort();
	for (i = 0; i < height; i++) {
		screen->lines[i] = calloc(width + 1, MB_LEN_MAX);
		if (!screen->lines[i])
			abort();
	}
	return true;
}

/* What a terminal shows as these lines; the caller frees it. */
char *screen_bytes(const struct rx_screen *screen, size_t *len)
{
	char *bytes = NULL;
	FILE *f = open_memstream(&bytes, len);
	size_t i;

	if (!f)
		abort();
	for (i = 0; i < screen->height; i++)
		fprintf(f, "\033[%zu;1H%s%s%s", i + 1,
			screen->reverse[i] ? "\033[7m" : "", screen->lines[i],
			screen->reverse[i] ? "\033[m" : "");
	if (fclose(f))
		abort();
	return bytes;
}
