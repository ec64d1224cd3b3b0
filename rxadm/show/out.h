/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of objects, and tables of them. */
#ifndef RXADM_OUT_H
#define RXADM_OUT_H

#include "kernel/list.h"

enum rx_col_type {
	COL_TEXT, COL_SIZE, COL_COUNT, COL_BOOL, COL_RATIO, COL_ENUM,
	COL_DEVNO, COL_LIST,
	COL_HOLDERS,		/* names separated by commas; in JSON also an array */
	/* double, below 0 if not known: per second, bytes as MiB */
	COL_RATE, COL_MIB,
	COL_US,			/* likewise, ns in a suitable unit */
	COL_BUCKETS,		/* RX_BUCKETS counts; in JSON only */
	COL_TIMES,		/* double, below 0 if not known: how many times as much */
	COL_SIZES,		/* up to RX_BUCKETS sizes, then RX_NONE */
};

#define COL_DEFAULT	1

struct rx_col {
	const char *name;	/* heading; NULL: in JSON only */
	const char *key;	/* in JSON; NULL: in tables only */
	const char *group;	/* object in JSON that holds it, or NULL */
	enum rx_col_type type;
	size_t off;
	const char *const *names;
	int flags;
	const char *help;	/* NULL ends a table */
};

/* Defines a column of OBJECT, a struct. */
#define COL(object, name, key, group, type, field, names, flags, help) \
	{ name, key, group, type, offsetof(struct object, field), names, flags, help }

struct rx_view {
	const char *key;	/* in JSON, and in messages if VERB shows other views, too */
	const struct rx_col *cols;
	size_t size;
	const char *verb;	/* whose help has the columns */
};

const char *col_word(const struct rx_col *col, uint64_t num);
bool col_right(const struct rx_col *col);
char *cell_text(const struct rx_col *col, const void *object);
bool cell_trouble(const struct rx_col *col, const char *text);
bool col_chosen(const struct rx_view *view, const struct rx_col *col,
		const char *columns);
bool view_fits(const struct rx_view *view);	/* it has all columns of -o */
bool out_columns_valid(const struct rx_view *const *views, size_t count);
void out_columns_list(FILE *file, const struct rx_view *view);
void out_columns_each(void (*put)(const char *name, const char *help),
		      const struct rx_view *const *views, size_t count);
void out_list(const struct rx_list *list, bool disks, bool caches);
void out_tree(const struct rx_list *list);
void out_table(const struct rx_view *view, const void *objects, size_t n,
	       const char *columns);
bool out_flush(void);

#endif
