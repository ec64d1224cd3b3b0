// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the origins in the table on this machine: whether their names stay, and which
 * other users may take them before their caches do.
 */
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/name.h"
#include "run/preflight.h"
#include "system/dev.h"
#include "system/hazard.h"
#include "system/stacked.h"
#include "table/order.h"
#include "table/origins.h"
#include "table/parse.h"
#include "table/table.h"

/*
 * Tells whether PATH is a name such as sda1, nvme0n1 or dm-0: the kernel numbers these in
 * the order of discovery.
 */
static bool unstable(const char *path)
{
	static const char *const names[] = {
		"/dev/sd[a-z]*", "/dev/hd[a-z]*", "/dev/vd[a-z]*", "/dev/xvd[a-z]*",
		"/dev/nvme[0-9]*", "/dev/mmcblk[0-9]*", "/dev/dm-[0-9]*",
		"/dev/loop[0-9]*", "/dev/rbd[0-9]*", NULL,
	};

	return strchr(path + strlen("/dev/"), '/') ?
		!fnmatch("/dev/disk/by-diskseq/*", path, 0) :
		matches_any(path, names);
}

/* Names with model and serial number come before names that are a number. */
static int rank(const char *name)
{
	static const char *const numbers[] = {
		"wwn-*", "nvme-eui.*", "nvme-nvme.*", NULL,
	};

	return matches_any(name, numbers);
}

/* Returns the best link to REAL in DIR, which the caller frees, or NULL. */
static char *link_to(const char *dir, const char *real)
{
	char path[PATH_MAX], target[PATH_MAX], *best = NULL;
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
		best = mem_text("%s/%s", dir, found);
	strv_free(&names);
	return best;
}

static void warn_unstable(struct rx_tab *tab, struct tab_line *line)
{
	static const char *const dirs[] = {
		"/dev/mapper", "/dev/disk/by-id", "/dev/disk/by-path",
	};
	const char *origin = line->text[TAB_ORIGIN];
	char *better = NULL;
	size_t i;

	if (!unstable(origin))
		return;
	for (i = 0; line->real && !better && i < ARRAY_SIZE(dirs); i++)
		better = link_to(dirs[i], line->real);
	tab_warn(tab, line,
		 "origin '%s' can be another device after the next boot (%s)",
		 origin, better ? better :
		 "a name in /dev/disk/by-id or /dev/disk/by-path");
	free(better);
}

/* Tells whether udev found that NAME is part of a volume group or a RAID. */
static bool is_member(const char *name)
{
	static const char *const members[] = { "LVM*_member", "*_raid_member", NULL };
	char *type = dev_udev(name, "ID_FS_TYPE");
	bool is = type && matches_any(type, members);

	free(type);
	return is;
}

/* Tells whether LVM or md holds NAME or its cache, or would like to. */
static bool stacked(const char *name)
{
	struct rx_strv holders = { 0 };
	bool is = is_member(name);
	char *uuid;
	size_t i;

	stacked_on(name, &holders);
	for (i = 0; i < holders.n && !is; i++) {
		uuid = sys_read(sys_path("/sys/class/block/%s/dm/uuid",
					 holders.v[i]));
		is = (uuid && !strncmp(uuid, "LVM-", 4)) ||
		     !strncmp(holders.v[i], "md", 2) ||
		     (name_is(holders.v[i], RX_CACHE) && stacked(holders.v[i]));
		free(uuid);
	}
	strv_free(&holders);
	return is;
}

static bool origin_stacked(const char *real)
{
	char *name = dev_kernel_name(real);
	bool is = stacked(name);

	free(name);
	return is;
}

static bool has_tool(const char *name)
{
	return !access(sys_path("/usr/sbin/%s", name), X_OK) ||
	       !access(sys_path("/usr/bin/%s", name), X_OK);
}

