// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints "rxadm: VERB OBJECT: what (kernel: words); next step". The kernel says what is
 * wrong, and this file says what to do about it.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/errtext.h"
#include "kernel/refused.h"

struct row {
	int err;
	const char *verb;	/* NULL: any verb */
	const char *words;	/* are in the kernel's text; NULL: any text */
	const char *what;	/* NULL: the kernel's words are enough */
	const char *next;
};

#define MIN_FREE "ask for less, free memory, or lower min_free as far as the watermarks allow; see: rxdsk(4)"
/* The next step for a disk that takes memory, or is open although no user was found. */
#define DISK_BUSY "see: rxadm list -o NAME,STATE,OPEN, or who uses it: fuser -v, lsblk"

/* The first row that fits is taken. */
static const struct row rows[] = {
	{ EPERM, NULL, NULL, "needs CAP_SYS_ADMIN", "run it as root" },
	{ ENOMEDIUM, "map", NULL, NULL, "insert a medium, or log in to the target; see: lsblk" },
	{ ENODEV, "map", "open origin", NULL, "see: lsblk" },
	{ ENODEV, NULL, NULL, NULL, "see: rxadm list" },
	{ EEXIST, NULL, NULL, NULL,
	  "choose another --name, or none for the next that is free" },
	{ ENOMEM, NULL, NULL, NULL, "ask for less or free memory, see: rxadm list" },
	{ ENOTEMPTY, "map", NULL, "the disk holds data that the cache would overwrite",
	  "if it may be lost, add --erase" },
	{ EROFS, NULL, NULL, NULL,
	  "if its content may be changed, run: blockdev --setrw, on the disk or that partition" },
	{ EBUSY, NULL, "still starting", NULL, "try again once it is active, see: rxadm list" },
	{ EBUSY, NULL, "being unmapped", NULL, "see: rxadm list" },
	{ EBUSY, NULL, "being opened or closed", NULL, "try again when that has ended, see: fuser -v, lsblk" },
	{ EBUSY, "map", NULL, NULL, "see who uses it: fuser -v, lsblk" },
	{ EBUSY, "detach", NULL, "still open, but no process in /proc has it open, and no user in the kernel is known",
	  "try again with --wait 30; as root, and in a container on the host, see: fuser -v, lsblk" },
	{ EBUSY, "resize", NULL, NULL, DISK_BUSY },
	{ EBUSY, "erase", NULL, NULL, DISK_BUSY },
	{ EBUSY, NULL, NULL, "in use", "see who uses it: fuser -v, lsblk" },
	{ EINTR, NULL, NULL, "interrupted", "nothing was changed" },
	{ EAGAIN, NULL, NULL, NULL, "try again" },
	{ EPROTO, NULL, NULL, "unexpected answer",
	  "do module and tool have the same version? see: rxadm version" },
	{ EOPNOTSUPP, NULL, "no such compressor", NULL,
	  "say another --compress, or off; a kernel that has it has the module crypto/lz4.ko or crypto/zstd.ko" },
	{ EINVAL, NULL, "blocks of one page", NULL, "map the cache with a --block of one page" },
	{ EINVAL, NULL, "min shares", NULL,
	  "choose a smaller --min-share, or first lower others; see: rxadm list -o NAME,DISK,MIN-SHARE" },
	{ EINVAL, NULL, "NUMA", NULL, "see: cat /sys/devices/system/node/has_normal_memory" },
	{ EINVAL, "check-tab", NULL, NULL, "see: man rxtab" },
	{ EINVAL, "attach", NULL, NULL, "see: rxadm help attach" },
	{ EINVAL, "map", NULL, NULL, "see: rxadm help map" },
	{ EINVAL, "resize", NULL, NULL, "see: rxadm help resize" },
	{ EAFNOSUPPORT, NULL, NULL, NULL,
	  "a sandbox forbids it: allow AF_NETLINK (RestrictAddressFamilies= of a unit), or run this outside" },
	{ EALREADY, "set", NULL, NULL, "see: rxadm stat" },
	{ EINVAL, "set", NULL, NULL, "see: rxadm help set" },
	{ ENOSPC, "attach", NULL, NULL, MIN_FREE },
	{ ENOSPC, "resize", NULL, NULL, MIN_FREE },
	{ ENOSPC, NULL, "smaller than a cache block", NULL, "say a larger size, or a smaller block" },
	{ ENOSPC, "check-tab", NULL, NULL, MIN_FREE },
	{ ENOSPC, "map", NULL, NULL, "see: rxadm list" },
	{ ENOSPC, "set", "min share", NULL,
	  "choose a larger one, or first lower --min-share; see: rxadm list -o NAME,DISK,MIN-SHARE" },
	{ ENOSPC, "set", NULL, NULL, "choose a larger one, or see: rxadm help unpin" },
	{ ENOTBLK, NULL, NULL, NULL, "see: lsblk" },
	{ ENOENT, "map", NULL, NULL, "see: lsblk" },
	{ .err = 0 }
};

