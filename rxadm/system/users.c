// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the users of a device: loop devices, and processes that have it open; mounts.c finds
 * mounts and swap, stacked.c finds the devices above it. Partitions count as the device.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/hooks.h"
#include "system/claims.h"
#include "system/dev.h"
#include "system/mounts.h"
#include "system/node.h"
#include "system/stacked.h"
#include "system/users.h"

static void find_loops(const char *name, struct rx_strv *loops)
{
	struct rx_strv all = { 0 };
	char device[64], *file;
	size_t i;

	sys_entries(&all, sys_path("/sys/block"));
	for (i = 0; i < all.n; i++) {
		if (strncmp(all.v[i], "loop", 4))
			continue;
		file = sys_read(sys_path("/sys/block/%s/loop/backing_file",
					 all.v[i]));
		if (file && !strncmp(file, "/dev/", 5)) {
			dev_link_name(sys_path("%s", file), device, sizeof(device));
			if (dev_is_of(device, name))
				strv_print(loops, "/dev/%s", all.v[i]);
		}
		free(file);
	}
	strv_free(&all);
}

/*
 * Tells whether an open file is a node of the device that is not in /dev, as in a container.
 * A server of files that does not answer is not asked.
 */
static bool is_node(const char *link, const char *name)
{
	struct statx st;
	char device[64];

	if (statx(AT_FDCWD, link, AT_STATX_DONT_SYNC, STATX_TYPE, &st) || !S_ISBLK(st.stx_mode))
		return false;
	dev_by_number(st.stx_rdev_major, st.stx_rdev_minor, device, sizeof(device));
	return dev_is_of(device, name);
}

/* Adds "WHAT all of V; NEXT", with V again if NEXT is a command. Frees V. */
static void tell(struct rx_strv *says, struct rx_strv *v, const char *what,
		 const char *next)
{
	char *and = strv_join(v, " and ");

	if (v->n)
		strv_print(says, "%s %s; %s%s", what, and, next,
			   strchr(next, ':') ? quoted_all(v) : "");
	free(and);
	strv_free(v);
}

static void tell_uses(const char *name, bool swap, struct rx_strv *says)
{
	struct rx_strv places = { 0 };

	mounts_places(name, swap, &places);
	tell(says, &places, swap ? "in use as swap:" : "mounted on",
	     swap ? "run: swapoff " : "run: umount ");
}

static void tell_mounts(const char *name, struct rx_strv *says)
{
	tell_uses(name, false, says);
	tell_uses(name, true, says);
}

/* A loop device claims nothing, so only who must be alone asks for it. */
void users_loops(const char *name, struct rx_strv *says)
{
	struct rx_strv v = { 0 };

	find_loops(name, &v);
	tell(says, &v, "in use by", "run: losetup -d ");
}

/* Tells of each process that has the device open, "fio (pid 17)". */
static void tell_processes(const char *name, struct rx_strv *says)
{
	struct rx_strv pids = { 0 }, fds = { 0 }, procs = { 0 };
	char target[PATH_MAX], *comm;
	size_t i, j;
	ssize_t n;

	sys_entries(&pids, sys_path("/proc"));
	for (i = 0; i < pids.n; i++) {
		/* Files that this process has open come from its parent, which is listed. */
		if (!isdigit((unsigned char)*pids.v[i]) ||
		    atoi(pids.v[i]) == getpid())
			continue;
		sys_entries(&fds, sys_path("/proc/%s/fd", pids.v[i]));
		for (j = 0; j < fds.n; j++) {
			n = readlink(sys_path("/proc/%s/fd/%s", pids.v[i],
					      fds.v[j]),
				     target, sizeof(target) - 1);
			if (n < 0)
				continue;
			target[n] = '\0';
			if (*target != '/' ||
			    ((strncmp(target, "/dev/", 5) ||
			      !dev_is_of(strrchr(target, '/') + 1, name)) &&
			     !is_node(sys_path("/proc/%s/fd/%s", pids.v[i], fds.v[j]), name)))
				continue;
			comm = sys_read(sys_path("/proc/%s/comm", pids.v[i]));
			strv_print(&procs, "%s (pid %s)", comm ? comm : "?",
				   pids.v[i]);
			free(comm);
			break;
		}
		strv_free(&fds);
	}
	strv_free(&pids);
	tell(says, &procs, "open in", "let them finish or stop them");
}

