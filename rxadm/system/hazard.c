// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds origins whose cache other programs do not understand. grub-install finds the
 * partition table of a file system by the name of its device, and knows the names of caches
 * as little as those of other programs: it builds an image that cannot read the table. And
 * LVM finds a volume on a cache twice, unless it asks udev, which shows it only once.
 */
#include <ctype.h>
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/name.h"
#include "system/dev.h"
#include "system/hazard.h"
#include "system/stacked.h"

/* Tells whether NAME is ORIGIN or a partition of it, or is so through a cache of it. */
static bool is_on(const char *name, const char *origin)
{
	char cache[RX_NAME_LEN];
	enum rx_family family;

	if (dev_is_of(name, origin))
		return true;
	return name_whole(name, &family, cache) && family == RX_CACHE &&
	       !access(sys_path("/sys/class/block/%s/slaves/%s", cache, origin), F_OK);
}

/* Tells whether the device is a partition, or has some. */
static bool has_partitions(const char *name)
{
	struct rx_strv parts = { 0 };
	bool has;

	dev_parts(name, &parts);
	has = parts.n > 1 || !access(sys_path("/sys/class/block/%s/partition", name), F_OK);
	strv_free(&parts);
	return has;
}

/* Tells whether fstab mounts the device NAME, or its cache, on DIR. */
static bool mounts(const char *dir, const char *name, bool *any)
{
	FILE *f = setmntent(sys_path("/etc/fstab"), "re");
	char real[PATH_MAX], *link, *kernel;
	struct mntent *entry;
	bool is = false;

	*any = false;
	while (f && (entry = getmntent(f))) {
		if (strcmp(entry->mnt_dir, dir))
			continue;
		*any = true;
		link = dev_tag_link(entry->mnt_fsname);
		if (!dev_real(link ? link : entry->mnt_fsname, real, sizeof(real))) {
			kernel = dev_kernel_name(real);
			is |= is_on(kernel, name);
			free(kernel);
		}
		free(link);
	}
	if (f)
		endmntent(f);
	return is;
}

static bool has_grub(void)
{
	return !access(sys_path("/boot/grub"), F_OK) || !access(sys_path("/boot/grub2"), F_OK);
}

char *preflight_boot(const char *device)
{
	bool boot, esp, any;
	char *name, *said = NULL;

	if (sys_absent())
		return NULL;
	name = dev_kernel_name(device);
	esp = mounts("/boot/efi", name, &any) || mounts("/efi", name, &any);
	boot = mounts("/boot", name, &any) || (!any && mounts("/", name, &any));
	if (esp)
		said = mem_dup("holds the EFI system partition, which the firmware reads without a cache, and grub-install does not find it through one; cache another partition");
	else if (boot && has_grub() && has_partitions(name))
		said = mem_dup("holds /boot, and grub-install does not see the partition table through a cache; as long as it has one, add to each grub-install: --modules=\"part_gpt part_msdos\", see: man rx-install");
	free(name);
	return said;
}

/* Tells whether a device, or a partition of it, is part of a volume group. */
static bool has_volume(const char *device)
{
	struct rx_strv parts = { 0 };
	bool has = false;
	char *type;
	size_t i;

	dev_parts(device, &parts);
	for (i = 0; i < parts.n && !has; i++) {
		type = dev_udev(parts.v[i], "ID_FS_TYPE");
		has = type && !strcmp(type, "LVM2_member");
		free(type);
	}
	strv_free(&parts);
	return has;
}

/*
 * Looks for "KEY = VALUE" outside of comments, and sets *IS to whether the last VALUE there
 * is WANTED, with quotes or without.
 */
static void look(const char *file, const char *key, const char *wanted, bool *is)
{
	char *text = sys_read(sys_path("/etc/lvm/%s", file)), *rest = text, *line, *p;

	while (rest && (line = strsep(&rest, "\n"))) {
		line[strcspn(line, "#")] = '\0';
		p = strstr(line, key);
		if (!p)
			continue;
		p += strlen(key);
		p += strspn(p, " \t=\"");
		*is = !strncmp(p, wanted, strlen(wanted)) && !isalnum((unsigned char)p[strlen(wanted)]);
	}
	free(text);
}

static bool asks_udev(void)
{
	static const char *const files[] = { "lvm.conf", "lvmlocal.conf" };
	bool source = false, raid = false;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		look(files[i], "external_device_info_source", "udev", &source);
		look(files[i], "fw_raid_component_detection", "1", &raid);
	}
	return source && raid;
}

bool lvm_finds_twice(const char *device)
{
	struct rx_strv holders = { 0 };
	bool has;
	size_t i;

	/* Without LVM nobody is confused. */
	if (sys_absent() || access(sys_path("/etc/lvm"), F_OK))
		return false;
	has = has_volume(device);
	stacked_on(device, &holders);
	for (i = 0; i < holders.n && !has; i++)
		has = name_is(holders.v[i], RX_CACHE) && has_volume(holders.v[i]);
	strv_free(&holders);
	return has && !asks_udev();
}
