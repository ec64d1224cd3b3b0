// SPDX-License-Identifier: GPL-2.0-only
/* The table in memory: its lines, and notes on their mistakes. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "rxtab.h"

#define TIMEOUT_DEFAULT	30000

/* LINE may be NULL. Notes stay in the order of the lines. */
void tab_note(struct rx_tab *tab, struct tab_line *line, unsigned int nr,
	      bool error, const char *fmt, ...)
{
	struct tab_note note = { .nr = nr, .error = error };
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	note.text = mem_vtext(fmt, ap);
	va_end(ap);
	tab->notes = mem_grow(tab->notes, tab->n_notes, sizeof(*tab->notes));
	for (i = tab->n_notes++; i && tab->notes[i - 1].nr > nr; i--)
		tab->notes[i] = tab->notes[i - 1];
	tab->notes[i] = note;
	tab->n_errors += error;
	if (line && error)
		line->bad = true;
}

/* The first line of that name, or NULL. */
struct tab_line *tab_find(const struct rx_tab *tab, const char *name)
{
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (!strcmp(tab->lines[i].name, name))
			return &tab->lines[i];
	return NULL;
}

uint64_t tab_timeout_ms(const struct tab_line *line)
{
	return line->text[TAB_TIMEOUT] ? line->num[TAB_TIMEOUT] / 1000000 :
		TIMEOUT_DEFAULT;
}

static bool listed(struct tab_line **order, size_t n, struct tab_line *line)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (order[i] == line)
			return true;
	return false;
}

/*
 * Puts the good lines into ORDER, which has room for all: the order of the table,
 * but a disk before the cache on it.
 */
size_t tab_order(const struct rx_tab *tab, struct tab_line **order)
{
	struct tab_line *line;
	size_t i, n = 0;

	for (i = 0; i < tab->n_lines; i++) {
		line = &tab->lines[i];
		if (line->bad)
			continue;
		if (line->disk && !listed(order, n, line->disk))
			order[n++] = line->disk;
		if (!listed(order, n, line))
			order[n++] = line;
	}
	return n;
}

void tab_free(struct rx_tab *tab)
{
	size_t i;

	for (i = 0; i < tab->n_notes; i++)
		free(tab->notes[i].text);
	free(tab->notes);
	free(tab->lines);
	free(tab->text);
	memset(tab, 0, sizeof(*tab));
}
