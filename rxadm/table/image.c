// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options of a line of the table that keep its disk over a reboot, and the places of
 * images: the file systems that have to be there before an image can be read, by
 * /etc/fstab and the units of systemd.
 */
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/unitfile.h"
#include "base/units.h"
#include "system/dev.h"
#include "system/mounts.h"
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
	if (line->text[TAB_IMAGE])
		check_others(tab, line);
	else if (line->text[TAB_SAVE])
		tab_wrong(tab, line, "save makes no sense without image (image=/var/lib/rxdsk/%s.img)",
			  line->name);
	tab_unique(tab, line, TAB_IMAGE, "image");
}

/* Returns the longest time that a restore or save of the line's disk may take. */
uint64_t tab_image_ms(const struct tab_line *line)
{
	uint64_t gib = (tab_disk_size(line) + (1ULL << 30) - 1) >> 30;

	return line->text[TAB_IMAGE] ? FIRST_MS + gib * SLOW_MS : 0;
}

/* Returns the directory of an absolute path, which the caller frees. */
char *image_dir(const char *path)
{
	size_t len = strrchr(path, '/') - path;

	return len ? mem_text("%.*s", (int)len, path) : mem_dup("/");
}

/* Returns the length of a path without the slashes at its end, which fstab may have. */
static size_t length(const char *path)
{
	size_t len = strlen(path);

	while (len && path[len - 1] == '/')
		len--;
	return len;
}

/* Tells whether PATH lies below the mount point DIR. All paths lie below "/". */
static bool is_below(const char *path, const char *dir)
{
	size_t len = length(dir);

	return *dir == '/' && !strncmp(path, dir, len) && path[len] == '/';
}

/* Returns the next entry of a table of file systems with a mount point above PATH. */
static struct mntent *next_above(FILE *f, const char *path)
{
	struct mntent *entry;

	while (f && (entry = getmntent(f)))
		if (strcmp(entry->mnt_type, MNTTYPE_SWAP) && is_below(path, entry->mnt_dir))
			return entry;
	if (f)
		endmntent(f);
	return NULL;
}

static FILE *fstab(void)
{
	return setmntent(sys_path("/etc/fstab"), "re");
}

/* Tells whether systemd has a unit from a file for a mount point. */
static bool has_unit(const char *dir)
{
	static const char *const places[] = {
		"/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system",
	};
	char *name = unit_of_path(dir, "mount");
	bool has = false;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places) && !has; i++)
		has = !access(sys_path("%s/%s", places[i], name), F_OK);
	free(name);
	return has;
}

static bool has_unit_above(const char *path)
{
	char *dir = mem_dup(path), *end;
	bool has = false;

	while (!has && (end = strrchr(dir, '/')) > dir) {
		*end = '\0';
		has = has_unit(dir);
	}
	free(dir);
	return has;
}

/*
 * Tells whether a path lies in the root file system, by fstab and the files of units. Other
 * generators of systemd may mount file systems that neither has.
 */
bool image_on_root(const char *path)
{
	FILE *f = fstab();
	struct mntent *entry;
	bool on_root = !has_unit_above(path);

	while ((entry = next_above(f, path)))
		on_root &= !strcmp(entry->mnt_dir, "/");
	return on_root;
}

static bool is_mounted(const char *dir)
{
	FILE *f = setmntent(sys_path("/proc/self/mounts"), "re");
	size_t len = length(dir);
	bool is = !f, any = false;
	struct mntent *entry;

	while (f && !is && (entry = getmntent(f))) {
		any = true;
		is = length(entry->mnt_dir) == len && !strncmp(entry->mnt_dir, dir, len);
	}
	if (f)
		endmntent(f);
	return is || !any;
}

/*
 * Returns the mount point of a file system in fstab that PATH lies on and that is not
 * mounted, or NULL. The caller frees it. Without it, PATH would mean another file.
 */
