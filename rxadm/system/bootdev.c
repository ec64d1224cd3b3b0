// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds origins from which the machine is started. grub-install finds the partition table
 * of a file system by the name of its device, and knows the names of caches as little as
 * those of other programs: it builds an image that cannot read the table.
 */
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/name.h"
#include "system/bootdev.h"
#include "system/dev.h"

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
