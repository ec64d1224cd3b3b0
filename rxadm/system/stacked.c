// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names the devices that stand on a device, such as those of LVM, LUKS, multipath, md,
 * bcache and DRBD, and the command of each that ends it; and takes the names of the caches
 * that hold a disk apart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "system/dev.h"
#include "system/stacked.h"

/* Stores and returns the first name of *REST, and moves *REST behind it; NULL: no more. */
const char *holder_next(const char **rest, char name[RX_NAME_LEN])
{
	size_t len = strcspn(*rest, ",");

	if (!len)
		return NULL;
	snprintf(name, RX_NAME_LEN, "%.*s", (int)len, *rest);
	*rest += len + ((*rest)[len] == ',');
	return name;
}

/*
 * Stores and returns the first name of HOLDERS whose cache is active. Each holder can
 * change the size of the disk, but not while it is starting or draining. If none is
 * active, the first name is taken, and the kernel will tell.
 */
const char *holder_active(const char *holders, char name[RX_NAME_LEN])
{
	const char *rest = holders;
	struct rx_cache cache;
	struct rx_err err;

	while (strchr(holders, ',') && holder_next(&rest, name))
		if (!nl_get(RX_CACHE, name, &cache, &err) &&
		    cache.state == RX_STATE_ACTIVE)
			return name;
	rest = holders;
	return holder_next(&rest, name);
}

#define DEPTH_MAX	16	/* against a loop, which only a broken /sys can have */
#define LVM_ID		68	/* "LVM-" and the ids of the group and the volume, 32 each */

/* Adds the devices, for example of dm or md, that hold NAME or a partition of it. */
void stacked_on(const char *name, struct rx_strv *holders)
{
	struct rx_strv parts = { 0 };
	size_t i;

	dev_parts(name, &parts);
	for (i = 0; i < parts.n; i++)
		sys_entries(holders, sys_path("/sys/class/block/%s/holders", parts.v[i]));
	strv_free(&parts);
}

/*
 * Takes the name "vg-lv" of a logical volume apart; LVM doubles the hyphens of both. Returns
 * "vg/lv", or "vg" if GROUP. The caller frees it.
 */
static char *lvm_name(const char *dm, bool group)
{
	char *text;
	FILE *f = mem_open(&text);
	bool in_group = true;

	for (; *dm; dm++) {
		if (*dm != '-' || dm[1] == '-') {
			fputc(*dm, f);
			dm += *dm == '-';
		} else if (in_group && group) {
			break;
		} else {
			fputc(in_group ? '/' : '-', f);
			in_group = false;
		}
	}
	mem_close(f);
	return text;
}

/* Returns the command that removes the device-mapper device; the caller frees it. */
static char *dm_command(const char *name, const char *uuid)
{
	/* A part of a volume, such as a pool's data, goes with the volume alone. */
	bool part = strlen(uuid) > LVM_ID;
	char *lv, *command;

	if (!strncmp(uuid, "LVM-", 4)) {
		lv = lvm_name(name, part);
		command = mem_text("%s -an %s", part ? "vgchange" : "lvchange", quoted(lv));
		free(lv);
		return command;
	}
	if (!strncmp(uuid, "CRYPT-VERITY-", 13))
		return mem_text("veritysetup close %s", quoted(name));
	if (!strncmp(uuid, "CRYPT-INTEGRITY-", 16))
		return mem_text("integritysetup close %s", quoted(name));
	if (!strncmp(uuid, "CRYPT-", 6))
		return mem_text("cryptsetup close %s", quoted(name));
	if (!strncmp(uuid, "mpath-", 6))
		return mem_text("multipath -f %s", quoted(name));
	return mem_text("dmsetup remove %s", quoted(name));
}

static void tell_dm(const char *kname, const char *name, struct rx_strv *says)
{
	char *uuid = sys_read(sys_path("/sys/class/block/%s/dm/uuid", kname));
	char *command = dm_command(name, uuid ? uuid : "");

	strv_print(says, "in use by /dev/mapper/%s; run: %s", name, command);
	free(command);
	free(uuid);
}

/* Says who holds a disk. HOLDER may be several caches, separated by commas. */
void stacked_tell_caches(const char *holder, struct rx_strv *says)
{
	char *names, first[RX_NAME_LEN];
	const char *rest = holder;

	if (!name_is(holder_next(&rest, first), RX_CACHE)) {
		strv_print(says, "in use by %s; release it first", holder);
		return;
	}
	names = mem_swap(mem_dup(holder), ',', ' ');
	strv_print(says, "in use by %s; run: rxadm unmap %s", holder, names);
	free(names);
}

static void tell_one(const char *kname, struct rx_strv *says)
{
	char *dm = sys_read(sys_path("/sys/class/block/%s/dm/name", kname));

	if (dm)
		tell_dm(kname, dm, says);
	else if (!strncmp(kname, "md", 2))
		strv_print(says, "in use by %s; run: mdadm --stop /dev/%s", kname, kname);
	else if (!strncmp(kname, "bcache", 6))
		strv_print(says, "in use by %s; run: echo 1 >/sys/block/%s/bcache/stop", kname,
			   kname);
	else if (!strncmp(kname, "drbd", 4))
		strv_print(says, "in use by %s; see its resource: drbdsetup status, and run: drbdadm down RESOURCE",
			   kname);
	else
		stacked_tell_caches(kname, says);
	free(dm);
}

/* What stands on a device has to go before it, so only the uppermost are named. */
static void tell_above(const char *name, unsigned int depth, struct rx_strv *says)
{
	struct rx_strv holders = { 0 }, above = { 0 };
	size_t i;

	stacked_on(name, &holders);
	for (i = 0; i < holders.n; i++) {
		stacked_on(holders.v[i], &above);
		if (above.n && depth < DEPTH_MAX)
			tell_above(holders.v[i], depth + 1, says);
		else
			tell_one(holders.v[i], says);
		strv_free(&above);
	}
	strv_free(&holders);
}

void stacked_tell(const char *name, struct rx_strv *says)
{
	struct rx_strv all = { 0 };
	size_t i;

	tell_above(name, 0, &all);
	/* Two of its partitions may be in one device. */
	for (i = 0; i < all.n; i++)
		if (!strv_has(says, all.v[i]))
			strv_add(says, all.v[i]);
	strv_free(&all);
}
