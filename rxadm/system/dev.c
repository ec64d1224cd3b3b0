// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices as the system shows them in /dev, /sys, /proc and the files of udev: their names,
 * parts and figures, and the identity by which one is known after a reboot.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/dev.h"

/* Adds the device and, in order, its partitions. */
void dev_parts(const char *name, struct rx_strv *all)
{
	struct rx_strv entries = { 0 };
	size_t i;

	strv_add(all, name);
	sys_entries(&entries, sys_path("/sys/class/block/%s", name));
	strv_sort(&entries);
	for (i = 0; i < entries.n; i++)
		if (strcmp(entries.v[i], name) && dev_is_of(entries.v[i], name))
			strv_add(all, entries.v[i]);
	strv_free(&entries);
}

/* Returns the path of the file in which udev keeps a device, or NULL. The caller frees it. */
char *dev_udev_path(const char *name)
{
	char *number = sys_read(sys_path("/sys/class/block/%s/dev", name));
	/* The file of a device that goes may be opened, and then not be read. */
	char *path = number && *number ? mem_dup(sys_path(UDEV_DATA "/b%s", number)) : NULL;

	free(number);
	return path;
}

/* Returns what udev knows of a device as KEY, or NULL. The caller frees it. */
char *dev_udev(const char *name, const char *key)
{
	char *path = dev_udev_path(name), *text = path ? sys_read(path) : NULL;
	char *want = mem_text("E:%s=", key), *rest = text, *line, *value = NULL;

	while (rest && !value && (line = strsep(&rest, "\n")))
		if (!strncmp(line, want, strlen(want)))
			value = mem_dup(line + strlen(want));
	free(want);
	free(text);
	free(path);
	return value;
}

/*
 * Stores PATH in REAL with its links resolved. Returns 0 or an errno: ENOTBLK if PATH is
 * something else than a block device.
 */
int dev_real(const char *path, char *real, size_t len)
{
	const char *root = sys_root();
	char *above = NULL, *found;
	struct stat st;
	int err = 0;

	if (sys_absent()) {
		snprintf(real, len, "%s", path);
		return 0;
	}
	if (root)
		above = realpath(root, NULL);
	found = realpath(sys_path("%s", path), NULL);
	if (!found || stat(found, &st))
		err = errno;
	else
		snprintf(real, len, "%s", found + (above ? strlen(above) : 0));
	if (!err && !root && !S_ISBLK(st.st_mode))
		err = ENOTBLK;
	free(above);
	free(found);
	return err;
}

/*
 * Returns the link that udev gives the device of a tag such as UUID=1234, as fstab has
 * them, or NULL if TEXT is none. The caller frees it.
 */
char *dev_tag_link(const char *text)
{
	static const char *const tags[][2] = {
		{ "UUID=", "by-uuid" }, { "LABEL=", "by-label" }, { "ID=", "by-id" },
		{ "PARTUUID=", "by-partuuid" }, { "PARTLABEL=", "by-partlabel" },
	};
	static const char plain[] = "#+-.:=@_";
	const char *value = NULL;
	char *link;
	size_t i;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(tags) && !value; i++)
		if (!strncmp(text, tags[i][0], strlen(tags[i][0])))
			value = text + strlen(tags[i][0]);
	if (!value)
		return NULL;
	f = mem_open(&link);
	fprintf(f, "/dev/disk/%s/", tags[i - 1][1]);
	/* udev writes other bytes of ASCII as \xNN. */
	for (; *value; value++) {
		if ((signed char)*value < 0 || isalnum((unsigned char)*value) ||
		    strchr(plain, *value))
			fputc(*value, f);
		else
			fprintf(f, "\\x%02x", (unsigned char)*value);
	}
	mem_close(f);
	return link;
}

bool dev_is_tag(const char *text)
{
	char *link = dev_tag_link(text);
	bool is = link;

	free(link);
	return is;
}

/*
 * Finds the device that the user means by TEXT, on this machine even if RXADM_SYSROOT
 * names another tree. The user may leave out /dev/, or give a tag. Returns 0 or an errno
 * like dev_real(), and sets PATH in any case.
 */
