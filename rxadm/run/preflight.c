// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what is wrong with a disk or cache before it is made: values that the kernel
 * refuses, pages and memory that this machine does not have, and origins that others use.
 * The limits are those of the protocol.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
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

#define SECTOR		512ULL

static void check_block(const struct rx_draft *draft, struct rx_strv *wrong)
{
	uint64_t block = draft->block.num;

	if (draft->family == RX_DISK) {
		if (block != RXDSK_BLOCK_MIN && block != RXDSK_BLOCK_MAX)
			strv_print(wrong, "block '%s' is none of a disk; say 512 or 4K",
				   draft->block.text);
		return;
	}
	if (block < RXCACHE_BLOCK_MIN || block > RXCACHE_BLOCK_MAX || block & (block - 1))
		strv_print(wrong, "block '%s' is none of a cache; say 4K, 8K, 16K, 32K or 64K",
			   draft->block.text);
}

/* A cache on a disk needs a block of it at least. Tells whether the size is wrong. */
static bool check_size(const struct rx_draft *draft, struct rx_strv *wrong)
{
	uint64_t least = RXDSK_SIZE_MIN;
	char text[32];

	if (draft->family == RX_CACHE && draft->block.text &&
	    draft->block.num <= RXCACHE_BLOCK_MAX && draft->block.num > least)
		least = draft->block.num;
	if (draft->size.num < RXDSK_SIZE_MIN)
		strv_print(wrong, "size '%s' is too small; say at least %s, for example 1G",
			   draft->size.text, size_exact(RXDSK_SIZE_MIN, text, sizeof(text)));
	else if (draft->size.num < least)
		strv_print(wrong, "size '%s' is smaller than a cache block; say at least %s",
			   draft->size.text, size_exact(least, text, sizeof(text)));
	else if (draft->size.num > RXDSK_SIZE_MAX)
		strv_print(wrong, "size '%s' is too big; the largest disk has %s",
			   draft->size.text, size_exact(RXDSK_SIZE_MAX, text, sizeof(text)));
	else
		return false;
	return true;
}

/*
 * Checks the shares of one cache against each other, and against the size of its disk. If
 * that is not known, two of the same kind can be compared all the same.
 */
static void check_shares(const struct rx_draft *draft, struct rx_strv *wrong)
{
	const struct rx_draft_value *min = &draft->min_share, *max = &draft->max_share;
	uint64_t size = draft->size.text ? size_whole(draft->size.num) : RX_NONE, whole = size == RX_NONE ? RXDSK_SIZE_MAX : size;
	uint64_t least = min->text ? part_bytes(min->text, min->num, whole) : 0;
	uint64_t most = max->text ? part_bytes(max->text, max->num, whole) : RX_NONE;
	uint64_t block = draft->block.text ? draft->block.num : RXCACHE_BLOCK_MIN;
	bool same = size != RX_NONE || (min->text && max->text &&
			part_is_percent(min->text) == part_is_percent(max->text));
	char is[32];

	if (least > whole)
		strv_print(wrong, "min-share '%s' is more than the disk has; say at most %s",
			   min->text, size_exact(whole, is, sizeof(is)));
	else if (most < block)
		strv_print(wrong, "max-share '%s' is smaller than a cache block; say for example 50%%",
			   max->text);
	else if (most < least && same)
		strv_print(wrong, "max-share '%s' is smaller than min-share '%s'; say at least as much",
			   max->text, min->text);
}

void preflight_values(const struct rx_draft *draft, struct rx_strv *wrong,
		      struct rx_strv *doubt)
{
	bool wrong_size = false;
	char text[32];

