// SPDX-License-Identifier: GPL-2.0-only
/* Tables for people, and lists of objects. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libsmartcols/libsmartcols.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/tty.h"
#include "base/units.h"
#include "show/columns.h"
#include "show/out.h"

#define COLS_MAX	128	/* of a view */

static const struct rx_col *col_find(const struct rx_view *view,
				     const char *name, size_t len)
{
	const struct rx_col *col;

	for (col = view->cols; col->help; col++)
		if (col->name && same_word(col->name, name, len))
			return col;
	return NULL;
}

/*
 * Tells whether COLUMNS, the text of -o, chooses a column. NULL stands for the default
 * columns.
 */
bool col_chosen(const struct rx_view *view, const struct rx_col *col,
		const char *columns)
{
	size_t len;

	if ((!columns || *columns == '+') && col->flags & COL_DEFAULT)
		return true;
	if (!columns)
		return false;
	for (columns += *columns == '+'; *columns;
	     columns += len + (columns[len] == ',')) {
		len = strcspn(columns, ",");
		if (len && col_find(view, columns, len) == col)
			return true;
	}
	return false;
}

bool view_fits(const struct rx_view *view)
{
	const char *p = rx.columns;
	size_t len;

	for (; p && *p && *p != '+'; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (!col_find(view, p, len))
			return false;
	}
	return true;
}

/* Puts each name once, with the help of the first view that has it. */
void out_columns_each(void (*put)(const char *name, const char *help),
		      const struct rx_view *const *views, size_t count)
{
	const struct rx_col *col;
	size_t i;

	for (i = 0; i < count; i++)
		for (col = views[i]->cols; col->help; col++)
			if (col->name && !(i && col_find(views[0], col->name,
							 strlen(col->name))))
				put(col->name, col->help);
}

void out_columns_list(FILE *file, const struct rx_view *view)
{
	const struct rx_col *col;

	fprintf(file, "Columns of %s (* shown by default):\n", view->key);
	for (col = view->cols; col->help; col++)
		if (col->name)
			fprintf(file, "  %c %-15s %s\n",
				col->flags & COL_DEFAULT ? '*' : ' ',
				col->name, col->help);
	fputc('\n', file);
}

/* Checks -o against the N views that are shown, and says the first mistake. */
bool out_columns_valid(const struct rx_view *const *views, size_t count)
{
	const char *names[2 * COLS_MAX], *p = rx.columns, *near, *of, *verb;
	const struct rx_col *col;
	char word[64];
	size_t len, i, n = 0;
	bool found;

	if (!p)
		return true;
	for (i = 0; i < count; i++)
		for (col = views[i]->cols; col->help; col++)
			if (col->name && n < ARRAY_SIZE(names))
				names[n++] = col->name;
	p += *p == '+';
	if (!*p || p[strlen(p) - 1] == ',') {
		usage_error("option --output: a column is missing in '%s'; say for example NAME,SIZE", rx.columns);
		return false;
	}
	for (; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		found = false;
		for (i = 0; i < count; i++)
			found = found || col_find(views[i], p, len);
		if (found)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		for (i = 0; word[i]; i++)
			word[i] = upper(word[i]);
		near = nearest(word, names, n);
		verb = views[0]->verb;
		of = count == 1 ? views[0]->key : NULL;
		if (near)
			usage_error("no column '%s'%s%s; did you mean '%s'? (rxadm %s -o help)",
				    word, of ? " of " : "", of ? of : "", near, verb);
		else
			usage_error("no column '%s'%s%s; see: rxadm %s -o help",
				    word, of ? " of " : "", of ? of : "", verb);
		return false;
	}
	return true;
}

/*
 * Returns the word of a COL_ENUM, or NULL if only a newer kernel has it, or for other
 * types.
 */
const char *col_word(const struct rx_col *col, uint64_t num)
{
	uint64_t i;

	for (i = 0; col->type == COL_ENUM && col->names[i]; i++)
		if (i == num)
			return col->names[i];
	return NULL;
}

_Static_assert(offsetof(struct rx_disk, minor) ==
	       offsetof(struct rx_disk, major) + 8 &&
	       offsetof(struct rx_cache, minor) ==
	       offsetof(struct rx_cache, major) + 8,
	       "minor follows major");

