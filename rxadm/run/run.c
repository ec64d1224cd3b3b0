// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what all verbs do: a request is sent or, in a dry run, checked by the kernel and
 * shown, a failure is reported, and the objects that the verb leaves are listed as JSON.
 *
 * EBUSY is special. udev opens every device for a moment after the device appears or is
 * written, so the first EBUSY says little. Unless a user is found that stays, the request
 * is made again for a while.
 */
#include <errno.h>
#include <string.h>

#include "base/global.h"
#include "base/sys.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/dryrun.h"
#include "run/fetch.h"
#include "run/run.h"
#include "system/node.h"
#include "system/users.h"

#define RETRY_MS	2000	/* limit of the retries after EBUSY */
#define UDEV_MS		10000	/* the same while udev has work */
#define STEP_MS		50

static void holder_of(const char *name, char *holder)
{
	struct rx_disk disk;
	struct rx_err err;
	enum rx_family family;
	char text[RX_NAME_LEN];

	*holder = '\0';
	if (name_parse(name, &family, text) && family == RX_DISK &&
	    !nl_get(RX_DISK, text, &disk, &err))
		memcpy(holder, disk.holder, sizeof(disk.holder));
}

/* Waits a little after EBUSY, and tells whether to try again. */
static bool again(const struct rx_run *run, bool *looked, int64_t start,
		  struct rx_err *err)
{
	char holder[RX_HOLDERS_LEN];
	int64_t limit = run->wait_ms;

	if (run->wait_ms == WAIT_DEFAULT) {
		if (!*looked && !run->in_use) {
			*looked = true;
			holder_of(run->device, holder);
			if (users_firm(run->device, holder))
				return false;
		}
		limit = udev_busy() ? UDEV_MS : RETRY_MS;
	}
	if (now_ms() - start >= limit)
		return false;
	if (wait_fd(-1, STEP_MS) != WAIT_SIGNAL)
		return true;
	*err = (struct rx_err){ .err = EINTR };
	return false;
}

/* Says why a request failed and, for EBUSY, which users the device has. */
static int report(const struct rx_run *run, const struct rx_err *err)
{
	char holder[RX_HOLDERS_LEN];

	if (err->err == EBUSY && !err->absent && run->device && !run->in_use) {
		holder_of(run->device, holder);
		if (users_say(run->verb, run->object,
			      run->subject ? run->subject : "", run->device,
			      holder))
			return RX_KERNEL;
	}
	return err_report(run->verb, run->object, err);
}

static int send(const struct rx_req *req, void *reply, const struct rx_run *run)
{
	int64_t start = now_ms();
	struct rx_err err;
	bool first, looked = false;
	int ret;

	if (run->join && !rx.dry_run && nl_join(req->family, &err))
		return report(run, &err);
	for (first = true; nl_do(req, reply, &err); first = false) {
		if (run->ending && err.err == EALREADY)
			break;
		ret = run->refused && (first || err.err != EBUSY) ?
		      run->refused(run, &err) : RX_OK;
		if (ret == RUN_FITS)
			break;
		if (ret && ret != RUN_AGAIN)
			return ret;
		if (ret != RUN_AGAIN && (err.err != EBUSY || !run->device ||
					 !again(run, &looked, start, &err)))
			return report(run, &err);
	}
	return RX_OK;
}

/*
 * Has the kernel check a request. A module that is not loaded is not asked, because that
 * would load it.
 */
static int check(struct rx_req *req, const struct rx_run *run)
{
	bool asked = sys_has_module(model_family(req->family));
	int ret = RX_OK;

	if (asked) {
		req_validate(req);
		ret = send(req, NULL, run);
	}
	return ret ? ret : req_show(run->shown ? run->shown : req, asked);
}

/*
 * Returns RX_OK once the kernel has done the request or, with --dry-run, has nothing against
 * it. REPLY, which may be NULL, takes the object. REQ is freed.
 */
int request_run(struct rx_req *req, void *reply, const struct rx_run *run)
{
	int ret = rx.dry_run ? check(req, run) : send(req, reply, run);

	req_free(req);
	return ret;
}

/* Fetches the object NAME, and listens to the events of its family from here on. */
int run_watch(const char *verb, enum rx_family family, const char *name,
	      void *object)
{
	struct rx_err err;

	if (nl_join(family, &err) || nl_get(family, name, object, &err))
		return err_report(verb, name, &err);
	return RX_OK;
}

/* Lists the one object that a verb has made or changed. */
int run_done(enum rx_family family, const void *object)
{
	struct rx_list done = { 0 };
	int ret;

	list_add(&done, family, object);
	ret = out_result(&done);
	list_free(&done);
	return ret;
}