/* Sets an error that the kernel did not send. Returns -1. */
int err_set(struct rx_err *err, int number, const char *fmt, ...)
{
	va_list ap;

	err->err = number;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -1;
}

const char *err_kernel(const struct rx_err *err)
{
	return *err->msg ? err->msg : strerror(err->err);
}

static const struct row *row_of(const char *verb, const struct rx_err *err)
{
	const struct row *row = rows;

	while (row->err && (row->err != err->err || (row->verb && strcmp(row->verb, verb)) ||
			    (row->words && !strstr(err->msg, row->words))))
		row++;
	return row;
}

const char *err_next(const char *verb, const struct rx_err *err)
{
	return row_of(verb, err)->next;
}

bool err_is_older(const struct rx_err *err)
{
	static const char *const unknown[] = {
		"Unknown attribute type", "Unsupported attribute", NULL
	};

	return err->version || (err->err == EOPNOTSUPP && !*err->msg) ||
	       (err->err == EINVAL && matches_any(err->msg, unknown));
}

/* Says that MODULE is not loaded. Without privileges, to load it is only half the way. */
static void say_absent(const char *verb, const char *module)
{
	static const char *const readers[] = {
		"list", "stat", "advise", "top", "monitor", "version", NULL
	};
	bool reads = !verb || matches_any(verb, readers);

	if (!geteuid())
		say(NULL, NULL, "%s is not loaded; run: modprobe %s", module, module);
	else if (reads)
		say(NULL, NULL, "%s is not loaded; run as root: modprobe %s", module, module);
	else
		say(verb, NULL, "needs root, and %s is not loaded; run as root: modprobe %s, and then this command",
		    module, module);
}

/* Says what went wrong, and returns the exit code. */
int err_report(const char *verb, const char *object, const struct rx_err *err)
{
	const struct row *row;

	if (err->hidden) {
		refused_say_hidden(verb, err->msg);
		return RX_ABSENT;
	}
	if (err->absent) {
		if (!refused_say(err->msg))
			say_absent(verb, err->msg);
		return RX_ABSENT;
	}
	if (err_is_older(err)) {
		say(verb, object,
		    "the module that is loaded is older than this rxadm; load the one that came with it");
		return RX_ABSENT;
	}
	row = row_of(verb, err);
	if (row->what && err->err == EPERM)
		say(verb, NULL, "%s; %s", row->what, !geteuid() && !sys_absent() ?
		    "root has not got it in a container, or in a unit that drops it: run it on the host" :
		    row->next);
	else if (row->what)
		say(verb, object, "%s (kernel: %s); %s", row->what,
		    err_kernel(err), row->next);
	else
		say(verb, object, "kernel: %s%s%s", err_kernel(err),
		    row->next ? "; " : "", row->next ? row->next : "");
	return RX_KERNEL;
}
