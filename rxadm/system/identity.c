// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the identity of a block device, by which it is known after a reboot, when its
 * kernel name may belong to another device. The identity comes from the device itself, or
 * from the layer that made the device. It is not read from the data on the device,
 * because a copy of the data has it too.
 */
#include <stdlib.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/sys.h"
#include "system/identity.h"

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

/* KNAME is the kernel's name, such as sda3. The caller frees the identity. */
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