/* Returns what makes the initramfs anew, if it is older than PATH. */
static const char *initramfs_is_older(const char *path)
{
	struct utsname name;
	struct stat table, image;
	bool debian;

	if (strcmp(path, RXTAB_PATH) || uname(&name) ||
	    stat(sys_path("%s", path), &table))
		return NULL;
	debian = !stat(sys_path("/boot/initrd.img-%s", name.release), &image);
	if (!debian && stat(sys_path("/boot/initramfs-%s.img", name.release), &image))
		return NULL;
	if (image.st_mtime >= table.st_mtime)
		return NULL;
	if (debian && has_tool("update-initramfs"))
		return "run: update-initramfs -u";
	return has_tool("dracut") ? "run: dracut -f" : "make it anew";
}

/*
 * Warns of an old initramfs, which knows the table as it was when the initramfs was made.
 */
static void warn_initramfs(struct rx_tab *tab, struct tab_line *line)
{
	const char *command = initramfs_is_older(tab->path);

	if (!command)
		return;
	if (line->text[TAB_INITRAMFS])
		tab_warn(tab, line,
			 "the initramfs is older than the table; if this line is new, %s",
			 command);
	else if (line->real && origin_stacked(line->real))
		tab_warn(tab, line,
			 "LVM or md may take origin '%s' before its cache does, for the initramfs is older than the table; if this line is new, %s",
			 line->text[TAB_ORIGIN], command);
}

/* Tells whether the device PART is a partition of the device WHOLE. */
static bool is_part(const char *part, const char *whole)
{
	char *part_name = dev_kernel_name(part), *name = dev_kernel_name(whole);
	bool is = !sys_absent() && dev_is_of(part_name, name) &&
		  !access(sys_path("/sys/class/block/%s/%s", name, part_name), F_OK);

	free(part_name);
	free(name);
	return is;
}

/*
 * Refuses an origin that is the device of an earlier line, its disk or a partition of it.
 * A cache claims its origin, so it excludes a cache of the disk or of a partition.
 */
static void check_overlap(struct rx_tab *tab, struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN], *real = line->real;
	const struct tab_line *other;

	for (other = tab->lines; other < line && !line->bad; other++) {
		if (!other->real)
			continue;
		if (!strcmp(other->real, real))
			tab_wrong(tab, line,
				  "origin '%s' is %s, as that of %s in line %u (one cache for a device)",
				  origin, real, other->name, other->nr);
		else if (is_part(real, other->real))
			tab_wrong(tab, line,
				  "origin '%s' is a partition of %s, the origin of %s in line %u (a cache of the disk or of its partitions)",
				  origin, other->real, other->name, other->nr);
		else if (is_part(other->real, real))
			tab_wrong(tab, line,
				  "origin '%s' has the partition %s, the origin of %s in line %u (a cache of the disk or of its partitions)",
				  origin, other->real, other->name, other->nr);
	}
}

/* Refuses an origin that is the memory of a cache, or a partition of it: a cache claims both. */
static void check_memory(struct rx_tab *tab, struct tab_line *line)
{
	const struct tab_line *other, *end = tab->lines + tab->n_lines;
	const char *origin = line->text[TAB_ORIGIN];
	char *name = dev_kernel_name(line->real ? line->real : origin);

	for (other = tab->lines; other < end && !line->bad; other++)
		if (other->disk && dev_is_of(name, other->disk->name))
			tab_wrong(tab, line,
				  "origin '%s' is on %s, the memory of %s in line %u (a disk that holds no cache)",
				  origin, other->disk->name, other->name, other->nr);
	free(name);
}

/* Refuses an origin that is a cache, or that excludes that of another line. */
static void check_origin(struct rx_tab *tab, struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN];
	char real[PATH_MAX];

	if (!dev_real(origin, real, sizeof(real))) {
		line->real = mem_dup(real);
		check_overlap(tab, line);
		if (!line->bad && tab_origin_is_cache(real))
			tab_wrong(tab, line,
				  "origin '%s' is %s, a cache itself (the device below it)",
				  origin, real);
	}
	if (!line->bad)
		check_memory(tab, line);
	if (!line->bad)
		warn_unstable(tab, line);
}

