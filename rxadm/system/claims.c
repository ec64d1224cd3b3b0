// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the users of a device inside the kernel that leave no link in its holders/: the SCSI
 * target (iSCSI, vhost), zram, USB gadgets, block2mtd, RNBD, bcache, the journal of another
 * file system, ZFS, and a file system that is still there after umount -l.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/claims.h"
#include "system/dev.h"
#include "system/mounts.h"

/* Returns the component of PATH that has DEPTH components after it. The caller frees it. */
static char *part_of(const char *path, unsigned int depth)
{
	char *copy = mem_dup(path), *slash, *part;

	for (; depth && (slash = strrchr(copy, '/')); depth--)
		*slash = '\0';
	slash = strrchr(copy, '/');
	part = mem_dup(slash ? slash + 1 : copy);
	free(copy);
	return part;
}

static void tell_target(const char *file, struct rx_strv *says)
{
	char *backstore = part_of(file, 1), *hba = part_of(file, 2);

	strv_print(says, "in use by the SCSI target (iSCSI) as %s; run: targetcli /backstores/%s delete %s",
		   backstore, strncmp(hba, "fileio", 6) ? "block" : "fileio", quoted(backstore));
	free(hba);
	free(backstore);
}

static void tell_zram(const char *file, struct rx_strv *says)
{
	char *zram = part_of(file, 1);

	strv_print(says, "in use by %s, as its backing device; run: swapoff /dev/%s; zramctl --reset /dev/%s",
		   zram, zram, zram);
	free(zram);
}

static void tell_gadget(const char *file, struct rx_strv *says)
{
	strv_print(says, "in use by a USB gadget; run: echo >%s", quoted(file));
}

static void tell_mtd(const char *file, struct rx_strv *says)
{
	char *mtd = part_of(file, 1);

	strv_print(says, "in use by block2mtd as %s; run: modprobe -r block2mtd", mtd);
	free(mtd);
}

static void tell_rnbd(const char *file, struct rx_strv *says)
{
	(void)file;
	strv_print(says, "in use by the RNBD server; end its sessions: /sys/class/rnbd-server/ctl/devices");
}

/* Files that contain the path of the device that somebody uses, after PREFIX, or lead to it. */
static const struct {
	const char *files, *prefix;
	void (*tell)(const char *file, struct rx_strv *says);
} places[] = {
	{ "/sys/kernel/config/target/core/*/*/udev_path", "", tell_target },
	{ "/sys/block/zram*/backing_dev", "", tell_zram },
	{ "/sys/kernel/config/usb_gadget/*/functions/*/lun.*/file", "", tell_gadget },
	{ "/sys/class/mtd/mtd*/name", "block2mtd: ", tell_mtd },
	{ "/sys/class/rnbd-server/ctl/devices/*/block_dev", NULL, tell_rnbd },
};

/* Tells whether the file FILE has the path of NAME or a partition of it. */
static bool leads_to(const char *file, const char *prefix, const char *name)
{
	char *text = prefix ? sys_read(file) : realpath(file, NULL), *device = NULL;
	bool is = false;

	if (text && !prefix)
		device = part_of(text, 0);
	else if (text && !strncmp(text, prefix, strlen(prefix)) &&
		 text[strlen(prefix)] == '/') {
		text[strcspn(text, "\n")] = '\0';
		device = dev_kernel_name(text + strlen(prefix));
	}
	is = device && dev_is_of(device, name);
	free(device);
	free(text);
	return is;
}

static void tell_places(const char *name, struct rx_strv *says)
{
	size_t i, j, root = strlen(sys_path("/"));
	glob_t found;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (glob(sys_path("%s", places[i].files), 0, NULL, &found))
			continue;
		for (j = 0; j < found.gl_pathc; j++)
			if (leads_to(found.gl_pathv[j], places[i].prefix, name))
				places[i].tell(found.gl_pathv[j] + root - 1, says);
		globfree(&found);
	}
}

