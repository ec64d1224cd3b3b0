// SPDX-License-Identifier: GPL-2.0-only
/* The table in memory: its lines, the contradictions between them, and notes. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "rxtab.h"
#include "units.h"

#define TIMEOUT_DEFAULT	30000
#define CACHE_BLOCK_MIN	4096

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
 * Prints notes as "FILE:LINE: what (what is allowed)", with ERROR_END after each error.
 * Warnings are left out unless WARNINGS is set.
 */
void tab_print_notes(const struct rx_tab *tab, bool warnings,
		     const char *error_end)
{
	const struct tab_note *note = tab->notes, *end = note + tab->n_notes;

	fflush(stdout);
	for (; note < end; note++)
		if (note->error || warnings)
			fprintf(stderr, "%s:%u: %s%s%s\n", tab->path, note->nr,
				note->error ? "" : "warning: ", note->text,
				note->error ? error_end : "");
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
	struct tab_line line = { .family = family };
	size_t i;

	snprintf(line.name, sizeof(line.name), "%s", name);
	tab->lines = mem_grow(tab->lines, tab->n_lines, sizeof(*tab->lines));
	tab->lines[tab->n_lines++] = line;
	for (i = 0; i < tab->n_lines; i++)
		if (tab->lines[i].disk)
			tab->lines[i].disk = tab_find(tab, tab->lines[i].text[TAB_DISK]);
}

uint64_t tab_timeout_ms(const struct tab_line *line)
{
	return line->text[TAB_TIMEOUT] ? line->num[TAB_TIMEOUT] / 1000000 :
		TIMEOUT_DEFAULT;
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

static void no_such_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct rx_strv disks = tab_disks(tab);
	char *list = strv_join(&disks, ", ");

	tab_wrong(tab, line, "no line has the disk '%s' (%s)",
		  line->text[TAB_DISK], disks.n ? list :
		  "size=4G makes one of its own");
	free(list);
	strv_free(&disks);
}

/*
 * Checks that caches that share a disk have the same block size, policy and floor. The
 * cache that is mapped first would decide what another line leaves out, so all lines have
 * to leave it out.
 */
static void check_shared(struct rx_tab *tab, struct tab_line *line,
			 const struct tab_line *first)
{
	static const struct { enum tab_key key; const char *name; } shared[] = {
		{ TAB_BLOCK, "block" }, { TAB_POLICY, "policy" }, { TAB_FLOOR, "floor" },
	};
	enum tab_key key;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shared); i++) {
		key = shared[i].key;
		if (!line->text[key] == !first->text[key] &&
		    (!line->text[key] || line->num[key] == first->num[key]))
			continue;
		tab_wrong(tab, line,
			  "its %s is not that of %s, which shares disk %s, see line %u (the same in both lines, or in none)",
			  shared[i].name, first->name, line->disk->name, first->nr);
		return;
	}
}

/* Returns a share of a cache line in bytes of its disk, or NONE if the line has none. */
static uint64_t share_bytes(const struct tab_line *line, enum tab_key key, uint64_t none)
{
	const char *text = line->text[key];

	if (!text)
		return none;
	if (part_is_percent(text))
		return (unsigned __int128)tab_disk_size(line->disk ? line->disk : line) *
		       line->num[key] / 100;
	return line->num[key];
}

/* Checks the shares of one cache against each other, and against the size of its disk. */
static void check_shares(struct rx_tab *tab, struct tab_line *line)
{
	const char *min = line->text[TAB_MIN_SHARE], *max = line->text[TAB_MAX_SHARE];
	uint64_t size = tab_disk_size(line->disk ? line->disk : line);
	uint64_t least = share_bytes(line, TAB_MIN_SHARE, 0);
	uint64_t most = share_bytes(line, TAB_MAX_SHARE, size);
	uint64_t block = line->text[TAB_BLOCK] ? line->num[TAB_BLOCK] : CACHE_BLOCK_MIN;

	if (least > size)
		tab_wrong(tab, line, "min-share '%s' is more than the disk has (at most %s)", min,
			  line->disk ? line->disk->text[TAB_SIZE] : line->text[TAB_SIZE]);
	else if (max && most < block)
		tab_wrong(tab, line, "max-share '%s' is smaller than a cache block (for example 50%%)",
			  max);
	else if (most < least)
		tab_wrong(tab, line, "max-share '%s' is smaller than min-share '%s' (at least as large)",
			  max, min);
}