/* Tells of a mount that only another process sees, for example one in a container. */
static void tell_elsewhere(const char *name, struct rx_strv *says)
{
	struct rx_strv pids = { 0 };
	char *comm, *where;
	size_t i;

	sys_entries(&pids, sys_path("/proc"));
	for (i = 0; i < pids.n && !says->n; i++) {
		if (!isdigit((unsigned char)*pids.v[i]))
			continue;
		where = mounts_elsewhere(name, pids.v[i]);
		if (!where)
			continue;
		comm = sys_read(sys_path("/proc/%s/comm", pids.v[i]));
		strv_print(says, "mounted on %s for %s (pid %s) only; run: nsenter -t %s -m umount %s",
			   where, comm ? comm : "?", pids.v[i], pids.v[i], quoted(where));
		free(comm);
		free(where);
	}
	strv_free(&pids);
}

/* Adds "mounted on /mnt; run: umount /mnt" and the like for all that has claimed NAME. */
void users_list(const char *name, struct rx_strv *says)
{
	mounts_forget();
	tell_mounts(name, says);
	stacked_tell(name, says);
	claims_tell(name, says);
	hooks.tell_users(name, says);
}

/* Does the same for all users that are no mounted file system, loop devices too. */
void users_others(const char *name, const char *holder, struct rx_strv *says)
{
	mounts_forget();
	tell_uses(name, true, says);
	/* Caches are in holders/ too. */
	if (*holder)
		stacked_tell_caches(holder, says);
	else
		stacked_tell(name, says);
	claims_tell(name, says);
	users_loops(name, says);
	hooks.tell_users(name, says);
}

/* Tells whether the device has a user that a short wait does not end. */
bool users_firm(const char *name, const char *holder)
{
	struct rx_strv v = { 0 };
	bool firm;

	mounts_forget();
	mounts_of(name, &v);
	stacked_on(name, &v);
	claims_tell(name, &v);
	find_loops(name, &v);
	hooks.tell_users(name, &v);
	firm = v.n || (holder && *holder);
	strv_free(&v);
	return firm;
}

/*
 * Says which users NAME has and what to do. Returns false if no user was found. SUBJECT
 * is "" when NAME is what the verb was about, else "DEVICE is ".
 */
bool users_say(const char *verb, const char *object, const char *subject,
	       const char *name, const char *holder)
{
	void (*const tellers[])(const char *, struct rx_strv *) = {
		tell_mounts, stacked_tell, claims_tell, users_loops, hooks.tell_users,
		tell_processes, tell_elsewhere, claims_guess,
	};
	struct rx_strv says = { 0 };
	size_t i;
	bool any;

	mounts_forget();
	if (holder && *holder)
		stacked_tell_caches(holder, &says);
	for (i = 0; i < ARRAY_SIZE(tellers) && !says.n; i++)
		tellers[i](name, &says);
	for (i = 0; i < says.n; i++)
		say(verb, object, "%s%s", subject, says.v[i]);
	any = says.n;
	strv_free(&says);
	return any;
}

int users_open(const char *verb, const struct rx_device *device, int flags, int *fd)
{
	const char *holder = device->family == RX_DISK ? ((const struct rx_disk *)device)->holder : NULL;
	const char *name = device->name, *path = sys_path("/dev/%s", name);
	struct stat st;

	/* Nodes of a recorded tree are plain files. */
	*fd = open(path, (sys_replayed() ? flags & ~O_EXCL : flags | O_DIRECT) | O_CLOEXEC);
	if (*fd < 0 && errno == EBUSY) {
		if (!users_say(verb, name, "", name, holder))
			say(verb, name, "is claimed by another program or a part of the kernel; see: fuser -v /dev/%s, lsblk",
			    name);
		return RX_KERNEL;
	}
	if (*fd >= 0 && !fstat(*fd, &st) && node_is(&st, device->major, device->minor))
		return RX_OK;
	/* A file in the place of the node may not be opened with O_DIRECT. */
	if (*fd < 0 && (stat(path, &st) || node_is(&st, device->major, device->minor)))
		say(verb, name, "/dev/%s: %s", name, strerror(errno));
	else
		node_say(verb, name, name, device->family == RX_DISK ? "the disk" : "the cache");
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return RX_KERNEL;
}
