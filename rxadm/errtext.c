// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints "rxadm: VERB OBJECT: what (kernel: words); next step". The kernel says what is
 * wrong, and this file says what to do about it.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "errtext.h"
#include "global.h"
#include "refused.h"
#include "say.h"

struct row {
	int err;
	const char *verb;	/* NULL: any verb */
	const char *what;	/* NULL: the kernel's words are enough */
	const char *next;
};

#define MIN_FREE "ask for less, free memory, or lower min_free; see: rxdsk(4)"
/* The next step for a disk that takes memory, or is open although no user was found. */
#define DISK_BUSY "see: rxadm list -o NAME,STATE,OPEN, or who uses it: fuser -v, lsblk"

/* The first row that fits is taken. */
static const struct row rows[] = {
	{ EPERM, NULL, "needs CAP_SYS_ADMIN", "run it as root" },
	{ ENODEV, NULL, NULL, "see: rxadm list" },
	{ EEXIST, NULL, NULL,
	  "choose another --name, or none for the next that is free" },
	{ ENOMEM, NULL, NULL,
	  "ask for less or free memory (see rxadm list)" },
	{ ENOTEMPTY, "map", "the disk holds data that the cache would overwrite",
	  "if it may be lost, add --erase" },
	{ EROFS, NULL, NULL, "attach or map it again without --read-only" },
	{ EBUSY, "map", NULL, "see who uses it: fuser -v, lsblk" },
	{ EBUSY, "detach", "still open, but no process in /proc has it open",
	  "try again with --wait 30, or see: lsblk" },
	{ EBUSY, "resize", NULL, DISK_BUSY },
	{ EBUSY, "flush", NULL, DISK_BUSY },
	{ EBUSY, NULL, "in use", "see who uses it: fuser -v, lsblk" },
	{ EINTR, NULL, "interrupted", "nothing was changed" },
	{ EAGAIN, NULL, NULL, "try again" },
	{ EPROTO, NULL, "unexpected answer",
	  "do module and tool have the same version? see: rxadm version" },
	{ EINVAL, "attach", NULL, "see: rxadm help attach" },
	{ EINVAL, "map", NULL, "see: rxadm help map" },
	{ EINVAL, "resize", NULL, "see: rxadm help resize" },
	{ EALREADY, "set", NULL, "see: rxadm stat" },
	{ EINVAL, "set", NULL, "see: rxadm help set" },
	{ ENOSPC, "attach", NULL, MIN_FREE },
	{ ENOSPC, "resize", NULL, MIN_FREE },
	{ ENOSPC, "map", NULL, "see: rxadm list" },
	{ ENOSPC, "set", NULL, "choose a larger one, or see: rxadm help unpin" },
	{ ENOTBLK, "map", NULL, "see: lsblk" },
	{ ENOENT, "map", NULL, "see: lsblk" },
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

/* Says what went wrong, and returns the exit code. */
int err_report(const char *verb, const char *object, const struct rx_err *err)
{
	const struct row *row = rows;

	if (err->absent) {
		if (!refused_say(err->msg))
			say(NULL, NULL, "%s is not loaded; run: modprobe %s",
			    err->msg, err->msg);
		return RX_ABSENT;
	}
	/*
	 * A module that knows the request and refuses it sends words, so one that sends
	 * none is older.
	 */
	if (err->version || (err->err == EOPNOTSUPP && !*err->msg)) {
		say(verb, object,
		    "the module that is loaded is older than this rxadm; load the one that came with it");
		return RX_ABSENT;
	}
	while (row->err && (row->err != err->err ||
			    (row->verb && strcmp(row->verb, verb))))
		row++;
	if (row->what && err->err == EPERM)
		say(verb, NULL, "%s; %s", row->what, row->next);
	else if (row->what)
		say(verb, object, "%s (kernel: %s); %s", row->what,
		    err_kernel(err), row->next);
	else
		say(verb, object, "kernel: %s%s%s", err_kernel(err),
		    row->next ? "; " : "", row->next ? row->next : "");
	return RX_KERNEL;
}
