// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel makes no node where something else has the name already, and says nothing of
 * it. Whoever goes by the name then uses that instead of the device.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "system/dev.h"
#include "system/node.h"

bool node_is(const struct stat *st, uint64_t major, uint64_t minor)
{
	return sys_replayed() ||
	       (S_ISBLK(st->st_mode) &&
		st->st_rdev == makedev((unsigned int)major, (unsigned int)minor));
}

/* Returns a block device by its number and, if the kernel has one, by its name. */
static char *device_text(dev_t dev)
{
	char name[128];

	dev_by_number(major(dev), minor(dev), name, sizeof(name));
	if (!*name)
		return mem_text("block device %u:%u, which does not exist", major(dev), minor(dev));
	return mem_text("block device %u:%u (%s)", major(dev), minor(dev), name);
}

/* Returns what has the name, or NULL if nothing does. The caller frees it. */
static char *there(const char *name)
{
	const char *path = sys_path("/dev/%s", name);
	char link[PATH_MAX];
	struct stat st;
	ssize_t len;

	if (lstat(path, &st))
		return NULL;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return mem_dup("a regular file");
	case S_IFDIR:
		return mem_dup("a directory");
	case S_IFCHR:
		return mem_dup("a character device");
	case S_IFBLK:
		return device_text(st.st_rdev);
	case S_IFLNK:
		len = readlink(path, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = '\0';
		return mem_text("a symbolic link to '%s'", link);
	default:
		return mem_dup("a pipe or socket");
	}
}

void node_say(const char *verb, const char *object, const char *name, const char *what)
{
	char *is = there(name);

	if (is)
		say(verb, object, "/dev/%s is %s, and not %s; move that away, then try again",
		    name, is, what);
	else
		say(verb, object, "/dev/%s is not there, and was to be %s; is devtmpfs mounted on /dev?",
		    name, what);
	free(is);
}
