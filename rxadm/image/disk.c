// SPDX-License-Identifier: GPL-2.0-only
/* Looks at the disk of an image, and opens it. Nobody else may use the disk meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxdsk.h>
#include <netlink/attr.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "image/disk.h"
#include "kernel/errtext.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "system/dev.h"
#include "system/extents.h"
#include "system/mounts.h"
#include "system/users.h"

int image_disk_get(const char *verb, const char *name, struct rx_disk *disk)
{
	struct rx_err err;

	if (nl_get(RX_DISK, name, disk, &err))
		return err_report(verb, name, &err);
	if (disk->state != RX_DISK_PREPARING && disk->state != RX_DISK_DETACHING)
		return RX_OK;
	say(verb, name, "is %s; wait for the end, see: rxadm list",
	    disk->state == RX_DISK_PREPARING ? "still taking its memory" : "being detached");
	return RX_KERNEL;
}

int image_disk_unused(const char *verb, const struct rx_disk *disk, bool mounted_ok)
{
	struct rx_strv says = { 0 }, mounts = { 0 };
	char *all;
	size_t i;
	bool used;

	users_others(disk->name, disk->holder, &says);
	for (i = 0; i < says.n; i++)
		say(verb, disk->name, "%s", says.v[i]);
	used = says.n;
	strv_free(&says);
	if (used)
		return RX_KERNEL;
	if (mounted_ok)
		return RX_OK;
	mounts_of(disk->name, &mounts);
	all = strv_join(&mounts, " and ");
	used = mounts.n;
	if (used)
		say(verb, disk->name, "mounted on %s; %srun: umount %s", all,
		    strcmp(verb, "save") ? "" : "add --freeze, or ", quoted_all(&mounts));
	free(all);
	strv_free(&mounts);
	return used ? RX_KERNEL : RX_OK;
}

/* Claims the partition PART. It may be mounted where this process does not see it. */
static int claim(const char *verb, const struct rx_disk *disk, const char *part, int *fd)
{
	char *subject = mem_text("%s is ", part);
	int err;

	*fd = open(sys_path("/dev/%s", part), O_RDONLY | O_CLOEXEC | (sys_replayed() ? 0 : O_EXCL));
	err = *fd < 0 ? errno : 0;
	if (err && (err != EBUSY || !users_say(verb, disk->name, subject, part, NULL)))
		say(verb, disk->name, "/dev/%s: %s; see: fuser -v /dev/%s, lsblk", part,
		    strerror(err), part);
	free(subject);
	return err ? RX_KERNEL : RX_OK;
}

int image_disk_claim(const char *verb, const struct rx_disk *disk, int **fds, size_t *n)
{
	struct rx_strv parts = { 0 };
	size_t i, len = strlen(disk->name);
	int fd, ret = RX_OK;

	/* A mount of the whole disk claims its partitions too. */
	if (!mounts_hold(disk->name))
		sys_entries(&parts, sys_path("/sys/class/block/%s", disk->name));
	strv_sort(&parts);
	for (i = 0; i < parts.n && !ret; i++) {
		if (strncmp(parts.v[i], disk->name, len) || mounts_hold(parts.v[i]))
			continue;
		ret = claim(verb, disk, parts.v[i], &fd);
		if (ret)
			break;
		*fds = mem_grow(*fds, *n, sizeof(**fds));
		(*fds)[(*n)++] = fd;
	}
	strv_free(&parts);
	return ret;
}

static int allocate(int fd, int mode, uint64_t offset, uint64_t length)
{
	return length && fallocate(fd, mode | FALLOC_FL_KEEP_SIZE, offset, length) ? errno : 0;
}

int image_disk_erase(int fd, uint64_t offset, uint64_t length)
{
	return allocate(fd, FALLOC_FL_PUNCH_HOLE, offset, length);
}

int image_disk_zero(int fd, uint64_t offset, uint64_t length)
{
	return allocate(fd, FALLOC_FL_ZERO_RANGE, offset, length);
}

