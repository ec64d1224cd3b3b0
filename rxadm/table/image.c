// SPDX-License-Identifier: GPL-2.0-only
/* The options of a line of the table that keep its disk over a reboot: what is wrong with them. */
#include <string.h>

#include "base/units.h"
#include "table/differs.h"
#include "table/image.h"
#include "table/table.h"

#define SAVE_MIN_NS	60000000000ULL	/* a save may freeze a file system */
#define SLOW_MS		60000		/* for 1 GiB: 17 MiB/s, a slow USB stick */
#define FIRST_MS	30000

/* Returns what is wrong with the path of an image, or NULL. */
const char *tab_image_wrong(const char *path)
{
	static const char *const memory[] = {
		"/dev/*", "/proc/*", "/sys/*", "/run/*", NULL,
	};
	const char *name = strrchr(path, '/');

	if (*path != '/')
		return "is no absolute path (/var/lib/rxdsk/rxd0.img)";
	if (strstr(path, "//") || strstr(path, "/./") || strstr(path, "/../") ||
	    !name[1] || !strcmp(name, "/.") || !strcmp(name, "/.."))
		return "is no plain path of a file (neither //, /./, /../ nor / at the end)";
	if (matches_any(path, memory))
		return "is not on a disk that a boot leaves as it is (/var/lib/rxdsk/rxd0.img)";
	return NULL;
}

/* Reads "stop" or a time. Returns what is wrong, or NULL with *NS, which is 0 for "stop". */
const char *tab_save_wrong(const char *text, uint64_t *ns)
{
	char why[256];

	*ns = 0;
	if (!strcmp(text, "stop"))
		return NULL;
	if (!time_parse(text, ns, why, sizeof(why)))
		return "is neither stop nor a time (stop, 15m, 1h)";
	return *ns >= SAVE_MIN_NS ? NULL : "is too often (at least 1m)";
}

/* A disk with an image can be written, and is made when the image's file system is there. */
static void check_others(struct rx_tab *tab, struct tab_line *line)
{
	if (line->text[TAB_INITRAMFS])
		tab_wrong(tab, line, "image and initramfs exclude each other (the file system of the image is not there in the initramfs)");
	if (line->text[TAB_SAVE] && line->num[TAB_SAVE] && line->text[TAB_EXPORT])
		tab_wrong(tab, line, "save=%s and export exclude each other (save=stop: hosts may write meanwhile, and can't be frozen)",
			  line->text[TAB_SAVE]);
}

void tab_check_image(struct rx_tab *tab, struct tab_line *line)
{
	const char *path = line->text[TAB_IMAGE];
	const struct tab_line *other;

	if (line->text[TAB_SAVE] && !path)
		tab_wrong(tab, line, "save makes no sense without image (image=/var/lib/rxdsk/%s.img)",
			  line->name);
	if (!path)
		return;
	check_others(tab, line);
	for (other = tab->lines; other < line; other++)
		if (other->text[TAB_IMAGE] && !strcmp(other->text[TAB_IMAGE], path))
			tab_wrong(tab, line, "image '%s' is that of %s in line %u already (one for each)",
				  path, other->name, other->nr);
}

/* Returns the longest time that a restore or save of the line's disk may take. */
uint64_t tab_image_ms(const struct tab_line *line)
{
	uint64_t gib = (tab_disk_size(line) + (1ULL << 30) - 1) >> 30;

	return line->text[TAB_IMAGE] ? FIRST_MS + gib * SLOW_MS : 0;
}