	if (draft->size.text)
		wrong_size = check_size(draft, wrong);
	if (draft->queues.text && draft->queues.num > RXDSK_QUEUES_MAX)
		strv_print(wrong, "queues '%s' are too many; say 1 to %d", draft->queues.text,
			   RXDSK_QUEUES_MAX);
	if (draft->block.text)
		check_block(draft, wrong);
	if (draft->queues.text && draft->queue_mode.text &&
	    draft->queue_mode.num == RXDSK_QUEUE_MODE_BIO)
		strv_print(wrong, "queues and queue-mode=bio exclude each other; such a disk has no queues");
	if (draft->prealloc && draft->zero_detect)
		strv_print(wrong, "prealloc and zero-detect exclude each other; a preallocated disk keeps its memory");
	if (draft->prealloc && draft->limit.text)
		strv_print(wrong, "prealloc and limit exclude each other; a preallocated disk has all of its memory");
	if (draft->limit.text && draft->limit.num && draft->limit.num < (uint64_t)sysconf(_SC_PAGESIZE))
		strv_print(wrong, "limit '%s' is less than a page; say at least %ldK",
			   draft->limit.text, sysconf(_SC_PAGESIZE) >> 10);
	/* The kernel takes any floor. */
	if (draft->floor.text && draft->size.text && !wrong_size &&
	    draft->floor.num > draft->size.num)
		strv_print(doubt, "floor '%s' is more than the size; say at most %s",
			   draft->floor.text,
			   size_exact(draft->size.num, text, sizeof(text)));
	if (!wrong_size)
		check_shares(draft, wrong);
}

static uint64_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* Returns the bytes of a cache block, with the kernel's default. */
static uint64_t machine_block(const struct rx_draft *draft)
{
	if (draft->block.num && draft->block.num != RX_NONE)
		return draft->block.num;
	return page_size() > RXCACHE_BLOCK_MIN ? page_size() : RXCACHE_BLOCK_MIN;
}

/*
 * Checks the index, which is made whole at the start. The kernel refuses one that needs
 * half of the available memory.
 */
static bool check_index(const struct rx_draft *draft, uint64_t total, uint64_t available,
			struct rx_strv *wrong)
{
	uint64_t index = draft->size.num / machine_block(draft) * RXCACHE_INDEX_BYTES;
	char is[32];

	if (!draft->at_boot && available != RX_NONE)
		total = available;
	if (index < total / 2)
		return true;
	strv_print(wrong, "size '%s' needs an index of %s, which is half of the memory or more; say less, or a larger block",
		   draft->size.text, size_print(index, is, sizeof(is)));
	return false;
}

static void check_memory(const struct rx_draft *draft, struct rx_strv *wrong,
			 struct rx_strv *doubt)
{
	uint64_t total, available;
	char has[32];

	dev_memory(&total, &available);
	if (total == RX_NONE)
		return;
	size_print(total, has, sizeof(has));
	if (draft->floor.text && draft->floor.num >= total)
		strv_print(doubt, "floor '%s' is all of the memory of this machine, %s; say less",
			   draft->floor.text, has);
	if (!draft->size.text || draft->size.num > RXDSK_SIZE_MAX || draft->has_memory)
		return;
	if (draft->family == RX_CACHE && !check_index(draft, total, available, wrong))
		return;
	if (draft->size.num <= total)
		return;
	if (draft->prealloc)
		strv_print(wrong, "size '%s' is more than the memory of this machine, %s; say less, or leave out prealloc",
			   draft->size.text, has);
	else if (draft->family == RX_DISK)
		strv_print(doubt, "size '%s' is more than the memory of this machine, %s; writes fail once that is taken",
			   draft->size.text, has);
	else
		strv_print(doubt, "size '%s' is more than the memory of this machine, %s; the cache never gets that much",
			   draft->size.text, has);
}

void preflight_machine(const struct rx_draft *draft, struct rx_strv *wrong,
		       struct rx_strv *doubt)
{
	char is[32];

	/* A recording is not of this machine. */
	if (sys_absent())
		return;
	if (draft->family == RX_CACHE && draft->block.text &&
	    draft->block.num >= RXCACHE_BLOCK_MIN && draft->block.num < page_size())
		strv_print(wrong, "block '%s' is smaller than a page of this machine; say at least %s",
			   draft->block.text, size_exact(page_size(), is, sizeof(is)));
	check_memory(draft, wrong, doubt);
}

