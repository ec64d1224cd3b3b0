// SPDX-License-Identifier: GPL-2.0-only
/* Reads the file of a table, and asks the machine about the origins in it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "dev.h"
#include "mem.h"
#include "rxtab.h"
#include "sys.h"
#include "users.h"

#define FILE_MAX	(1 << 20)

/* Returns false with an errno if PATH, which the table keeps, can't be read. */
bool tab_load(struct rx_tab *tab, const char *path, int *err)
{
	char *text = malloc(FILE_MAX + 1);
	size_t len;
	FILE *f;

	if (!text)
		abort();
	errno = 0;
	f = fopen(strcmp(path, RXTAB_PATH) ? path : sys_path("%s", path), "re");
	if (!f) {
		*err = errno;
		free(text);
		return false;
	}
	len = fread(text, 1, FILE_MAX + 1, f);
	*err = ferror(f) ? errno : len > FILE_MAX ? EFBIG : 0;
	fclose(f);
	if (!*err)
		tab_parse(tab, path, text, len);
	free(text);
	return !*err;
}

/* For completion: prints the names in the table PATH, or in /etc/rxtab. */
void tab_put_names(const char *path)
{
	struct rx_tab tab;
	size_t i;
	int err;

	if (!tab_load(&tab, path ? path : RXTAB_PATH, &err))
		return;
	for (i = 0; i < tab.n_lines; i++)
		puts(tab.lines[i].name);
	tab_free(&tab);
}

/* sda1, nvme0n1, dm-0: the kernel numbers them in the order of discovery. */
static bool unstable(const char *real)
{
	static const char *const kinds[] = {
		"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "dm-", "loop", "rbd",
	};
	const char *name = real + strlen("/dev/");
	size_t i, len;

	if (strchr(name, '/'))
		return false;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		len = strlen(kinds[i]);
		if (!strncmp(name, kinds[i], len) &&
		    (i < 4 ? islower((unsigned char)name[len]) :
		     isdigit((unsigned char)name[len])))
			return true;
	}
	return false;
}

/* Names with model and serial number come before names that are a number. */
static int rank(const char *name)
{
	return !strncmp(name, "wwn-", 4) || !strncmp(name, "nvme-eui.", 9) ||
	       !strncmp(name, "nvme-nvme.", 10);
}

/* Finds the best link to REAL in DIR; false if there is none. */
static bool link_to(const char *dir, const char *real, char *best, size_t len)
{
	char path[PATH_MAX], target[PATH_MAX];
	struct rx_strv names = { 0 };
	const char *found = NULL;
	size_t i;

	sys_entries(&names, sys_path("%s", dir));
	strv_sort(&names);
	for (i = 0; i < names.n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names.v[i]);
		if (strncmp(names.v[i], "rx-", 3) && !tab_origin_moves(path) &&
		    !dev_real(path, target, sizeof(target)) &&
		    !strcmp(target, real) &&
		    (!found || rank(names.v[i]) < rank(found)))
			found = names.v[i];
	}
	if (found)
		snprintf(best, len, "%s/%s", dir, found);
	strv_free(&names);
	return found;
}

static void warn_unstable(struct rx_tab *tab, struct tab_line *line,
			  const char *real)
{
	const char *origin = line->text[TAB_ORIGIN];
	char better[PATH_MAX + 32];

	if (!unstable(origin) &&
	    strncmp(origin, "/dev/disk/by-diskseq/", 21))
		return;
	if (!*real || (!link_to("/dev/mapper", real, better, sizeof(better)) &&
		       !link_to("/dev/disk/by-id", real, better,
				sizeof(better)) &&
		       !link_to("/dev/disk/by-path", real, better,
				sizeof(better))))
		snprintf(better, sizeof(better),
			 "a name in /dev/disk/by-id or /dev/disk/by-path");
	tab_warn(tab, line,
		 "origin '%s' can be another device after the next boot (%s)",
		 origin, better);
}

/* Tells whether LVM or md holds NAME or its cache. */
static bool stacked(const char *name)
{
	struct rx_strv holders = { 0 };
	bool is = false;
	char *uuid;
	size_t i;

	users_holders(name, &holders);
	for (i = 0; i < holders.n && !is; i++) {
		uuid = sys_read(sys_path("/sys/class/block/%s/dm/uuid",
					 holders.v[i]));
		is = (uuid && !strncmp(uuid, "LVM-", 4)) ||
		     !strncmp(holders.v[i], "md", 2) ||
		     (!strncmp(holders.v[i], "rxc", 3) &&
		      stacked(holders.v[i]));
		free(uuid);
	}
	strv_free(&holders);
	return is;
}

/* Returns the command that rebuilds the initramfs, if it is older than PATH. */
static const char *initramfs_is_older(const char *path)
{
	const char *command = "update-initramfs -u";
	struct utsname name;
	struct stat table, image;

	if (strcmp(path, RXTAB_PATH) || uname(&name) ||
	    stat(sys_path("%s", path), &table))
		return NULL;
	if (stat(sys_path("/boot/initrd.img-%s", name.release), &image)) {
		command = "dracut -f";
		if (stat(sys_path("/boot/initramfs-%s.img", name.release),
			 &image))
			return NULL;
	}
	return image.st_mtime < table.st_mtime ? command : NULL;
}

/* The initramfs knows the table as it was when it was made. */
static void warn_initramfs(struct rx_tab *tab, struct tab_line *line,
			   const char *real)
{
	const char *command = initramfs_is_older(tab->path);

	if (!command)
		return;
	if (line->text[TAB_INITRAMFS])
		tab_warn(tab, line,
			 "the initramfs is older than the table; if this line is new, run: %s",
			 command);
	else if (*real && stacked(real + strlen("/dev/")))
		tab_warn(tab, line,
			 "LVM or md may take origin '%s' before its cache does, for the initramfs is older than the table; if this line is new, run: %s",
			 line->text[TAB_ORIGIN], command);
}

/*
 * Refuses origins that are a cache, or one device under two names. Warns of names
 * that may change; and, if this is a CHECK, of an old initramfs or a missing origin.
 */
void tab_check_origins(struct rx_tab *tab, bool check)
{
	char (*real)[PATH_MAX] = mem_zero(tab->n_lines + 1, sizeof(*real));
	struct tab_line *line;
	size_t i, j;

	for (i = 0; i < tab->n_lines; i++) {
		line = &tab->lines[i];
		if (line->bad || !line->text[TAB_ORIGIN])
			continue;
		if (dev_real(line->text[TAB_ORIGIN], real[i], sizeof(*real)))
			real[i][0] = '\0';
		for (j = 0; j < i && (!*real[i] || strcmp(real[i], real[j])); j++)
			;
		if (j < i)
			tab_wrong(tab, line,
				 "origin '%s' is %s, as that of %s in line %u (one cache for a device)",
				 line->text[TAB_ORIGIN], real[i],
				 tab->lines[j].name, tab->lines[j].nr);
		else if (tab_origin_is_cache(real[i]))
			tab_wrong(tab, line,
				 "origin '%s' is %s, a cache itself (the device below it)",
				 line->text[TAB_ORIGIN], real[i]);
		else
			warn_unstable(tab, line, real[i]);
		if (!check)
			continue;
		warn_initramfs(tab, line, real[i]);
		if (!*real[i])
			tab_warn(tab, line,
				 "origin '%s' is not there now (see: lsblk, ls /dev/disk/by-id)",
				 line->text[TAB_ORIGIN]);
	}
	free(real);
}
