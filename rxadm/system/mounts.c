// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out which devices are mounted or in use as swap. A mount counts for all devices below
 * it, and a partition counts as its whole device.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/dev.h"
#include "system/mounts.h"

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

	dev_link_name(path, device, sizeof(device));
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
		dev_link_name(sys_path("%s", path), device, sizeof(device));
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
void mounts_of(const char *name, struct rx_strv *mounts)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (use_is_of(&uses[i], name))
			strv_add(mounts, uses[i].swap ? "[SWAP]" :
				 uses[i].where);
}

/* Tells whether the mount ID of the kernel's table is one of NAME. */
bool mounts_have(const char *name, int id)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (uses[i].id == id && use_is_of(&uses[i], name))
			return true;
	return false;
}

/* Tells whether DEVICE itself is mounted, and not only a partition of it. */
bool mounts_hold(const char *device)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (!uses[i].swap && strv_has(&uses[i].devices, device))
			return true;
	return false;
}

/* Adds where NAME is in use as SWAP, or where it is mounted. */
void mounts_places(const char *name, bool swap, struct rx_strv *places)
{
	size_t i;

	load();
	for (i = 0; i < n_uses; i++)
		if (uses[i].swap == swap && use_is_of(&uses[i], name))
			strv_add(places, uses[i].where);
}

/*
 * Returns a place where NAME is mounted for a process, such as one in a container, or NULL.
 * The caller frees it.
 */
char *mounts_elsewhere(const char *name, const char *pid)
{
	size_t i, first = n_uses;
	char *where = NULL;

	load_mounts(sys_path("/proc/%s/mountinfo", pid));
	for (i = first; i < n_uses && !where; i++)
		if (use_is_of(&uses[i], name))
			where = mem_dup(uses[i].where);
	drop_uses(first);
	return where;
}

/* Makes the next question read the mounts again. */
void mounts_forget(void)
{
	loaded = false;
	drop_uses(0);
}
