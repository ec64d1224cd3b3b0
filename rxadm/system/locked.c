// SPDX-License-Identifier: GPL-2.0-only
/* Finds out whether the owner of a disk has protected its content, or that of a part. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/dev.h"
#include "system/locked.h"

static bool part_is_locked(const char *disk, const char *part)
{
	char *text = sys_read(sys_path("/sys/class/block/%s/%s/ro", disk, part));
	bool is = text && !strcmp(text, "1");

	free(text);
	return is;
}

char *locked_text(const struct rx_disk *disk)
{
	struct rx_strv parts = { 0 };
	char *text = NULL;
	size_t i;

	if (disk->read_only == 1)
		return mem_text("is set read-only; if its content may be changed, run: blockdev --setrw /dev/%s",
				disk->name);
	if (sys_absent())
		return NULL;
	dev_parts(disk->name, &parts);
	for (i = 1; i < parts.n && !text; i++)
		if (part_is_locked(disk->name, parts.v[i]))
			text = mem_text("has a partition that is set read-only, %s; if its content may be changed, run: blockdev --setrw /dev/%s",
					parts.v[i], parts.v[i]);
	strv_free(&parts);
	return text;
}