int dev_origin(const char *text, char *path, size_t len)
{
	char *link = dev_tag_link(text), *real;
	char *full = link ? link : mem_text("%s%s", strchr(text, '/') ? "" : "/dev/", text);
	struct stat st;
	int err = 0;

	real = sys_replayed() ? NULL : realpath(full, NULL);
	if (!sys_replayed()) {
		if (!real || stat(real, &st))
			err = errno;
		else if (!S_ISBLK(st.st_mode))
			err = ENOTBLK;
	}
	snprintf(path, len, "%s", real ? real : full);
	free(real);
	free(full);
	return err;
}

/* Stores the name in /sys of a device by its number, or "" if there is none. */
void dev_by_number(unsigned int major, unsigned int minor, char *name, size_t len)
{
	char link[PATH_MAX], *slash;
	ssize_t n = readlink(sys_path("/sys/dev/block/%u:%u", major, minor), link,
			     sizeof(link) - 1);

	link[n < 0 ? 0 : n] = '\0';
	slash = strrchr(link, '/');
	snprintf(name, len, "%.100s", slash ? slash + 1 : link);
}

/* Stores the last component of a link's target or of the path itself. */
void dev_link_name(const char *path, char *name, size_t len)
{
	char *real = realpath(path, NULL);
	const char *p = real ? real : path;
	const char *slash = strrchr(p, '/');

	snprintf(name, len, "%s", slash ? slash + 1 : p);
	free(real);
}

/*
 * Returns the name in /sys of the device that PATH leads to, which the caller frees: that
 * of its number, because a container may have given the node another name. A recorded tree
 * has no real nodes, so there it is the path below /dev, in which a slash is a !.
 */
char *dev_kernel_name(const char *path)
{
	char name[128];
	struct stat st;

	if (!stat(sys_path("%s", path), &st) && S_ISBLK(st.st_mode)) {
		dev_by_number(major(st.st_rdev), minor(st.st_rdev), name, sizeof(name));
		if (*name)
			return mem_dup(name);
	}
	return mem_swap(mem_dup(strncmp(path, "/dev/", 5) ? path : path + 5), '/', '!');
}

/* Tells whether DEVICE is NAME or one of its partitions. */
bool dev_is_of(const char *device, const char *name)
{
	size_t len = strlen(name);
	const char *p = device + len;
	bool digit = len && isdigit((unsigned char)name[len - 1]);

	if (strncmp(device, name, len))
		return false;
	if (!*p)
		return true;
	/* rxd0p1 belongs to rxd0 and sda1 to sda, but rxd01 belongs to neither. */
	if (digit && *p++ != 'p')
		return false;
	return *p && !p[strspn(p, "0123456789")];
}

/*
 * Sets the path of the origin that users know, such as /dev/sdb or /dev/mapper/vg-data.
 * For a cache that is not active yet, the kernel sends only the device number.
 */
void dev_origin_path(struct rx_cache *cache)
{
	char *name, *path = cache->origin_path, found[128];
	const char *kname = cache->origin;
	size_t len = sizeof(cache->origin_path);

	if (!*kname && cache->origin_major != RX_NONE &&
	    cache->origin_minor != RX_NONE) {
		dev_by_number(cache->origin_major, cache->origin_minor, found, sizeof(found));
		kname = found;
	}
	*path = '\0';
	if (!*kname)
		return;
	name = sys_read(sys_path("/sys/class/block/%s/dm/name", kname));
	if (name && *name) {
		snprintf(path, len, "/dev/mapper/%s", name);
	} else {
		snprintf(path, len, "/dev/%.100s", kname);
		/* The kernel writes a slash in the name as !. */
		mem_swap(path, '!', '/');
	}
	free(name);
}

