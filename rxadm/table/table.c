// SPDX-License-Identifier: GPL-2.0-only
/* The table in memory: its lines, and notes. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/units.h"
#include "table/table.h"

#define TIMEOUT_DEFAULT	30000

/* Adds a note; notes stay in the order of the lines. */
void tab_note(struct rx_tab *tab, struct tab_line *line, bool error,
	      const char *fmt, ...)
{
	struct tab_note note = { .nr = line->nr, .error = error };
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	note.text = mem_vtext(fmt, ap);
	va_end(ap);
	tab->notes = mem_grow(tab->notes, tab->n_notes, sizeof(*tab->notes));
	for (i = tab->n_notes++; i && tab->notes[i - 1].nr > note.nr; i--)
		tab->notes[i] = tab->notes[i - 1];
	tab->notes[i] = note;
	tab->n_errors += error;
	line->bad |= error;
}

/*
 * Returns the "; " before what to do next, or NULL. Mount points may have one, too, in
 * what is wrong and in the command.
 */
const char *tab_next(const char *text)
{
	const char *next = strstr(text, "; run: "), *p = text;

	if (next)
		return next;
	while ((p = strstr(p, "; "))) {
		next = p;
		p += 2;
	}
	return next;
}

/* Adds a note. Of "invalid x; say y" it makes "invalid x (say y)". */
void tab_say(struct rx_tab *tab, struct tab_line *line, bool error, const char *text)
{
	const char *next = tab_next(text);

	if (next)
		tab_note(tab, line, error, "%.*s (%s)", (int)(next - text), text, next + 2);
	else
		tab_note(tab, line, error, "%s", text);
}

/* Adds a note for each of TEXTS, and frees them. */
void tab_say_all(struct rx_tab *tab, struct tab_line *line, bool error,
		 struct rx_strv *texts)
{
	size_t i;

	for (i = 0; i < texts->n; i++)
		tab_say(tab, line, error, texts->v[i]);
	strv_free(texts);
}

/* Refuses a value that an earlier line has for this key. */
void tab_unique(struct rx_tab *tab, struct tab_line *line, enum tab_key key,
		      const char *name)
{
	const char *text = line->text[key];
	const struct tab_line *other;

	for (other = tab->lines; text && other < line; other++)
		if (other->text[key] && !strcmp(other->text[key], text))
			tab_wrong(tab, line, "%s '%s' is that of %s in line %u already (one for each)",
				  name, text, other->name, other->nr);
}

/*
 * Prints notes as "FILE:LINE: what (what is allowed)", with ERROR_END after each error.
 * Warnings are left out unless WARNINGS is set.
 */
void tab_print_notes(const struct rx_tab *tab, bool warnings,
		     const char *error_end)
{
	const struct tab_note *note = tab->notes, *end = note + tab->n_notes;

	for (; note < end; note++)
		if (note->error || warnings)
			say_line(tab->path, note->nr, "%s%s%s", note->error ? "" : "warning: ",
				 note->text, note->error ? error_end : "");
}

/* Returns the first line of that name, or NULL. */
struct tab_line *tab_find(const struct rx_tab *tab, const char *name)
{
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (!strcmp(tab->lines[i].name, name))
			return &tab->lines[i];
	return NULL;
}

/*
 * Adds a line for an object that has none. The lines move in memory, so their disks are
 * found anew.
 */
void tab_add_name(struct rx_tab *tab, enum rx_family family, const char *name)
{
	struct tab_line line = { .family = family, .tab = tab->path };
	size_t i;

	snprintf(line.name, sizeof(line.name), "%s", name);
	tab->lines = mem_grow(tab->lines, tab->n_lines, sizeof(*tab->lines));
	tab->lines[tab->n_lines++] = line;
	for (i = 0; i < tab->n_lines; i++)
		if (tab->lines[i].disk)
			tab->lines[i].disk = tab_find(tab, tab->lines[i].text[TAB_DISK]);
}

/* Returns, as quoted() does, the command that runs VERB, up or down, for LINE of its table. */
const char *tab_again(const char *verb, const struct tab_line *line)
{
	char *words[] = { "rxadm", (char *)verb, (char *)line->name, "--tab", (char *)line->tab };

	return quoted_all(&(struct rx_strv){ words, strcmp(line->tab, RXTAB_PATH) ? 5 : 3 });
}

uint64_t tab_timeout_ms(const struct tab_line *line)
{
	return line->text[TAB_TIMEOUT] ? line->num[TAB_TIMEOUT] / 1000000 :
		TIMEOUT_DEFAULT;
}

/* Returns the size that the line's disk gets. */
uint64_t tab_disk_size(const struct tab_line *line)
{
	return size_whole(line->num[TAB_SIZE]);
}

/* Returns the names of the disks in the table, which the caller frees. */
struct rx_strv tab_disks(const struct rx_tab *tab)
{
	struct rx_strv disks = { 0 };
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (tab->lines[i].family == RX_DISK)
			strv_add(&disks, tab->lines[i].name);
	return disks;
}

void tab_free(struct rx_tab *tab)
{
	size_t i;

	for (i = 0; i < tab->n_notes; i++)
		free(tab->notes[i].text);
	free(tab->notes);
	for (i = 0; i < tab->n_lines; i++) {
		free(tab->lines[i].real);
		strv_free(&tab->lines[i].exports);
		strv_free(&tab->lines[i].hosts);
	}
	free(tab->lines);
	free(tab->text);
	memset(tab, 0, sizeof(*tab));
}
