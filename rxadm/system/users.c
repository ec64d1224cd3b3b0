// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the users of a device: mounts, swap, loop devices, exports, and processes that have
 * it open; stacked.c finds the devices above it. Partitions count as the device.
 */
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/claims.h"
#include "system/dev.h"
#include "system/hooks.h"
#include "system/stacked.h"
#include "system/users.h"

struct use {
	bool swap;
	int id;			/* of the mount */
	struct rx_strv devices;	/* kernel names: what is mounted, what is below */
	char *where;
};

static struct use *uses;
static size_t n_uses;
static bool loaded;

/* Replaces the escapes that the kernel writes in its tables, such as \040 for a space. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' &&
		    text[3] >= '0' && text[3] <= '7') {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 |
				(text[3] - '0');
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* Stores the last component of a link's target or of the path itself. */
static void kernel_name(const char *path, char *name, size_t len)
{
	char *real = realpath(path, NULL);
	const char *p = real ? real : path;
	const char *slash = strrchr(p, '/');

	snprintf(name, len, "%s", slash ? slash + 1 : p);
	free(real);
}

/* Adds the other devices of the btrfs on DEVICE: its mounts name only one of them. */
static void add_btrfs(const char *device, struct rx_strv *devices)
{
	struct rx_strv all = { 0 };
	size_t i;

	sys_entries(&all, sys_path("/sys/fs/btrfs"));
	for (i = 0; i < all.n; i++)
		if (!access(sys_path("/sys/fs/btrfs/%s/devices/%s", all.v[i], device), F_OK))
			sys_entries(devices, sys_path("/sys/fs/btrfs/%s/devices", all.v[i]));
	strv_free(&all);
}

static void add_below(struct use *use)
{
	size_t i;

	/* The bound is against a loop, which only a broken /sys can have. */
	for (i = 0; i < use->devices.n && i < 64; i++)
		sys_entries(&use->devices,
			    sys_path("/sys/class/block/%s/slaves",
				     use->devices.v[i]));
}

/* Adds a use. PATH leads to the device: a node, or a link below /sys. ID is -1 for swap. */
static void add_use(int id, const char *path, const char *where)
{
	char device[64];
	struct use *use;

	kernel_name(path, device, sizeof(device));
	uses = mem_grow(uses, n_uses, sizeof(*uses));
	use = &uses[n_uses++];
	*use = (struct use){ .swap = id < 0, .id = id, .where = mem_dup(where) };
	strv_add(&use->devices, device);
	if (!use->swap)
		add_btrfs(device, &use->devices);
	add_below(use);
}

/*
 * Adds the other devices of a file system: XFS and others show those of the log and of
 * realtime files as options, bcachefs all its devices as the source.
 */
static void add_devices(struct use *use, const char *source, const char *options)
{
	static const char *const keys[] = { "logdev=", "rtdev=", "jdev=" };
	char device[64], *copy = mem_text("%s,%s", source, options), *rest = copy, *word;
	const char *path;
	size_t i;

	while ((word = strsep(&rest, ",:"))) {
		path = word;
		for (i = 0; i < ARRAY_SIZE(keys); i++)
			if (!strncmp(word, keys[i], strlen(keys[i])))
				path = word + strlen(keys[i]);
		if (strncmp(path, "/dev/", 5) || (path == word && !strchr(source, ':')))
			continue;
		kernel_name(sys_path("%s", path), device, sizeof(device));
		if (!strv_has(&use->devices, device))
			strv_add(&use->devices, device);
	}
	free(copy);
	add_below(use);
}

static void drop_uses(size_t keep)
{
	while (n_uses > keep) {
		n_uses--;
		free(uses[n_uses].where);
		strv_free(&uses[n_uses].devices);
	}
}

/*
 * Reads "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw". A file system
 * of several devices has a number of its own, 0:N, and is known by its source. So have
 * network and other file systems, whose source is no device.
 */
static void load_mount(const char *line)
{
	char number[32], where[PATH_MAX], source[PATH_MAX], options[PATH_MAX] = "";
	const char *rest = strstr(line, " - ");
	size_t before = n_uses;
	int id;

	if (!rest || sscanf(line, "%d %*s %31s %*s %4095s", &id, number, where) != 3 ||
	    sscanf(rest, " - %*s %4095s %4095s", source, options) < 1)
		return;
	unescape(where);
	unescape(source);
	unescape(options);
	if (strncmp(number, "0:", 2))
		add_use(id, sys_path("/sys/dev/block/%s", number), where);
	else if (!strncmp(source, "/dev/", 5))
		add_use(id, sys_path("%s", source), where);
	if (n_uses > before)
		add_devices(&uses[before], source, options);
}

static void load_mounts(const char *path)
{
	char *text = sys_read(path), *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n")))
		load_mount(line);
	free(text);
}

