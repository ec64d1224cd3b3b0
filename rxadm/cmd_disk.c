// SPDX-License-Identifier: GPL-2.0-only
/* attach, detach, resize, and flush of a disk. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "args.h"
#include "await.h"
#include "busy.h"
#include "dev.h"
#include "events.h"
#include "fetch.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "request.h"
#include "say.h"
#include "units.h"
#include "verbs.h"

static const char *after_size(const char *text, char *name)
{
	enum rx_family family;

	return name_parse(text, &family, name) ? name : NULL;
}

int cmd_attach(const struct rx_verb *verb, const struct rx_args *args)
{
	struct rx_list done = { 0 };
	char why[256], name[RX_NAME_LEN];
	const char *text = args->objects[0];
	const char *queue_mode = args_text(args, "queue-mode");
	struct rx_disk disk;
	struct rx_err err;
	struct rx_req req;
	uint64_t size;
	int ret;

	if (after_size(text, name))
		return usage_error("attach: '%s' is no size; say: rxadm attach 1G --name %s",
				   text, name);
	if (!size_parse(text, false, &size, why, sizeof(why)))
		return usage_error("attach: %s", why);
	if (!new_name_ok(args, RX_DISK))
		return RX_USAGE;
	req_init(&req, RX_DISK, "disk-new");
	req_text(&req, "name", args_text(args, "name"));
	req_num(&req, "size", size);
	req_num(&req, "block-size", args_num(args, "block", RX_NONE));
	req_num(&req, "queues", args_num(args, "queues", RX_NONE));
	if (args_has(args, "read-only"))
		req_num(&req, "read-only", 1);
	if (queue_mode)
		req_num(&req, "queue-mode", strcmp(queue_mode, "bio") ?
					    RX_QUEUE_MQ : RX_QUEUE_BIO);
	if (rx.dry_run) {
		ret = req_show(&req);
	} else if (nl_do(&req, &disk, &err)) {
		ret = err_report(verb->name, text, &err);
	} else if (!dev_wait(disk.name, disk.major, disk.minor)) {
		say(verb->name, text,
		    "%s is attached, but /dev/%s did not appear; is devtmpfs mounted on /dev?",
		    disk.name, disk.name);
		if (rx.step.on)
			disk_detach(verb->name, disk.name, WAIT_DEFAULT, &done);
		ret = RX_KERNEL;
	} else {
		if (!rx.json && !rx.quiet && !rx.step.on)
			puts(disk.name);
		list_add_disk(&done, &disk);
		ret = out_result(&done);
	}
	req_free(&req);
	list_free(&done);
	return ret;
}

static int wait_until_gone(const char *verb, const struct rx_disk *disk,
			   long wait_ms)
{
	switch (await_detached(disk, verb, wait_ms)) {
	case END_TIMEOUT:
		say(verb, disk->name,
		    "not done in time: its memory is still being freed, the kernel goes on by itself; see: rxadm list, or wait: rxadm detach %s",
		    disk->name);
		return RX_KERNEL;
	case END_SIGNAL:
		say(verb, disk->name,
		    "interrupted; the kernel goes on detaching %s; see: rxadm list",
		    disk->name);
		step_die();
		return RX_KERNEL;
	default:
		return RX_OK;
	}
}

/* DONE takes the disk's last state. */
int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done)
{
	int64_t start = now_ms();
	struct rx_disk disk;
	struct rx_err err;
	struct rx_req req;
	int ret = RX_OK;

	req_init(&req, RX_DISK, "disk-del");
	req_text(&req, "name", name);
	if (rx.dry_run) {
		req_show(&req);
	} else if (nl_join(RX_DISK, &err) ||
		   nl_get(RX_DISK, name, &disk, &err)) {
		ret = err_report(verb, name, &err);
	} else if (busy_do(&req, NULL, name, wait_ms, &err) &&
		   err.err != EALREADY) {
		ret = busy_report(verb, name, "", name, &err);
	} else {
		/* Whoever began it, its end is what was asked for. */
		ret = wait_until_gone(verb, &disk, wait_left(start, wait_ms));
		if (!ret)
			list_add_disk(done, &disk);
	}
	req_free(&req);
	return ret;
}

