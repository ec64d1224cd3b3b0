// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits for a disk to grow, and for the memory of a preallocated disk, which the kernel
 * takes, or zeroes, by itself.
 */
#include <errno.h>

#include "base/say.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/nl.h"
#include "run/fill.h"
#include "run/run.h"

/* Says why DISK could not have its memory. */
int fill_failed(const char *verb, const char *object,
		const struct rx_disk *disk)
{
	struct rx_err err = { .err = (int)disk->error };

	if (disk->error == RX_NONE) {
		say(verb, object, "%s is gone, and no reason has arrived; did somebody detach it?",
		    disk->name);
		return RX_KERNEL;
	}
	if (disk->error == ENOSPC)
		err_set(&err, ENOSPC, "the memory ran out, or min_free was reached, on the way");
	return err_report(verb, object, &err);
}

/*
 * Waits until DISK has SIZE bytes or, if SIZE is 0, until it is zeroed. The error that
 * the disk shows is that of the last request, which another process may have made. So
 * only the size tells whether the disk has grown.
 */
int disk_fill(const struct rx_run *run, struct rx_disk *disk, uint64_t size,
	      long wait_ms)
{
	enum rx_end end = END_DONE;
	struct rx_err err;
	int ret;

	/* The end may have come before this process listened. */
	if (disk->state == RX_DISK_FILLING &&
	    (nl_join(RX_DISK, &err) ||
	     nl_get(RX_DISK, disk->name, disk, &err)))
		return err_report(run->verb, run->object, &err);
	if (disk->state == RX_DISK_FILLING)
		/* A disk that is zeroed has its memory already. */
		end = await_disk(AWAIT_FILLED, disk, size ? size : RX_NONE, run->verb, wait_ms);
	ret = await_report(end, run->verb, run->object, disk->name,
			   "not done in time, the kernel goes on by itself; see: rxadm list -o NAME,SIZE,USED,STATE",
			   "interrupted; the kernel goes on by itself; see: rxadm list -o NAME,SIZE,USED,STATE");
	if (ret)
		return ret;
	if (end == END_FAILED || disk->state == RX_DISK_DETACHING ||
	    (disk->error != RX_NONE && disk->size < size))
		return fill_failed(run->verb, run->object, disk);
	if (disk->size >= size)
		return RX_OK;
	say(run->verb, run->object, "somebody else has changed its size meanwhile; see: rxadm list %s",
	    disk->name);
	return RX_KERNEL;
}
