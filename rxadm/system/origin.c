// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells udev of an origin. udev does not see that a cache begins or ends, nor which file
 * systems and partitions were written through the cache. So the origin and its partitions
 * get a "change" event each. If the partition table has changed, the kernel reads the
 * table again first.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "system/dev.h"
#include "system/node.h"
#include "system/origin.h"

/* A slash in a device's name is a ! in /sys. */
static const char *sysfs_name(const char *kname, char *buf, size_t len)
{
	snprintf(buf, len, "%s", kname);
	return mem_swap(buf, '/', '!');
}

/*
 * Reads the partitions of DISK. Returns their numbers, starts and sizes in a text that
 * the caller frees.
 */
static char *parts_read(const char *disk)
{
	static const char *const files[] = { "partition", "start", "size" };
	struct rx_strv all = { 0 }, parts = { 0 };
	char *v[ARRAY_SIZE(files)], *text;
	size_t i, f;

	sys_entries(&all, sys_path("/sys/class/block/%s", disk));
	for (i = 0; i < all.n; i++) {
		for (f = 0; f < ARRAY_SIZE(files); f++)
			v[f] = sys_read(sys_path("/sys/class/block/%s/%s/%s",
						 disk, all.v[i], files[f]));
		if (v[0])
			strv_print(&parts, "%s %s %s", v[0], v[1] ? v[1] : "0",
				   v[2] ? v[2] : "0");
		for (f = 0; f < ARRAY_SIZE(files); f++)
			free(v[f]);
	}
	strv_sort(&parts);
	text = strv_join(&parts, "\n");
	strv_free(&parts);
	strv_free(&all);
	return text;
}

/*
 * Makes the kernel read the partitions again. It is no error if a device without
 * partitions refuses that, or if the origin is gone.
 */
static void parts_reread(const char *kname)
{
	int fd, err = 0;

	fd = open(sys_path("/dev/%s", kname),
		  O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKRRPART))
		err = errno;
	if (fd >= 0)
		close(fd);
	if (err && err != EINVAL && err != ENOTTY && err != ENOENT &&
	    err != ENXIO)
		say("unmap", kname,
		    "its partitions have changed and could not be read anew (%s); run: partprobe /dev/%s",
		    strerror(err), kname);
}

/* The file in which udev keeps a device. An event of the device replaces the file. */
struct record {
	char *path;		/* NULL: there is no udev to wait for */
	struct stat st;
};

static bool record_is_new(const void *arg)
{
	const struct record *old = arg;
	struct stat now;

	return !stat(old->path, &now) && (now.st_ino != old->st.st_ino ||
					  now.st_mtim.tv_sec != old->st.st_mtim.tv_sec ||
					  now.st_mtim.tv_nsec != old->st.st_mtim.tv_nsec);
}

/* Sends a "change" event, and notes what it replaces. */
static void change(const char *name, struct record *record)
{
	static const char event[] = "change\n";
	int fd = open(sys_path("/sys/class/block/%s/uevent", name), O_WRONLY | O_CLOEXEC);
	char *path = udev_runs() ? dev_udev_path(name) : NULL;
	bool wait = path && !stat(path, &record->st);

	if (fd >= 0 && write(fd, event, sizeof(event) - 1) > 0 && wait)
		record->path = path;
	else
		free(path);
	if (fd >= 0)
		close(fd);
}

/*
 * Sends an event for the origin and each of its partitions, and waits for udev. If the
 * origin is a partition, CACHE gets an event too: when the cache was new, udev may not
 * have seen it with its origin yet.
 */
static void changed(const char *kname, const char *cache)
{
	int64_t end = now_ms() + UDEV_WAIT_MS;
	struct rx_strv devices = { 0 };
	struct record *records;
	char disk[64];
	size_t i;

	dev_parts(sysfs_name(kname, disk, sizeof(disk)), &devices);
	if (cache && !access(sys_path("/sys/class/block/%s/partition", disk), F_OK))
		strv_add(&devices, cache);
	records = mem_zero(devices.n, sizeof(*records));
	for (i = 0; i < devices.n; i++)
		change(devices.v[i], &records[i]);
	/* A slow udev is no failure. */
	for (i = 0; i < devices.n; i++) {
		if (records[i].path)
			dev_wait_for(sys_path(UDEV_DATA), end - now_ms(), record_is_new,
				     &records[i]);
		free(records[i].path);
	}
	free(records);
	strv_free(&devices);
}

/*
 * Tells whether the origin is known. A recording has an origin only in a tree of its own.
 */
static bool known(const struct rx_cache *cache)
{
	return *cache->origin && !sys_absent();
}

/*
 * Called when CACHE begins. The cache of a partition also has the PARTUUID of the
 * partition, see 60-rx.rules.
 */
void origin_event(const struct rx_cache *cache)
{
	if (known(cache))
		changed(cache->origin, cache->name);
}

/* Called when the content of the disk NAME was replaced. */
void disk_event(const char *name)
{
	if (!sys_replayed())
		changed(name, NULL);
}

/*
 * Returns the partitions that are seen through CACHE, or NULL if its origin is not known.
 */
char *origin_parts(const struct rx_cache *cache)
{
	return known(cache) ? parts_read(cache->name) : NULL;
}

/* Called when CACHE is gone. PARTS is what origin_parts() returned before. */
void origin_released(const struct rx_cache *cache, const char *parts)
{
	char disk[64], *now;

	if (!parts)
		return;
	now = parts_read(sysfs_name(cache->origin, disk, sizeof(disk)));
	if (strcmp(now, parts))
		parts_reread(cache->origin);
	changed(cache->origin, NULL);
	free(now);
}
