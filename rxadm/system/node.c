// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits for the nodes of devices, and for udev. The kernel makes no node where something
 * else has the name already, and says nothing of it. Whoever goes by the name then uses that
 * instead of the device.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "system/dev.h"
#include "system/node.h"

#define NODE_WAIT_MS	10000
#define NODE_TAKEN_MS	2000	/* until a program that makes the nodes has replaced it */

bool node_is(const struct stat *st, uint64_t major, uint64_t minor)
{
	return sys_replayed() ||
	       (S_ISBLK(st->st_mode) &&
		st->st_rdev == makedev((unsigned int)major, (unsigned int)minor));
}

/* A device that may not be there yet. */
struct node {
	const char *name;
	unsigned int major, minor;
};

static bool node_ready(const void *arg)
{
	const struct node *node = arg;
	struct stat st;

	return !stat(sys_path("/dev/%s", node->name), &st) &&
	       node_is(&st, node->major, node->minor);
}

/* Whatever has the name already: the kernel makes no other node in its place. */
static bool node_taken(const void *arg)
{
	const struct node *node = arg;
	struct stat st;

	return !lstat(sys_path("/dev/%s", node->name), &st);
}

bool udev_runs(void)
{
	return !access(sys_path("/run/udev/control"), F_OK);
}

/* Tells whether udev works on events. While it does, it may hold a device open. */
bool udev_busy(void)
{
	return udev_runs() && !access(sys_path("/run/udev/queue"), F_OK);
}

/*
 * Waits up to MS until READY(ARG), whose answer depends on files in DIR. Returns the last
 * answer.
 */
bool dev_wait_for(const char *dir, long ms, bool (*ready)(const void *arg),
		  const void *arg)
{
	int64_t end = now_ms() + ms;
	char drain[4096];
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	bool is;

	if (fd >= 0)
		inotify_add_watch(fd, dir, IN_CREATE | IN_MOVED_TO | IN_ATTRIB);
	while (!(is = ready(arg)) && now_ms() < end) {
		/* The time-out also covers a directory without a watch. */
		if (wait_fd(fd, 100) == WAIT_SIGNAL)
			break;
		while (fd >= 0 && read(fd, drain, sizeof(drain)) > 0)
			;
	}
	if (fd >= 0)
		close(fd);
	return is;
}

static bool path_ready(const void *path)
{
	return !access(path, F_OK);
}

static void wait_for_udev(const char *name, int64_t end)
{
	char *path = dev_udev_path(name);

	if (path)
		dev_wait_for(sys_path(UDEV_DATA), end - now_ms(), path_ready, path);
	free(path);
}

/*
 * Waits MS at most until udev has processed a device that is there. Until it has given the
 * names of an origin to its cache, these names lead to a device that is in use. Partitions
 * have links of their own, by which file systems are mounted.
 */
void dev_settle(const char *name, long ms)
{
	int64_t end = now_ms() + ms;
	struct rx_strv parts = { 0 };
	size_t i;

	if (sys_absent() || !udev_runs())
		return;
	wait_for_udev(name, end);
	dev_parts(name, &parts);
	for (i = 1; i < parts.n; i++)
		wait_for_udev(parts.v[i], end);
	strv_free(&parts);
}

/*
 * Waits until /dev/NAME is there and, where udev runs, has been processed, so that links
 * and permissions are right. Returns false if the node does not appear. A slow udev is no
 * failure.
 */
bool dev_wait(const char *name, uint64_t major, uint64_t minor)
{
	struct node node = { name, (unsigned int)major, (unsigned int)minor };

	if (major == RX_NONE || minor == RX_NONE)
		return false;
	if (sys_absent())
		return true;
	if (!dev_wait_for(sys_path("/dev"), NODE_WAIT_MS, node_taken, &node) ||
	    !dev_wait_for(sys_path("/dev"), NODE_TAKEN_MS, node_ready, &node))
		return false;
	dev_settle(name, UDEV_WAIT_MS);
	return true;
}

/* Does the same as dev_real() for a device that may still be on its way. */
int dev_await(const char *path, char *real, size_t len, long wait_ms)
{
	char *full = mem_dup(sys_path("%s", path)), *dir = mem_dup(full);

	*strrchr(dir, '/') = '\0';
	if (wait_ms > 0 && !sys_absent())
		dev_wait_for(dir, wait_ms, path_ready, full);
	free(dir);
	free(full);
	return dev_real(path, real, len);
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
