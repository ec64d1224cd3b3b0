// SPDX-License-Identifier: GPL-2.0-only
/* Finds out whether LVM asks udev, which shows it a volume on a cache only once. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strv.h"
#include "base/sys.h"
#include "kernel/name.h"
#include "system/dev.h"
#include "system/lvm.h"
#include "system/stacked.h"

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