/* Returns a file of the device, or of the disk of a partition; NULL if there is none. */
static char *disk_file(const char *name, const char *file)
{
	char *text = sys_read(sys_path("/sys/class/block/%s/%s", name, file));

	return text ? text : sys_read(sys_path("/sys/class/block/%s/../%s", name, file));
}

uint64_t preflight_device_size(const char *name)
{
	char *text = sys_absent() ? NULL :
		sys_read(sys_path("/sys/class/block/%s/size", name));
	uint64_t size = text && *text ? strtoull(text, NULL, 10) * SECTOR : RX_NONE;

	free(text);
	return size || !(name_is(name, RX_DISK) || name_is(name, RX_CACHE)) ? size : RX_NONE;
}

void preflight_origin(const struct rx_draft *draft, struct rx_strv *wrong)
{
	char *name, *zoned, *integrity, *logical, *removable, is[32];

	if (!draft->origin || sys_absent())
		return;
	name = dev_kernel_name(draft->origin);
	zoned = disk_file(name, "queue/zoned");
	integrity = disk_file(name, "integrity/format");
	logical = disk_file(name, "queue/logical_block_size");
	removable = disk_file(name, "removable");
	if (zoned && strcmp(zoned, "none"))
		strv_print(wrong, "%s is a zoned device, which can have no cache; choose another",
			   draft->origin);
	if (integrity && strcmp(integrity, "none"))
		strv_print(wrong, "%s has integrity metadata (T10 PI), which a cache would lose; choose another",
			   draft->origin);
	/* The size of removable media becomes known when they are opened. */
	if (!preflight_device_size(name) && (!removable || strcmp(removable, "1")))
		strv_print(wrong, "%s has no size; insert the medium, or log in to the target",
			   draft->origin);
	if (logical && strtoull(logical, NULL, 10) > machine_block(draft))
		strv_print(wrong, "%s has logical blocks of %s; say a block of that size or larger",
			   draft->origin,
			   size_exact(strtoull(logical, NULL, 10), is, sizeof(is)));
	free(removable);
	free(logical);
	free(integrity);
	free(zoned);
	free(name);
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

void preflight_users(const struct rx_draft *draft, struct rx_strv *wrong)
{
	const char *origin = draft->origin, *early;
	struct rx_strv says = { 0 };
	char *name, *claimed = NULL;
	size_t i;

	if (!origin || sys_absent())
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

static void say_all(const char *verb, const char *object, const char *before,
		    const struct rx_strv *texts)
{
	size_t i;

	for (i = 0; i < texts->n; i++)
		say(verb, object, "%s%s", before, texts->v[i]);
}

static void warn_lvm(const struct rx_draft *draft, struct rx_strv *doubt)
{
	char *name = draft->origin ? dev_kernel_name(draft->origin) : NULL;

	if (name && lvm_finds_twice(name))
		strv_print(doubt, "%s " LVM_TWICE "; %s", draft->origin, LVM_LINES);
	free(name);
}

/*
 * Only values are a mistake of the command line. The rest is what the kernel would refuse,
 * and has its exit code.
 */
int preflight(const char *verb, const char *object, const struct rx_draft *draft)
{
	struct rx_strv values = { 0 }, wrong = { 0 }, doubt = { 0 };
	int ret = RX_OK;

	if (preflight_off())
		return RX_OK;
	preflight_values(draft, &values, &doubt);
	preflight_machine(draft, &wrong, &doubt);
	preflight_origin(draft, &wrong);
	preflight_users(draft, &wrong);
	warn_lvm(draft, &doubt);
	if (wrong.n)
		ret = RX_KERNEL;
	if (values.n)
		ret = RX_USAGE;
	say_all(verb, object, "", &values);
	say_all(verb, object, "", &wrong);
	if (!ret && !rx.quiet)
		say_all(verb, object, "warning: ", &doubt);
	strv_free(&values);
	strv_free(&wrong);
	strv_free(&doubt);
	return ret;
}