/* The disk is as it is to be; what takes time is to free the memory. */
static int wait_until_clear(const char *verb, struct rx_disk *disk,
			    long wait_ms)
{
	if (disk->state != RX_DISK_CLEARING)
		return RX_OK;
	switch (await_cleared(disk, verb, wait_ms)) {
	case END_TIMEOUT:
		say(verb, disk->name,
		    "done, but its memory is still being freed; see: rxadm list -o NAME,STATE,FREEING");
		return RX_KERNEL;
	case END_SIGNAL:
		say(verb, disk->name,
		    "interrupted; it is done, the kernel goes on freeing memory; see: rxadm list -o NAME,STATE,FREEING");
		step_die();
		return RX_KERNEL;
	default:
		return RX_OK;
	}
}

int cmd_detach(const struct rx_verb *verb, const struct rx_args *args)
{
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb->name, args->objects[i], RX_DISK, name))
			return RX_USAGE;
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb->name, args->objects[i], RX_DISK, name);
		tally(&t, disk_detach(verb->name, name, args_wait(args),
				      &done));
	}
	out_result(&done);
	list_free(&done);
	return tally_exit(&t);
}

static int refuse_shrink(const char *object, const char *name, uint64_t size,
			 const struct rx_err *err)
{
	char old[32], new[32];
	struct rx_disk disk;
	struct rx_err get;

	if (err->err != EINVAL || nl_get(RX_DISK, name, &disk, &get) ||
	    disk.size == RX_NONE || disk.size <= size)
		return err_report("resize", object, err);
	size_print(disk.size, old, sizeof(old));
	size_print(size, new, sizeof(new));
	say("resize", object,
	    "is %s and disks only grow; copy the data off, detach, attach %s, or add --shrink to lose what lies beyond %s",
	    old, new, new);
	return RX_KERNEL;
}

int cmd_resize(const struct rx_verb *verb, const struct rx_args *args)
{
	char why[256], name[RX_NAME_LEN], object[128];
	bool shrink = args_has(args, "shrink");
	int64_t start = now_ms();
	struct rx_list done = { 0 };
	struct rx_disk disk;
	struct rx_err err;
	struct rx_req req;
	uint64_t size;
	int ret;

	if (!object_is(verb->name, args->objects[0], RX_DISK, name))
		return RX_USAGE;
	if (!size_parse(args->objects[1], false, &size, why, sizeof(why)))
		return usage_error("resize %s: %s", name, why);
	snprintf(object, sizeof(object), "%s %s", name, args->objects[1]);
	req_init(&req, RX_DISK, "disk-resize");
	req_text(&req, "name", name);
	req_num(&req, "size", size);
	if (shrink)
		req_flag(&req, "shrink");
	if (rx.dry_run) {
		ret = req_show(&req);
	} else if (shrink && nl_join(RX_DISK, &err)) {
		ret = err_report(verb->name, object, &err);
	} else if (busy_do(&req, &disk, name, args_wait(args), &err)) {
		if (err.err == EBUSY)
			ret = busy_report(verb->name, object, "", name, &err);
		else
			ret = refuse_shrink(object, name, size, &err);
	} else {
		/* Of a disk that grows, what it clears is somebody else's. */
		ret = shrink ? wait_until_clear(verb->name, &disk,
						wait_left(start, args_wait(args))) :
			RX_OK;
		list_add_disk(&done, &disk);
		if (!ret)
			ret = out_result(&done);
	}
	req_free(&req);
	list_free(&done);
	return ret;
}

/* What it would destroy is said before anything is. */
int disk_flush(const char *name, bool erase, long wait_ms)
{
	struct rx_list done = { 0 };
	int64_t start = now_ms();
	struct rx_disk disk;
	struct rx_err err;
	struct rx_req req;
	char used[32];
	int ret = RX_OK;

	req_init(&req, RX_DISK, "disk-flush");
	req_text(&req, "name", name);
	if (rx.dry_run && erase) {
		req_show(&req);
	} else if (!erase) {
		if (nl_get(RX_DISK, name, &disk, &err)) {
			ret = err_report("flush", name, &err);
		} else {
			say("flush", name,
			    "would destroy %s of data; if that is meant: rxadm flush %s --erase",
			    size_print(disk.used == RX_NONE ? 0 : disk.used,
				       used, sizeof(used)), name);
			ret = RX_USAGE;
		}
	} else if (nl_join(RX_DISK, &err)) {
		ret = err_report("flush", name, &err);
	} else if (busy_do(&req, &disk, name, wait_ms, &err)) {
		ret = busy_report("flush", name, "", name, &err);
	} else {
		ret = wait_until_clear("flush", &disk,
				       wait_left(start, wait_ms));
		list_add_disk(&done, &disk);
		if (!ret)
			ret = out_result(&done);
	}
	req_free(&req);
	list_free(&done);
	return ret;
}
