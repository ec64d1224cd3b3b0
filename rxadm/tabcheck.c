// SPDX-License-Identifier: GPL-2.0-only
/* Lines of a table that contradict each other. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "rxtab.h"

static void no_such_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct rx_strv disks = { 0 };
	char *list;
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (tab->lines[i].family == RX_DISK)
			strv_add(&disks, tab->lines[i].name);
	list = strv_join(&disks, ", ");
	tab_wrong(tab, line, "no line has the disk '%s' (%s)",
		  line->text[TAB_DISK], disks.n ? list :
		  "size=4G makes one of its own");
	free(list);
	strv_free(&disks);
}

/* A cache takes all of its disk, which must be there first. */
static void check_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct tab_line *disk = tab_find(tab, line->text[TAB_DISK]), *other;

	if (!disk) {
		no_such_disk(tab, line);
		return;
	}
	line->disk = disk;
	for (other = tab->lines; other < line; other++)
		if (other->disk == disk) {
			tab_wrong(tab, line,
				 "disk %s holds %s already, see line %u (one cache on a disk)",
				 disk->name, other->name, other->nr);
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
}