char *image_unmounted(const char *path)
{
	struct rx_strv dirs = { 0 };
	char *found = NULL;
	FILE *f = fstab();
	struct mntent *entry;
	size_t i;

	/* All first, because there is only one entry in memory. */
	while ((entry = next_above(f, path)))
		strv_add(&dirs, entry->mnt_dir);
	for (i = 0; i < dirs.n && !found; i++)
		if (!is_mounted(dirs.v[i]))
			found = mem_dup(dirs.v[i]);
	strv_free(&dirs);
	return found;
}

/* Tells whether an entry of fstab is of the disk NAME, a partition of it, or what is above. */
static bool is_of_disk(const struct mntent *entry, const char *name)
{
	char *link = dev_tag_link(entry->mnt_fsname), *kernel, real[PATH_MAX];
	char *path = link ? link : mem_dup(entry->mnt_fsname);
	char *by_id = mem_text("/dev/disk/by-id/rx-%s", name);
	bool is = !strcmp(path, by_id) ||
		  (!strncmp(path, "/dev/", 5) && !strcmp(path + 5, name));

	/* Other paths may lie below an automount, for which a generator would wait in vain. */
	if (!is && !strncmp(path, "/dev/", 5) && !dev_real(path, real, sizeof(real))) {
		kernel = dev_kernel_name(real);
		is = !sys_absent() && dev_is_of(kernel, name);
		free(kernel);
	}
	free(by_id);
	free(path);
	return is;
}

/* Tells whether systemd mounts a file system when the network is there. */
static bool is_remote(const struct mntent *entry)
{
	static const char *const types[] = {
		"afs", "ceph", "cifs", "davfs", "gfs", "gfs2", "glusterfs", "lustre", "ncp", "ncpfs",
		"nfs", "nfs4", "ocfs2", "orangefs", "pvfs2", "smb3", "smbfs", "sshfs", NULL,
	};
	const char *type = entry->mnt_type;

	if (!strncmp(type, "fuse.", strlen("fuse.")))
		type += strlen("fuse.");
	return hasmntopt(entry, "_netdev") || matches_any(type, types);
}

/* Tells whether PATH lies on such a file system. */
bool image_is_remote(const char *path)
{
	FILE *f = fstab();
	struct mntent *entry;
	bool is = false;

	while ((entry = next_above(f, path)))
		is |= is_remote(entry);
	return is;
}

/* Adds the devices of the file systems in fstab that have to be there for PATH. */
void image_devices(const char *path, struct rx_strv *devices)
{
	FILE *f = fstab();
	struct mntent *entry;
	char *link;

	while ((entry = next_above(f, path))) {
		link = dev_tag_link(entry->mnt_fsname);
		strv_add(devices, link ? link : entry->mnt_fsname);
		free(link);
	}
}

/*
 * Tells whether local-fs.target may wait for a disk whose image is at PATH: not if the
 * mount of the image waits for a unit that we do not know, which may wait for that target.
 */
bool image_before_target(const char *path)
{
	FILE *f = fstab();
	struct mntent *entry;
	bool may = !has_unit_above(path);

	while ((entry = next_above(f, path)))
		may &= !strstr(entry->mnt_opts, "x-systemd.requires=") &&
		       !strstr(entry->mnt_opts, "x-systemd.after=");
	return may;
}

/* Refuses an image that can be read only when its disk is there. */
static void check_itself(struct rx_tab *tab, struct tab_line *line)
{
	const char *path = line->text[TAB_IMAGE];
	struct rx_strv mounts = { 0 };
	char *found = NULL;
	FILE *f = fstab();
	struct mntent *entry;
	size_t i;

	if (!sys_absent())
		mounts_of(line->name, &mounts);
	for (i = 0; i < mounts.n && !found; i++)
		if (is_below(path, mounts.v[i]))
			found = mem_dup(mounts.v[i]);
	while ((entry = next_above(f, path)))
		if (!found && is_of_disk(entry, line->name))
			found = mem_dup(entry->mnt_dir);
	if (found)
		tab_wrong(tab, line, "image '%s' lies on the disk itself, which is mounted on %s (a path on another file system)",
			  path, found);
	free(found);
	strv_free(&mounts);
}