/* Checks that a disk has room for the min shares of the caches up to LINE. */
static void check_min_shares(struct rx_tab *tab, struct tab_line *line)
{
	uint64_t left = tab_disk_size(line->disk), least;
	struct tab_line *other;

	for (other = tab->lines; other <= line; other++) {
		if (other->disk != line->disk || other->bad)
			continue;
		least = share_bytes(other, TAB_MIN_SHARE, 0);
		if (least > left) {
			tab_wrong(tab, line,
				  "the min shares of the caches on disk %s are over 100 %% of it (smaller ones)",
				  line->disk->name);
			return;
		}
		left -= least;
	}
}

/* Checks the disk of a cache, which must be there first. Other caches may be on it. */
static void check_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct tab_line *disk = tab_find(tab, line->text[TAB_DISK]), *other;

	if (!disk) {
		no_such_disk(tab, line);
		return;
	}
	line->disk = disk;
	for (other = tab->lines; other < line && other->disk != disk; other++)
		;
	if (other < line) {
		check_shared(tab, line, other);
		if (line->bad)
			return;
	}
	if (disk->bad)
		tab_wrong(tab, line,
			 "its disk %s has an error in line %u (that one first)",
			 disk->name, disk->nr);
	else if (disk->text[TAB_READ_ONLY])
		tab_wrong(tab, line,
			 "its disk %s is read-only, see line %u (one that can be written)",
			 disk->name, disk->nr);
	else if (disk->text[TAB_PREALLOC])
		tab_wrong(tab, line,
			 "its disk %s is preallocated, see line %u (one without prealloc)",
			 disk->name, disk->nr);
	else if (disk->text[TAB_ZERO_DETECT])
		tab_wrong(tab, line,
			 "its disk %s drops pages of zeroes, see line %u (one without zero-detect)",
			 disk->name, disk->nr);
	else if (disk->text[TAB_NUMA])
		tab_wrong(tab, line,
			 "its disk %s is bound to NUMA nodes, see line %u (one without numa)",
			 disk->name, disk->nr);
	else if (line->text[TAB_INITRAMFS] && !disk->text[TAB_INITRAMFS])
		tab_wrong(tab, line,
			 "its disk %s is not set up in the initramfs (initramfs in line %u too)",
			 disk->name, disk->nr);
}

static void check_twice(struct rx_tab *tab, struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN], *theirs;
	struct tab_line *other;

	for (other = tab->lines; other < line; other++) {
		theirs = other->text[TAB_ORIGIN];
		if (!strcmp(other->name, line->name)) {
			tab_wrong(tab, line,
				 "%s is in line %u already (one line for each)",
				 line->name, other->nr);
			return;
		}
		if (origin && theirs && !strcmp(origin, theirs)) {
			tab_wrong(tab, line,
				 "origin '%s' has a cache already, %s in line %u (one cache for a device)",
				 origin, other->name, other->nr);
			return;
		}
	}
}

/*
 * If two lines contradict each other, the later one is bad. Disks are checked
 * first, because a cache on a bad disk is bad too.
 */
void tab_check_lines(struct rx_tab *tab)
{
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad)
			check_twice(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad && tab->lines[i].text[TAB_DISK])
			check_disk(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad && tab->lines[i].family == RX_CACHE)
			check_shares(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad && tab->lines[i].disk)
			check_min_shares(tab, &tab->lines[i]);
}

void tab_free(struct rx_tab *tab)
{
	size_t i;

	for (i = 0; i < tab->n_notes; i++)
		free(tab->notes[i].text);
	free(tab->notes);
	for (i = 0; i < tab->n_lines; i++)
		free(tab->lines[i].real);
	free(tab->lines);
	free(tab->text);
	memset(tab, 0, sizeof(*tab));
}