/* A backing device of bcache has a link to its bcacheN, which a caching device has not. */
static void tell_bcache(const char *device, struct rx_strv *says)
{
	const char *dir = sys_path("/sys/class/block/%s/bcache", device);

	if (access(dir, F_OK) || !access(sys_path("/sys/class/block/%s/bcache/dev", device), F_OK))
		return;
	strv_print(says, "in use by bcache, as %s; run: echo 1 >/sys/class/block/%s/bcache/%s",
		   device, device,
		   access(sys_path("/sys/class/block/%s/bcache/set", device), F_OK) ? "stop" :
		   "set/stop");
}

/* Tells whether the journal of the ext4 on DEVICE is written by the thread jbd2/JOURNAL. */
static bool has_journal(const char *device, const char *journal)
{
	char *pid = sys_read(sys_path("/sys/fs/ext4/%s/journal_task", device));
	char *comm = pid ? sys_read(sys_path("/proc/%d/comm", atoi(pid))) : NULL;
	char *want = mem_text("jbd2/%s", journal);
	bool has = comm && (!strcmp(comm, want) ||
			    /* Older kernels cut the names of threads. */
			    (strlen(comm) == 15 && !strncmp(comm, want, 15)));

	free(want);
	free(comm);
	free(pid);
	return has;
}

/* The journal of an ext4 on its own device is named DEVICE-INODE instead. */
static void tell_journal(const char *journal, struct rx_strv *says)
{
	struct rx_strv all = { 0 }, mounts = { 0 };
	size_t i;

	if (access(sys_path("/proc/fs/jbd2/%s", journal), F_OK))
		return;
	sys_entries(&all, sys_path("/sys/fs/ext4"));
	for (i = 0; i < all.n && !mounts.n; i++)
		if (has_journal(all.v[i], journal))
			mounts_of(all.v[i], &mounts);
	if (mounts.n)
		strv_print(says, "in use as the journal of the file system on %s; run: umount %s",
			   mounts.v[0], quoted_all(&mounts));
	else
		strv_print(says, "in use as the journal of another file system; see: findmnt -t ext4");
	strv_free(&mounts);
	strv_free(&all);
}

void claims_tell(const char *name, struct rx_strv *says)
{
	struct rx_strv devices = { 0 };
	size_t i;

	tell_places(name, says);
	dev_parts(name, &devices);
	for (i = 0; i < devices.n; i++) {
		tell_bcache(devices.v[i], says);
		tell_journal(devices.v[i], says);
	}
	strv_free(&devices);
}

static void guess_zfs(const char *device, struct rx_strv *says)
{
	char *type = dev_udev(device, "ID_FS_TYPE");
	char *pool = dev_udev(device, "ID_FS_LABEL");

	if (type && !strcmp(type, "zfs_member") && !access(sys_path("/sys/module/zfs"), F_OK))
		strv_print(says, "in use, and has the label of the ZFS pool %s; see: zpool status, and run: zpool export %s",
			   pool ? pool : "?", pool ? quoted(pool) : "POOL");
	free(pool);
	free(type);
}

/* A file system lives on after umount -l while a file of it is open. */
static void guess_left(const char *device, struct rx_strv *says)
{
	static const char *const types[] = { "ext4", "xfs", "f2fs", "erofs" };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!access(sys_path("/sys/fs/%s/%s", types[i], device), F_OK) &&
		    !mounts_hold(device))
			strv_print(says, "in use by its file system (%s), which was unmounted lazily (umount -l) or is mounted in a namespace without a process; see: fuser -vm /dev/%s, lsns -t mnt, findmnt -t nsfs",
				   types[i], device);
}

void claims_guess(const char *name, struct rx_strv *says)
{
	struct rx_strv devices = { 0 };
	size_t i;

	dev_parts(name, &devices);
	for (i = 0; i < devices.n; i++) {
		guess_zfs(devices.v[i], says);
		guess_left(devices.v[i], says);
	}
	strv_free(&devices);
}
