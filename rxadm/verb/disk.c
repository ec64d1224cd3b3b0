// SPDX-License-Identifier: GPL-2.0-only
/* The verbs attach, detach, resize and erase. */
#include <errno.h>
#include <string.h>

#include <linux/rxdsk.h>

#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "base/units.h"
#include "base/wait.h"
#include "image/mark.h"
#include "kernel/await.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/endings.h"
#include "run/preflight.h"
#include "run/run.h"
#include "system/node.h"
#include "system/origin.h"
#include "system/stacked.h"
#include "verb/disk.h"

/*
 * Waits until the new DISK has its memory. The disk is removed again if it does not get
 * its memory, or if a signal ends the wait.
 */
static int disk_ready(const char *verb, const char *object, struct rx_disk *disk)
{
	struct rx_disk last = *disk;
	enum rx_end end = END_DONE;

	if (disk->state == RX_DISK_PREPARING || disk->state == RX_DISK_DETACHING)
		end = await_disk(AWAIT_READY, &last, last.size, verb, WAIT_DEFAULT);
	if (end == END_FAILED)
		return prepare_failed(verb, object, &last);
	if (end == END_DONE) {
		*disk = last;
		return RX_OK;
	}
	say(verb, object, "interrupted; it is undone");
	disk_detach(verb, disk->name, WAIT_DEFAULT, NULL);
	signals_die();
	return RX_KERNEL;
}

/* Keeps systemd from a disk that is to be made, until it has its image. */
static int await_image(const struct rx_args *args, const char *name)
{
	int err = rx.dry_run ? 0 : image_await(name);

	if (err)
		say(args->verb->name, args->objects[0], "can't write to /run/rxadm: %s", strerror(err));
	return err ? RX_KERNEL : RX_OK;
}

/* Makes the disk and waits for its memory and its node. */
static int make_disk(const struct rx_args *args, struct rx_req *req, struct rx_disk *disk)
{
	const char *verb = args->verb->name, *text = args->objects[0];
	bool prealloc = args_has(args, "prealloc");
	struct rx_run run = { .verb = verb, .object = text, .join = prealloc };
	int ret = request_run(req, disk, &run);

	if (!ret && prealloc && !rx.dry_run)
		ret = disk_ready(verb, text, disk);
	if (ret || rx.dry_run || dev_wait(disk->name, disk->major, disk->minor) || signals_pending())
		return ret;
	node_say(verb, text, disk->name, "the new disk, which is detached again");
	disk_detach(verb, disk->name, WAIT_DEFAULT, NULL);
	return RX_KERNEL;
}

int cmd_attach(const struct rx_args *args)
{
	const char *text = args->objects[0];
	bool awaits = args_has(args, "awaits-image");
	char why[256], name[RX_NAME_LEN];
	enum rx_family family;
	uint64_t size;
	struct rx_disk disk;
	struct rx_req req;
	int ret;

	if (name_parse(text, &family, name))
		return usage_error("attach: '%s' is no size; say: rxadm attach 1G --name %s",
				   text, name);
	if (!size_parse(text, false, &size, why, sizeof(why)))
		return usage_error("attach: %s", why);
	if (!new_name_ok(args, RX_DISK))
		return RX_USAGE;
	req_named(&req, RX_DISK, RXDSK_CMD_DISK_NEW, args_text(args, "name"));
	req_num(&req, RXDSK_A_DISK_SIZE, size);
	args_put(args, &req);
	/* Ctrl-C must not leave a disk whose name was never printed. */
	if (!rx.dry_run)
		signals_take();
	ret = awaits ? await_image(args, args_text(args, "name")) : RX_OK;
	if (!ret)
		ret = make_disk(args, &req, &disk);
	if (ret && awaits && !rx.dry_run)
		image_arrived(args_text(args, "name"));
	if (!ret && !args_has(args, "prealloc"))
		preflight_warn(args->verb->name, text, RX_DISK, size, RX_NONE);
	if (ret || rx.dry_run)
		return ret;
	/* An up that was killed has left it: not this disk awaits its image. */
	if (!awaits && image_awaited(disk.name)) {
		image_arrived(disk.name);
		disk_event(disk.name);
	}
	if (!rx.json && !rx.quiet)
		puts(disk.name);
	ret = run_done(RX_DISK, &disk);
	if (signals_pending()) {
		say(args->verb->name, text, "interrupted; %s is attached; to undo it, run: rxadm detach %s",
		    disk.name, disk.name);
		signals_die();
	}
	return ret;
}

static int detach(const struct rx_args *args, const char *name,
		  struct rx_list *done)
{
	return disk_detach(args->verb->name, name, args_wait(args), done);
}

int cmd_detach(const struct rx_args *args)
{
	return verb_each(args, RX_DISK, detach);
}

/* Explains why a disk does not shrink, or which cache to resize instead of it. */
static int refuse_resize(const struct rx_run *run, const struct rx_err *err)
{
	uint64_t size = *(const uint64_t *)run->arg;
	char old[32], new[32], name[RX_NAME_LEN];
	struct rx_disk disk;
	struct rx_err get;

	if ((err->err != EINVAL && err->err != EBUSY) ||
	    nl_get(RX_DISK, run->device, &disk, &get))
		return RX_OK;
	/* The kernel may look at the new size first. */
	if (*disk.holder) {
		say(run->verb, run->object,
		    "is the memory of %s; run: rxadm set %s --size %s",
		    disk.holder, holder_active(disk.holder, name),
		    size_exact(size, new, sizeof(new)));
		return RX_KERNEL;
	}
	if (err->err != EINVAL || disk.size == RX_NONE || disk.size <= size)
		return RX_OK;
	size_print(disk.size, old, sizeof(old));
	size_print(size, new, sizeof(new));
	say(run->verb, run->object,
	    "is %s and disks only grow; copy the data off, detach, attach %s, or add --shrink to lose what lies beyond %s",
	    old, new, new);
	return RX_KERNEL;
}

int cmd_resize(const struct rx_args *args)
{
	char why[256], name[RX_NAME_LEN], object[128];
	bool shrink = args_has(args, "shrink");
	struct rx_req req;
	uint64_t size;
	struct rx_run run = {
		.verb = args->verb->name, .object = object, .device = name,
		.in_use = !shrink, .wait_ms = args_wait(args), .join = shrink,
		.refused = refuse_resize, .arg = &size,
	};

	if (!object_is(args->verb->name, args->objects[0], RX_DISK, name))
		return RX_USAGE;
	if (!size_parse(args->objects[1], false, &size, why, sizeof(why)))
		return usage_error("resize %s: %s", name, why);
	snprintf(object, sizeof(object), "%s %s", name, args->objects[1]);
	req_named(&req, RX_DISK, RXDSK_CMD_DISK_RESIZE, name);
	req_num(&req, RXDSK_A_DISK_SIZE, size);
	if (shrink)
		req_flag(&req, RXDSK_A_DISK_SHRINK);
	return disk_change(&req, &run, size);
}

int cmd_erase(const struct rx_args *args)
{
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = args->verb->name, .object = name, .device = name,
			      .wait_ms = args_wait(args), .join = true };
	struct rx_req req;
	int ret;

	if (!object_is(args->verb->name, args->objects[0], RX_DISK, name))
		return RX_USAGE;
	req_named(&req, RX_DISK, RXDSK_CMD_DISK_ERASE, name);
	ret = disk_change(&req, &run, 0);
	/* The kernel has sent an event; this waits until udev has dropped the names, too. */
	if (!ret && !rx.dry_run)
		disk_event(name);
	return ret;
}
