// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who opens an origin by a path, and so not by its cache: lines of fstab and of
 * crypttab. The origin is in use by then, and a boot may end in emergency mode.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>

#include "dev.h"
#include "rxtab.h"
#include "sys.h"
#include "users.h"

#define FSTAB		"/etc/fstab"
#define CRYPTTAB	"/etc/crypttab"

/*
 * PATH, or what it is, REAL, is what the line caches or a partition of that.
 * REAL is empty if nothing is there.
 */
static bool is_origin(const struct tab_line *line, const char *path,
		      const char *real)
{
	const char *origin = line->text[TAB_ORIGIN];
	char of[PATH_MAX];

	if (!strcmp(path, origin))
		return true;
	return *real && !dev_real(origin, of, sizeof(of)) &&
	       users_is_of(strrchr(real, '/') + 1, strrchr(of, '/') + 1);
}

static void check_path(struct rx_tab *tab, const char *path, const char *file,
		       const char *what)
{
	struct tab_line *line;
	char real[PATH_MAX];
	size_t i;

	if (dev_real(path, real, sizeof(real)))
		*real = '\0';
	for (i = 0; i < tab->n_lines; i++) {
		line = &tab->lines[i];
		if (line->bad || !line->text[TAB_ORIGIN] ||
		    !is_origin(line, path, real))
			continue;
		tab_warn(tab, line,
			 "%s has %s for %s: that can't be opened while %s is on it, and may end a boot in emergency mode; take UUID= there (see: lsblk -f)",
			 file, path, what, line->name);
	}
}

/* The root file system's line opens nothing: it is mounted before. */
static void check_fstab(struct rx_tab *tab)
{
	FILE *f = setmntent(sys_path(FSTAB), "re");
	struct mntent *entry;

	while (f && (entry = getmntent(f)))
		if (!strncmp(entry->mnt_fsname, "/dev/", 5) &&
		    strcmp(entry->mnt_dir, "/"))
			check_path(tab, entry->mnt_fsname, FSTAB,
				   entry->mnt_dir);
	if (f)
		endmntent(f);
}

static void check_crypttab(struct rx_tab *tab)
{
	char *text = sys_read(sys_path(CRYPTTAB)), *rest = text, *line;
	char *name, *path;

	while (rest && (line = strsep(&rest, "\n"))) {
		name = strtok(line, " \t");
		path = strtok(NULL, " \t");
		if (name && *name != '#' && path && !strncmp(path, "/dev/", 5))
			check_path(tab, path, CRYPTTAB, name);
	}
	free(text);
}

void tab_check_paths(struct rx_tab *tab)
{
	check_fstab(tab);
	check_crypttab(tab);
}