/*
 * Refuses a path over a symbolic link: systemd would not know which file system it needs. A
 * link as the file itself is read, but no save replaces it. Warns of a directory in which
 * others could put an image of their own.
 */
static void check_dir(struct rx_tab *tab, struct tab_line *line, bool check)
{
	const char *path = line->text[TAB_IMAGE];
	char *dir = image_dir(path), *real = realpath(dir, NULL);
	struct stat st;

	if (real && strcmp(real, dir))
		tab_wrong(tab, line, "image '%s': %s leads to %s (that path)", path, dir, real);
	else if (real && check && !stat(dir, &st) && st.st_mode & S_IWOTH)
		tab_warn(tab, line, "image '%s': every user may write to %s, and so replace the image (chmod o-w %s)",
			 path, dir, quoted(dir));
	else if (real && check && !stat(dir, &st) && st.st_uid && st.st_uid != geteuid())
		tab_warn(tab, line, "image '%s': %s belongs to user %u, who may replace the image (chown root %s)",
			 path, dir, st.st_uid, quoted(dir));
	else if (!real && check)
		tab_warn(tab, line, "image '%s': the directory %s is not there now (mkdir -p -m 700 %s, or mount it)",
			 path, dir, quoted(dir));
	if (!line->bad && !lstat(path, &st) && S_ISLNK(st.st_mode))
		tab_wrong(tab, line, "image '%s' is a symbolic link, over which no image is saved (the path that it leads to)",
			  path);
	else if (!line->bad && !stat(path, &st) && !S_ISREG(st.st_mode))
		tab_wrong(tab, line, "image '%s' is no regular file (the path of a file)", path);
	free(real);
	free(dir);
}

/* Warns of a file system that is empty after each boot, as /tmp often is. */
static void warn_memory(struct rx_tab *tab, struct tab_line *line)
{
	static const char *const types[] = { "tmpfs", "ramfs", NULL };
	FILE *f = setmntent(sys_path("/proc/self/mounts"), "re");
	const char *path = line->text[TAB_IMAGE];
	char *dir = NULL, *type = NULL;
	struct mntent *entry;

	/* The path lies on the one with the longest name, and of those above each other on the last. */
	while ((entry = next_above(f, path))) {
		if (dir && strlen(entry->mnt_dir) < strlen(dir))
			continue;
		free(dir);
		free(type);
		dir = mem_dup(entry->mnt_dir);
		type = mem_dup(entry->mnt_type);
	}
	if (type && matches_any(type, types))
		tab_warn(tab, line, "image '%s' lies on %s, which is in memory and empty after a boot (a path on a disk)",
			 path, dir);
	free(dir);
	free(type);
}

static void warn_remote(struct rx_tab *tab, struct tab_line *line)
{
	const char *path = line->text[TAB_IMAGE];
	FILE *f = fstab();
	struct mntent *entry;

	while ((entry = next_above(f, path)))
		if (is_remote(entry) && !line->text[TAB_NETDEV])
			tab_warn(tab, line, "image '%s' lies on %s, which needs the network (add the option _netdev)",
				 path, entry->mnt_dir);
}

/* Does what needs no other file system, and waits for nothing. */
void tab_check_own_places(struct rx_tab *tab)
{
	struct tab_line *line;

	for (line = tab->lines; line < tab->lines + tab->n_lines; line++)
		if (!line->bad && line->text[TAB_IMAGE])
			check_itself(tab, line);
}

/*
 * Refuses images in a place from which a boot can't restore them. If CHECK is set, it also
 * warns of what may be meant.
 */
void tab_check_places(struct rx_tab *tab, bool check)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;

	tab_check_own_places(tab);
	for (line = tab->lines; line < end; line++) {
		if (line->bad || !line->text[TAB_IMAGE])
			continue;
		check_dir(tab, line, check);
		if (line->bad || !check)
			continue;
		warn_memory(tab, line);
		warn_remote(tab, line);
	}
}