/* Reads the fields of Documentation/block/stat.rst; sectors there have 512 bytes. */
void dev_io(const char *name, struct rx_io *io)
{
	const char *path = sys_path("/sys/block/%s/stat", name);
	char *text = sys_read(path);
	unsigned long long v[9] = { 0 };
	struct stat st;
	int n;

	memset(io, 0xff, sizeof(*io));
	n = !text ? 0 :
	    sscanf(text, "%llu %*u %llu %llu %llu %*u %llu %llu %llu %*u %*u %llu %*u %llu",
		   &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7],
		   &v[8]);
	free(text);
	/* Not every kernel counts discards, the last two fields. */
	if (n < 7 || stat(path, &st))
		return;
	*io = (struct rx_io){
		.reads = v[0], .read_bytes = v[1] * 512,
		.read_ns = v[2] * 1000000,
		.writes = v[3], .write_bytes = v[4] * 512,
		.write_ns = v[5] * 1000000,
		.in_flight = v[6],
		.discards = v[7], .discard_bytes = v[8] * 512,
		.inode = st.st_ino,
	};
}

static uint64_t meminfo(const char *text, const char *key)
{
	const char *p = text ? strstr(text, key) : NULL;

	return p ? strtoull(p + strlen(key), NULL, 10) * 1024 : RX_NONE;
}

/* Reads the memory of the machine. AVAILABLE includes what the kernel could reclaim. */
void dev_memory(uint64_t *total, uint64_t *available)
{
	char *text = sys_read(sys_path("/proc/meminfo"));

	*total = meminfo(text, "MemTotal:");
	*available = meminfo(text, "MemAvailable:");
	free(text);
}

/* Files below the directory of a device in /sys, the most certain one first. */
static const char *const sources[] = {
	"dm/uuid", "dm/name", "md/uuid", "wwid", "device/wwid", "serial", "device/serial",
	"device/cid", "loop/backing_file",
};

/* Removes blanks at the ends, and leaves one where there are several. */
static void squeeze(char *text)
{
	char *from, *to = text;

	for (from = text; *from; from++) {
		if ((unsigned char)*from > ' ')
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
}

static char *disk_identity(const char *dir, const char *kname)
{
	char *value, *found = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sources) && !found; i++) {
		value = sys_read(sys_path("%s/%s", dir, sources[i]));
		if (value)
			squeeze(value);
		if (value && *value)
			found = mem_text("%s=%s", sources[i], value);
		free(value);
	}
	return found ? found : mem_text("name=%s", kname);
}

/*
 * Returns by what the device KNAME, such as sda3, is known after a reboot, when its kernel
 * name may belong to another device. That comes from the device itself, or from the layer
 * that made it, and not from the data on it, because a copy of the data has it too. The
 * caller frees the identity.
 */
char *identity_of(const char *kname)
{
	/* A slash in a device's name is a ! in /sys. */
	char *name = mem_swap(mem_dup(kname), '/', '!'), *dir, *disk, *start, *part, *p, *identity;

	dir = mem_text("/sys/class/block/%s", name);
	part = sys_read(sys_path("%s/partition", dir));
	if (!part) {
		identity = disk_identity(dir, name);
	} else {
		/* The link leads to the directory of the partition, below its disk's. */
		p = mem_text("%s/..", dir);
		disk = disk_identity(p, name);
		free(p);
		start = sys_read(sys_path("%s/start", dir));
		identity = mem_text("%s partition=%s start=%s", disk, part,
				    start ? start : "?");
		free(start);
		free(disk);
	}
	free(part);
	free(dir);
	free(name);
	return identity;
}

static bool part_is_locked(const char *disk, const char *part)
{
	char *text = sys_read(sys_path("/sys/class/block/%s/%s/ro", disk, part));
	bool is = text && !strcmp(text, "1");

	free(text);
	return is;
}

char *locked_text(const struct rx_disk *disk)
{
	struct rx_strv parts = { 0 };
	char *text = NULL;
	size_t i;

	if (disk->read_only == 1)
		return mem_text("is set read-only; if its content may be changed, run: blockdev --setrw /dev/%s",
				disk->name);
	if (sys_absent())
		return NULL;
	dev_parts(disk->name, &parts);
	for (i = 1; i < parts.n && !text; i++)
		if (part_is_locked(disk->name, parts.v[i]))
			text = mem_text("has a partition that is set read-only, %s; if its content may be changed, run: blockdev --setrw /dev/%s",
					parts.v[i], parts.v[i]);
	strv_free(&parts);
	return text;
}