static void put_number(const struct rx_col *col, const uint64_t *field,
		       char *buf, size_t len)
{
	unsigned long long num = *field;
	const char *word = col_word(col, num);

	if (word)
		snprintf(buf, len, "%s", word);
	else if (num == RX_NONE)
		snprintf(buf, len, "-");
	else if (col->type == COL_SIZE && !rx.bytes)
		size_print(num, buf, len);
	else if (col->type == COL_BOOL)
		snprintf(buf, len, "%s", num ? "yes" : "no");
	else if (col->type == COL_DEVNO)
		snprintf(buf, len, "%llu:%llu", num,
			 (unsigned long long)field[1]);
	else
		snprintf(buf, len, "%llu", num);
}

static void put_double(enum rx_col_type type, double value, char *buf,
		       size_t len)
{
	if (type == COL_MIB)
		value /= 1 << 20;
	if (value < 0)
		snprintf(buf, len, "-");
	else if (type == COL_RATIO)
		snprintf(buf, len, "%.1f", value * 100);
	else if (type == COL_US)
		span_print(value, buf, len);
	else if (value <= 0)
		snprintf(buf, len, "0");
	else if (type == COL_RATE && value >= 1e6)
		snprintf(buf, len, "%.1fM", value / 1e6);
	else
		snprintf(buf, len, "%.*f", value >= 100 ? 0 :
			 type == COL_RATE || value >= 10 ? 1 : 2, value);
}

/* Returns a text that the caller frees. */
static char *sizes_text(const uint64_t *size)
{
	struct rx_strv list = { 0 };
	char buf[32], *text;
	size_t i;

	for (i = 0; i < RX_BUCKETS && size[i] != RX_NONE; i++) {
		if (rx.bytes)
			snprintf(buf, sizeof(buf), "%llu",
				 (unsigned long long)size[i]);
		else
			size_print(size[i], buf, sizeof(buf));
		strv_add(&list, buf);
	}
	text = list.n ? strv_join(&list, ",") : mem_dup("-");
	strv_free(&list);
	return text;
}

/* Returns a text that the caller frees. */
char *cell_text(const struct rx_col *col, const void *object)
{
	const void *field = (const char *)object + col->off;
	const struct rx_strv *list = field;
	char buf[64];

	switch (col->type) {
	case COL_TEXT:
	case COL_HOLDERS:
		return mem_dup(*(const char *)field ? field : "-");
	case COL_LIST:
		/* In the last column a dash is noise, except for a program. */
		return rx.raw && !list->n ? mem_dup("-") :
			strv_join(list, rx.raw ? "," : "\n");
	case COL_SIZES:
		return sizes_text(field);
	case COL_RATIO:
	case COL_RATE:
	case COL_MIB:
	case COL_US:
	case COL_TIMES:
		put_double(col->type, *(const double *)field, buf, sizeof(buf));
		break;
	default:
		put_number(col, field, buf, sizeof(buf));
		break;
	}
	return mem_dup(buf);
}

/* Tells whether TEXT, of this column, says that something is in trouble. */
bool cell_trouble(const struct rx_col *col, const char *text)
{
	static const char *const counts[] = {
		"ERRORS", "*-ERRORS", "*-ERROR", "MISMATCHES", "NO-SPACE", NULL
	};

	if (!strcmp(col->name, "STATE"))
		return trouble_word(text);
	return matches_any(col->name, counts) && strcmp(text, "0") && strcmp(text, "-");
}

static struct libscols_table *table_new(void)
{
	struct libscols_table *tb = scols_new_table();

	if (!tb)
		abort();
	scols_table_enable_noheadings(tb, rx.noheadings);
	scols_table_enable_raw(tb, rx.raw);
	scols_table_enable_colors(tb, *trouble_on(STDOUT_FILENO) != '\0');
	return tb;
}

/* Tells whether a column stands to the right, as numbers do. */
bool col_right(const struct rx_col *col)
{
	return col->type != COL_TEXT && col->type != COL_LIST && col->type != COL_HOLDERS &&
	       col->type != COL_ENUM && col->type != COL_BOOL;
}

static void column_new(struct libscols_table *tb, const struct rx_col *col,
		       int flags)
{
	struct libscols_column *cl;

	if (col_right(col))
		flags |= SCOLS_FL_RIGHT;
	if (col->type == COL_LIST && !rx.raw)
		flags |= SCOLS_FL_WRAP;
	cl = scols_table_new_column(tb, col->name, 0, flags);
	if (!cl)
		abort();
	if (flags & SCOLS_FL_WRAP) {
		scols_column_set_safechars(cl, "\n");
		scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize,
					  scols_wrapnl_nextchunk, NULL);
	}
}

