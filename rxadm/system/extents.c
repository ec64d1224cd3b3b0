// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds parts of a cache's device. FIEMAP asks the file system which parts a file has.
 * The answer is in offsets in the device that the file system is mounted from: the cache,
 * or a partition of the cache.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sys.h"
#include "base/units.h"
#include "system/extents.h"

#define SECTOR	512
#define BATCH	128	/* extents asked for at a time */

/* Adds a part. Neighbours of the same kind become one. */
void extents_add(struct rx_extents *e, uint64_t offset, uint64_t length, bool unwritten)
{
	struct rx_extent *last = e->n ? &e->at[e->n - 1] : NULL;

	e->bytes += length;
	if (last && last->offset + last->length == offset && last->unwritten == unwritten) {
		last->length += length;
		return;
	}
	e->at = mem_grow(e->at, e->n, sizeof(*e->at));
	e->at[e->n++] = (struct rx_extent){ offset, length, unwritten };
}

void extents_free(struct rx_extents *e)
{
	free(e->at);
	*e = (struct rx_extents){ 0 };
}

/*
 * Reads a range, OFFSET+LENGTH with units; an offset of 0 needs none. Returns false if
 * TEXT is no range.
 */
bool extents_of_range(const char *text, struct rx_extents *e)
{
	const char *plus = strchr(text, '+');
	uint64_t offset, length;
	char first[64], why[128];
	bool is;

	if (!plus || (size_t)(plus - text) >= sizeof(first))
		return false;
	snprintf(first, sizeof(first), "%.*s", (int)(plus - text), text);
	is = size_parse(first, !strcmp(first, "0"), &offset, why, sizeof(why)) &&
	     size_parse(plus + 1, false, &length, why, sizeof(why)) && length;
	if (is)
		extents_add(e, offset, length, false);
	return is;
}

/*
 * Finds where the device of a file system begins in the cache. Returns false if the
 * device lies elsewhere.
 */
static bool device_start(dev_t dev, const struct rx_cache *cache, uint64_t *start)
{
	uint64_t whole_major, whole_minor;
	char *parent, *sectors;
	bool is;

	*start = 0;
	if (major(dev) == cache->major && minor(dev) == cache->minor)
		return true;
	sectors = sys_read(sys_path("/sys/dev/block/%u:%u/start", major(dev), minor(dev)));
	parent = sectors ? sys_read(sys_path("/sys/dev/block/%u:%u/../dev",
					     major(dev), minor(dev))) : NULL;
	is = parent && sscanf(parent, "%" SCNu64 ":%" SCNu64, &whole_major,
			      &whole_minor) == 2 &&
	     whole_major == cache->major && whole_minor == cache->minor;
	if (is)
		*start = strtoull(sectors, NULL, 10) * SECTOR;
	free(parent);
	free(sectors);
	return is;
}

/*
 * Tells whether a part of a file has a place of its own. Some have no place, or share one
 * with other data.
 */
static bool has_place(const struct fiemap_extent *extent)
{
	return !(extent->fe_flags & (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
				     FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL));
}

/*
 * Tells whether XFS keeps the file on the real-time device of its file system, which
 * FIEMAP hides.
 */
static bool is_realtime(int fd)
{
	struct fsxattr attr;

	return !ioctl(fd, FS_IOC_FSGETXATTR, &attr) &&
	       attr.fsx_xflags & FS_XFLAG_REALTIME;
}

/* Adds the parts of a file. Returns 0 or an errno. */
static int ask_extents(int fd, uint64_t start, struct rx_extents *e)
{
	struct fiemap *map = mem_zero(1, sizeof(*map) + BATCH * sizeof(*map->fm_extents));
	const struct fiemap_extent *extent;
	bool last = false;
	uint32_t i;
	int err = 0;

	while (!last && !err) {
		map->fm_length = FIEMAP_MAX_OFFSET - map->fm_start;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		map->fm_extent_count = BATCH;
		if (ioctl(fd, FS_IOC_FIEMAP, map))
			err = errno;
		last = !map->fm_mapped_extents;
		for (i = 0; !err && i < map->fm_mapped_extents; i++) {
			extent = &map->fm_extents[i];
			if (has_place(extent))
				extents_add(e, start + extent->fe_physical,
					    extent->fe_length,
					    extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN);
			map->fm_start = extent->fe_logical + extent->fe_length;
			last = extent->fe_flags & FIEMAP_EXTENT_LAST;
		}
	}
	free(map);
	return err;
}

/*
 * Finds where the file PATH lies in CACHE. Returns false if that fails, and WHY says what
 * is wrong.
 */
bool extents_of_file(const char *path, const struct rx_cache *cache,
		     struct rx_extents *e, char *why, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;
	uint64_t start;
	struct stat st;

	*why = '\0';
	if (fd < 0 || fstat(fd, &st)) {
		snprintf(why, len, "%s; say a FILE, or a RANGE such as 1G+64M",
			 strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		snprintf(why, len, "not a regular file; say a FILE, or a RANGE such as 1G+64M");
	} else if (!device_start(st.st_dev, cache, &start)) {
		snprintf(why, len, "not on a file system of /dev/%s or of a partition of it; say a RANGE of /dev/%s instead, such as 1G+64M",
			 cache->name, cache->name);
	} else if (is_realtime(fd)) {
		snprintf(why, len, "lies on the real-time device of its file system, not on /dev/%s",
			 cache->name);
	} else {
		err = ask_extents(fd, start, e);
		if (err)
			snprintf(why, len, "its file system does not say where it lies: %s; say a RANGE instead",
				 strerror(err));
		else if (!e->n)
			snprintf(why, len, "has no blocks of its own on /dev/%s",
				 cache->name);
	}
	if (fd >= 0)
		close(fd);
	return !*why;
}