int image_disk_write(int fd, uint64_t offset, const unsigned char *data, size_t len)
{
	return lseek(fd, offset, SEEK_SET) < 0 ? errno : sys_write_all(fd, data, len);
}

int image_disk_fits(const char *verb, const char *path, const struct rx_disk *disk,
		    const struct image_header *header)
{
	char is[32], was[32], *text = locked_text(disk);

	if (disk->size < header->size)
		say(verb, disk->name, "is %s, and the image is of a disk of %s; run: rxadm resize %s %s, or: rxadm restore %s --attach",
		    size_exact(disk->size, is, sizeof(is)),
		    size_exact(header->size, was, sizeof(was)), disk->name, was, quoted(path));
	else if (disk->block > header->block)
		say(verb, disk->name, "has blocks of %s, and the image is of a disk with blocks of %s; run: rxadm restore %s --attach",
		    size_exact(disk->block, is, sizeof(is)),
		    size_exact(header->block, was, sizeof(was)), quoted(path));
	else if (text)
		say(verb, disk->name, "%s", text);
	else
		return RX_OK;
	free(text);
	return RX_KERNEL;
}

/* What the kernel answers for a disk with all of its memory holds for one that is written, too. */
int image_memory_check(const char *verb, const char *path, uint64_t needs, uint64_t has)
{
	struct rx_err err = { 0 };
	struct rx_req req;
	char more[32];

	/* Only what changes something may load the module. */
	if (needs <= has || (rx.dry_run && !sys_has_module(model_family(RX_DISK))))
		return RX_OK;
	req_init(&req, RX_DISK, RXDSK_CMD_DISK_NEW);
	req_num(&req, RXDSK_A_DISK_SIZE, needs - has);
	req_num(&req, RXDSK_A_DISK_PREALLOC, 1);
	req_flag(&req, RXDSK_A_DISK_VALIDATE);
	nl_do(&req, NULL, &err);
	req_free(&req);
	if (err.err != ENOSPC)
		return RX_OK;
	say(verb, path, "needs %s of memory more than the disk has (kernel: %s); nothing was changed, free memory, or lower min_free, see: rxdsk(4)",
	    size_print(needs - has, more, sizeof(more)), err_kernel(&err));
	return RX_KERNEL;
}

struct told {
	const struct rx_disk *disk;
	struct rx_extents *parts;
	bool resized;
};

static void take_parts(void *arg, const struct nlattr *nla)
{
	struct told *told = arg;
	uint64_t pair[2];
	int i;

	if (nla_type(nla) == RXDSK_A_DISK_SIZE)
		told->resized |= nla_get_u64(nla) != told->disk->size;
	if (nla_type(nla) != RXDSK_A_DISK_EXTENTS)
		return;
	for (i = 0; i + (int)sizeof(pair) <= nla_len(nla); i += sizeof(pair)) {
		memcpy(pair, (char *)nla_data(nla) + i, sizeof(pair));
		extents_add(told->parts, pair[0], pair[1], false);
	}
}

int image_disk_parts(const char *verb, const struct rx_disk *disk, struct rx_extents *parts)
{
	struct told told = { disk, parts, false };
	struct rx_err err;
	int ret;

	*parts = (struct rx_extents){ 0 };
	ret = nl_read(RX_DISK, RXDSK_CMD_DISK_EXTENTS, disk->name, disk->id, take_parts, &told,
		      &err);
	if (!ret && !told.resized)
		return RX_OK;
	extents_free(parts);
	if (ret < 0)
		return err_report(verb, disk->name, &err);
	say(verb, disk->name, ret == NL_INTERRUPTED ? "interrupted; nothing was changed" :
	    ret == NL_ANEW ? "was detached and attached anew meanwhile; try again" :
	    "was resized meanwhile; try again");
	return RX_KERNEL;
}