/* A column that is NULL stays empty. */
static struct libscols_line *line_new(struct libscols_table *tb,
				      struct libscols_line *parent,
				      const struct rx_col *const *cols, size_t n,
				      const void *object)
{
	struct libscols_line *ln = scols_table_new_line(tb, parent);
	char *text;
	size_t c;

	if (!ln)
		abort();
	for (c = 0; c < n; c++) {
		text = cols[c] ? cell_text(cols[c], object) : mem_dup("");
		scols_line_refer_data(ln, c, text);
		if (cols[c] && cell_trouble(cols[c], text))
			scols_cell_set_color(scols_line_get_cell(ln, c),
					     trouble_on(STDOUT_FILENO));
	}
	return ln;
}

/*
 * Prints a table. COLUMNS is the text of -o; a table without any of its columns is left
 * out.
 */
void out_table(const struct rx_view *view, const void *objects, size_t n,
	       const char *columns)
{
	struct libscols_table *tb = table_new();
	const struct rx_col *cols[COLS_MAX], *col;
	size_t i, n_cols = 0;

	for (col = view->cols; col->help && n_cols < COLS_MAX; col++) {
		if (col->name && col_chosen(view, col, columns)) {
			column_new(tb, col, 0);
			cols[n_cols++] = col;
		}
	}
	for (i = 0; i < n; i++)
		line_new(tb, NULL, cols, n_cols,
			 (const char *)objects + i * view->size);
	if (n_cols && n)
		scols_print_table(tb);
	scols_unref_table(tb);
}

/*
 * Prints disks and caches in two tables. A table without rows is left out, and so is one
 * that lacks columns that the other has.
 */
void out_list(const struct rx_list *list, bool disks, bool caches)
{
	bool disks_fit = view_fits(&view_disks), caches_fit = view_fits(&view_caches);

	disks = disks && list->n_disks && (disks_fit || !caches_fit);
	caches = caches && list->n_caches && (caches_fit || !disks_fit);
	if (disks)
		out_table(&view_disks, list->disks, list->n_disks, rx.columns);
	if (disks && caches && !rx.raw)
		putchar('\n');
	if (caches)
		out_table(&view_caches, list->caches, list->n_caches,
			  rx.columns);
}

/*
 * The columns of a disk and of a cache below it. The first of a pair that exists gives
 * the heading.
 */
static const char *const tree_cols[][2] = {
	{ "NAME", "NAME" }, { "SIZE", "SIZE" }, { "USED", "CACHED" },
	{ "", "HIT%" }, { "", "STATE" }, { "", "ORIGIN" },
	{ "MOUNTPOINT", "MOUNTPOINT" },
};

/* Prints caches below the disks that hold them. */
void out_tree(const struct rx_list *list)
{
	const struct rx_col *disk[ARRAY_SIZE(tree_cols)], *cache[ARRAY_SIZE(tree_cols)];
	struct libscols_table *tb = table_new();
	struct libscols_line *parent;
	size_t c, d;

	for (c = 0; c < ARRAY_SIZE(tree_cols); c++) {
		disk[c] = col_find(&view_disks, tree_cols[c][0],
				   strlen(tree_cols[c][0]));
		cache[c] = col_find(&view_caches, tree_cols[c][1],
				    strlen(tree_cols[c][1]));
		column_new(tb, disk[c] ? disk[c] : cache[c],
			   c ? 0 : SCOLS_FL_TREE);
	}
	for (d = 0; d < list->n_disks; d++) {
		parent = line_new(tb, NULL, disk, ARRAY_SIZE(disk),
				  &list->disks[d]);
		for (c = 0; c < list->n_caches; c++)
			if (!strcmp(list->caches[c].disk, list->disks[d].name))
				line_new(tb, parent, cache, ARRAY_SIZE(cache),
					 &list->caches[c]);
	}
	if (list->n_disks)
		scols_print_table(tb);
	scols_unref_table(tb);
}

/* Returns false, and keeps the reason, once the output can't be written. */
bool out_flush(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (rx.out_errno)
		return false;
	if (fflush(stdout))
		rx.out_errno = errno;
	else if (ferror(stdout))
		/* An earlier write failed, and its errno is lost. */
		rx.out_errno = poll(&fd, 1, 0) == 1 && fd.revents & POLLERR ?
			EPIPE : EIO;
	return !rx.out_errno;
}