/* Warns of lines whose origin, or a partition of it, is what USE is on. */
static void check_path(struct rx_tab *tab, const struct tab_use *use)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	char real[PATH_MAX], *name = NULL, *origin;
	const char *path = use->device;
	bool same;

	if (!dev_real(path, real, sizeof(real)))
		name = dev_kernel_name(real);
	for (line = tab->lines; line < end; line++) {
		if (line->bad || !line->text[TAB_ORIGIN])
			continue;
		origin = line->real ? dev_kernel_name(line->real) : NULL;
		same = !strcmp(path, line->text[TAB_ORIGIN]) ||
		       (name && origin && dev_is_of(name, origin));
		free(origin);
		if (same)
			tab_warn(tab, line,
				 "%s has %s for %s: that can't be opened while %s is on it, and may end a boot in emergency mode; take UUID= there (see: lsblk -f)",
				 use->file, path, use->what, line->name);
	}
	free(name);
}

/*
 * Warns of what opens an origin by a path, and so not by its cache. The origin is in use by
 * then, and a boot may end in emergency mode.
 */
static void check_uses(struct rx_tab *tab)
{
	struct tab_uses uses;
	size_t i;

	tab_uses_load(&uses);
	for (i = 0; i < uses.n; i++)
		/* The root file system is mounted before its cache is made. */
		if (!strncmp(uses.v[i].device, "/dev/", 5) && strcmp(uses.v[i].what, "/"))
			check_path(tab, &uses.v[i]);
	tab_uses_free(&uses);
}

/*
 * Refuses an origin that can't have a cache when a boot makes it, and warns of one that
 * can't have it now. Whatever uses the origin through its cache is right.
 */
static void check_use(struct rx_tab *tab, struct tab_line *line)
{
	const char *early = preflight_early_mount(line->real), *next;
	struct rx_strv wrong = { 0 }, holders = { 0 };
	char *name = dev_kernel_name(line->real), *boot, *text;
	size_t i;

	if (early && !line->text[TAB_INITRAMFS])
		tab_note(tab, line, !preflight_off(),
			 "origin '%s' holds %s, which is mounted before the cache can be made (add the option initramfs)",
			 line->text[TAB_ORIGIN], early);
	boot = preflight_boot(line->real);
	if (boot) {
		text = mem_text("origin '%s' %s", line->text[TAB_ORIGIN], boot);
		tab_say(tab, line, false, text);
		free(text);
	}
	free(boot);
	stacked_on(name, &holders);
	if (!early && !strv_has(&holders, line->name))
		preflight_users(line->real, &wrong);
	for (i = 0; i < wrong.n; i++) {
		next = tab_next(wrong.v[i]);
		if (!next)
			tab_warn(tab, line, "%s now", wrong.v[i]);
		else
			tab_warn(tab, line,
				 "%.*s now, where the next boot makes the cache first (to have it before, %s)",
				 (int)(next - wrong.v[i]), wrong.v[i], next + 2);
	}
	if (lvm_finds_twice(name))
		tab_warn(tab, line, "origin '%s' " LVM_TWICE " (" LVM_LINES ")",
			 line->text[TAB_ORIGIN]);
	strv_free(&holders);
	strv_free(&wrong);
	free(name);
}

/*
 * Refuses origins that can't be cached and warns of names that may change. If CHECK is
 * set, it also looks at the users of an origin, and warns of an origin that is missing,
 * an origin that is opened without its cache, and an old initramfs.
 */
void tab_check_origins(struct rx_tab *tab, bool check)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;

	for (line = tab->lines; line < end; line++) {
		if (line->bad || !line->text[TAB_ORIGIN])
			continue;
		check_origin(tab, line);
		if (!check)
			continue;
		warn_initramfs(tab, line);
		if (line->real)
			check_use(tab, line);
		else
			tab_warn(tab, line,
				 "origin '%s' is not there now (see: lsblk, ls /dev/disk/by-id)",
				 line->text[TAB_ORIGIN]);
	}
	if (check)
		check_uses(tab);
}
