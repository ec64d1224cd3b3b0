// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what a request can't tell about a disk or cache before it is made: who uses the
 * origin, and a size that the machine has no memory for. All else is the kernel's to refuse.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "kernel/name.h"
#include "run/preflight.h"
#include "system/dev.h"
#include "system/hazard.h"
#include "system/mounts.h"
#include "system/users.h"

void preflight_memory(enum rx_family family, uint64_t size, uint64_t floor, struct rx_strv *doubt)
{
	uint64_t total, available;
	char is[32], has[32];

	dev_memory(&total, &available);
	if (sys_absent() || total == RX_NONE)
		return;
	size_print(total, has, sizeof(has));
	if (floor != RX_NONE && floor >= total)
		strv_print(doubt, "floor %s is all of the memory of this machine, %s; say less",
			   size_print(floor, is, sizeof(is)), has);
	if (size != RX_NONE && size > total)
		strv_print(doubt, "size %s is more than the memory of this machine, %s; %s",
			   size_print(size, is, sizeof(is)), has, family == RX_DISK ?
			   "writes fail once that is taken" : "the cache never gets that much");
}

const char *preflight_early_mount(const char *device)
{
	static const char *const early[] = { "/", "/usr" };
	struct rx_strv mounts = { 0 };
	const char *found = NULL;
	char *name;
	size_t i;

	if (sys_absent())
		return NULL;
	name = dev_kernel_name(device);
	mounts_of(name, &mounts);
	for (i = 0; i < ARRAY_SIZE(early) && !found; i++)
		if (strv_has(&mounts, early[i]))
			found = early[i];
	strv_free(&mounts);
	free(name);
	return found;
}

char *preflight_claimed(const char *device)
{
	int fd;

	/* Nodes of a recorded tree are plain files. */
	if (sys_replayed() || sys_root())
		return NULL;
	fd = open(device, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == EBUSY)
		return mem_text("is claimed by another program or a part of the kernel; see: fuser -v %s, lsblk",
				quoted(device));
	if (fd >= 0)
		close(fd);
	return NULL;
}

/*
 * Says that the device has a cache, or that the device of which it is a partition has a
 * holder. Then nobody can claim it, and what is above it does not matter.
 */
static bool held_as_a_whole(const char *origin, const char *name, struct rx_strv *wrong)
{
	struct rx_strv holders = { 0 }, above = { 0 };
	bool is = true;

	sys_entries(&holders, sys_path("/sys/class/block/%s/holders", name));
	sys_entries(&above, sys_path("/sys/class/block/%s/../holders", name));
	/* A disk may be the memory of that cache, but a partition can't. */
	if (holders.n && name_is(holders.v[0], RX_CACHE) && !name_is(name, RX_DISK))
		strv_print(wrong, "%s is mapped already; use /dev/%s, or run: rxadm unmap %s",
			   origin, holders.v[0], holders.v[0]);
	else if (above.n)
		strv_print(wrong, "%s is a partition of what %s holds; use a partition of /dev/%s",
			   origin, above.v[0], above.v[0]);
	else
		is = false;
	strv_free(&above);
	strv_free(&holders);
	return is;
}

void preflight_users(const char *origin, struct rx_strv *wrong)
{
	const char *early;
	struct rx_strv says = { 0 };
	char *name, *claimed = NULL;
	size_t i;

	if (sys_absent())
		return;
	name = dev_kernel_name(origin);
	early = preflight_early_mount(origin);
	if (held_as_a_whole(origin, name, wrong)) {
		free(name);
		return;
	}
	/* Other users of such an origin get its cache at the next boot. */
	if (early)
		strv_print(wrong, "%s holds %s, so the initramfs has to make its cache; give it a line with initramfs in /etc/rxtab, see: man rxtab",
			   origin, early);
	else
		users_list(name, &says);
	for (i = 0; i < says.n; i++)
		strv_print(wrong, "%s is %s", origin, says.v[i]);
	/* Only a dry run looks, because a request claims the device by itself. */
	if (!says.n && !early && rx.dry_run)
		claimed = preflight_claimed(origin);
	if (claimed)
		strv_print(wrong, "%s %s", origin, claimed);
	free(claimed);
	strv_free(&says);
	free(name);
}

bool preflight_off(void)
{
	const char *off = getenv("RXADM_NO_PREFLIGHT");

	return off && *off && strcmp(off, "0");
}

/* Says the texts, and frees them. */
static void say_all(const char *verb, const char *object, const char *before,
		    struct rx_strv *texts)
{
	size_t i;

	for (i = 0; i < texts->n; i++)
		say(verb, object, "%s%s", before, texts->v[i]);
	strv_free(texts);
}

void preflight_warn(const char *verb, const char *object, enum rx_family family, uint64_t size,
		    uint64_t floor)
{
	struct rx_strv doubt = { 0 };

	if (preflight_off() || rx.quiet)
		return;
	preflight_memory(family, size, floor, &doubt);
	say_all(verb, object, "warning: ", &doubt);
}

bool preflight_origin(const char *verb, const char *object, const char *origin)
{
	struct rx_strv wrong = { 0 };
	bool good;
	char *name;

	if (preflight_off())
		return true;
	preflight_users(origin, &wrong);
	good = !wrong.n;
	say_all(verb, object, "", &wrong);
	name = dev_kernel_name(origin);
	if (good && !rx.quiet && lvm_finds_twice(name))
		say(verb, object, "warning: %s " LVM_TWICE "; " LVM_LINES, origin);
	free(name);
	return good;
}