static void load(void)
{
	char *text, *rest, *line, name[PATH_MAX], type[32];

	if (loaded)
		return;
	loaded = true;
	load_mounts(sys_path("/proc/self/mountinfo"));
	text = rest = sys_read(sys_path("/proc/swaps"));
	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "%4095s %31s", name, type) != 2 || strcmp(type, "partition"))
			continue;
		unescape(name);
		add_use(-1, sys_path("%s", name), name);
	}
	free(text);
}

static bool use_is_of(const struct use *use, const char *name)
{
	size_t i;

	for (i = 0; i < use->devices.n; i++)
		if (dev_is_of(use->devices.v[i], name))
			return true;
	return false;
}

/* Adds the places where NAME is mounted, [SWAP] included. */
void users_mounts(const char *name, struct rx_strv *mounts)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (use_is_of(&uses[i], name))
			strv_add(mounts, uses[i].swap ? "[SWAP]" :
				 uses[i].where);
}

/* Tells whether the mount ID of the kernel's table is one of NAME. */
bool users_has_mount(const char *name, int id)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (uses[i].id == id && use_is_of(&uses[i], name))
			return true;
	return false;
}

/* Tells whether DEVICE itself is mounted, and not only a partition of it. */
bool users_is_mounted(const char *device)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (!uses[i].swap && strv_has(&uses[i].devices, device))
			return true;
	return false;
}

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
			kernel_name(sys_path("%s", file), device,
				    sizeof(device));
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
	kernel_name(sys_path("/sys/dev/block/%u:%u", st.stx_rdev_major, st.stx_rdev_minor),
		    device, sizeof(device));
	return dev_is_of(device, name);
}

/* Adds "fio (pid 17)" for each process that has the device open. */
static void find_processes(const char *name, struct rx_strv *procs)
{
	struct rx_strv pids = { 0 }, fds = { 0 };
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
			strv_print(procs, "%s (pid %s)", comm ? comm : "?",
				   pids.v[i]);
			free(comm);
			break;
		}
		strv_free(&fds);
	}
	strv_free(&pids);
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

static void tell_uses(const char *name, bool swap, const char *what, const char *next,
		      struct rx_strv *says)
{
	struct rx_strv places = { 0 };
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (uses[i].swap == swap && use_is_of(&uses[i], name))
			strv_add(&places, uses[i].where);
	tell(says, &places, what, next);
}

static void tell_swaps(const char *name, struct rx_strv *says)
{
	tell_uses(name, true, "in use as swap:", "run: swapoff ", says);
}

static void tell_mounts(const char *name, struct rx_strv *says)
{
	tell_uses(name, false, "mounted on", "run: umount ", says);
	tell_swaps(name, says);
}

/* A loop device claims nothing, so only who must be alone asks for it. */
void users_loops(const char *name, struct rx_strv *says)
{
	struct rx_strv v = { 0 };

	find_loops(name, &v);
	tell(says, &v, "in use by", "run: losetup -d ");
}

static void tell_processes(const char *name, struct rx_strv *says)
{
	struct rx_strv v = { 0 };

	find_processes(name, &v);
	tell(says, &v, "open in", "let them finish or stop them");
}

/* Tells of a mount that only another process sees, for example one in a container. */
static void tell_elsewhere(const char *name, struct rx_strv *says)
{
	size_t i, j, first = n_uses;
	struct rx_strv pids = { 0 };
	char *comm;

	sys_entries(&pids, sys_path("/proc"));
	for (i = 0; i < pids.n && !says->n; i++) {
		if (!isdigit((unsigned char)*pids.v[i]))
			continue;
		load_mounts(sys_path("/proc/%s/mountinfo", pids.v[i]));
		for (j = first; j < n_uses && !says->n; j++) {
			if (!use_is_of(&uses[j], name))
				continue;
			comm = sys_read(sys_path("/proc/%s/comm", pids.v[i]));
			strv_print(says, "mounted on %s for %s (pid %s) only; run: nsenter -t %s -m umount %s",
				   uses[j].where, comm ? comm : "?", pids.v[i],
				   pids.v[i], quoted(uses[j].where));
			free(comm);
		}
		drop_uses(first);
	}
	strv_free(&pids);
}

/* Makes the next question read the mounts again. */
void users_forget(void)
{
	loaded = false;
	drop_uses(0);
}

/* Adds "mounted on /mnt; run: umount /mnt" and the like for all that has claimed NAME. */
void users_list(const char *name, struct rx_strv *says)
{
	users_forget();
	tell_mounts(name, says);
	stacked_tell(name, says);
	claims_tell(name, says);
	hooks.tell_users(name, says);
}

/* Does the same for all users that are no mounted file system, loop devices too. */
void users_others(const char *name, const char *holder, struct rx_strv *says)
{
	users_forget();
	tell_swaps(name, says);
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

	users_forget();
	users_mounts(name, &v);
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

	users_forget();
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
