// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that get EBUSY. udev opens every device for a moment after it
 * appears or is written, so the first EBUSY says little: unless somebody firm
 * is found, the request is made again for a while.
 */
#include <errno.h>
#include <string.h>

#include "busy.h"
#include "dev.h"
#include "name.h"
#include "nl.h"
#include "request.h"
#include "users.h"
#include "wait.h"

#define RETRY_MS	2000	/* as long as this nobody needs to know */
#define UDEV_MS		10000	/* or this, while udev has work */
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

/*
 * As nl_do; NAME is the device that may be busy. WAIT_MS is how long the user
 * said to wait for it whoever it is, or WAIT_DEFAULT.
 */
int busy_do(const struct rx_req *req, void *object, const char *name,
	    long wait_ms, struct rx_err *err)
{
	int64_t start = now_ms(), limit;
	char holder[RX_NAME_LEN];
	bool first = true;

	while (nl_do(req, object, err)) {
		if (err->err != EBUSY)
			return -1;
		if (wait_ms == WAIT_DEFAULT && first) {
			holder_of(name, holder);
			if (users_firm(name, holder))
				return -1;
		}
		first = false;
		if (wait_ms != WAIT_DEFAULT)
			limit = wait_ms;
		else
			limit = udev_busy() ? UDEV_MS : RETRY_MS;
		if (now_ms() - start >= limit)
			return -1;
		if (wait_fd(-1, STEP_MS) == WAIT_SIGNAL) {
			err->err = EINTR;
			err->msg[0] = '\0';
			return -1;
		}
	}
	return 0;
}

/* Says why a request failed, and of EBUSY by whom NAME is used. */
int busy_report(const char *verb, const char *object, const char *subject,
		const char *name, const struct rx_err *err)
{
	char holder[RX_NAME_LEN];

	if (err->err == EBUSY && !err->absent) {
		holder_of(name, holder);
		users_firm(name, holder);
		if (users_say(verb, object, subject, name, holder))
			return RX_KERNEL;
	}
	return err_report(verb, object, err);
}
