// SPDX-License-Identifier: GPL-2.0-only
/* What several verbs do with a disk: take it away, and wait for its memory. */
#define _GNU_SOURCE
#include <linux/rxdsk.h>

#include "await.h"
#include "disk.h"
#include "run.h"
#include "wait.h"

/* DONE takes the disk's last state. */
int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done)
{
	struct rx_run run = { .verb = verb, .object = name, .device = name,
			      .wait_ms = wait_ms, .ending = true };
	struct rx_disk disk, last;
	int64_t start = now_ms();
	struct rx_req req;
	int ret;

	ret = rx.dry_run ? RX_OK : run_watch(verb, RX_DISK, name, &disk);
	if (ret)
		return ret;
	req_named(&req, RX_DISK, RXDSK_CMD_DISK_DEL, name);
	ret = request_run(&req, NULL, &run);
	if (ret || rx.dry_run)
		return ret;
	last = disk;
	ret = await_report(await_disk(AWAIT_DETACHED, &last, verb,
				      wait_left(start, wait_ms)),
			   verb, name, name,
			   "not done in time: its memory is still being freed, the kernel goes on by itself; see: rxadm list, or wait: rxadm detach %s",
			   "interrupted; the kernel goes on detaching %s; see: rxadm list");
	if (!ret)
		list_add(done, RX_DISK, &disk);
	return ret;
}

/* DISK has changed already; this waits until the memory of its old data is free. */
int disk_clear(const char *verb, struct rx_disk *disk, long wait_ms)
{
	if (disk->state != RX_DISK_CLEARING)
		return RX_OK;
	return await_report(await_disk(AWAIT_CLEARED, disk, verb, wait_ms),
			    verb, disk->name, disk->name,
			    "done, but its memory is still being freed; see: rxadm list -o NAME,STATE,FREEING",
			    "interrupted; it is done, the kernel goes on freeing memory; see: rxadm list -o NAME,STATE,FREEING");
}
