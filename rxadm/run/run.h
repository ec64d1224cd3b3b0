/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of all verbs: they make a request, and say what has come of it. */
#ifndef RXADM_RUN_H
#define RXADM_RUN_H

#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/request.h"

#define RUN_AGAIN	(-1)
#define RUN_FITS	(-3)	/* of a dry run: what is in the way would go */

/* The way in which a request is made. VERB and OBJECT are what messages name. */
struct rx_run {
	const char *verb, *object;
	const char *device;	/* EBUSY is about this device and tried again; or NULL */
	bool in_use;		/* EBUSY is not about the users of the device */
	const char *subject;	/* "DEVICE is ", if that is not the object */
	long wait_ms;		/* for the users of the device to go */
	bool join;		/* the end of the work comes as an event */
	struct rx_req *shown;	/* if not NULL: what a dry run shows in place of what it asks */
	bool ending;		/* succeeds too if another process has begun it */
	/*
	 * Called for each error, but for EBUSY only at the first attempt. Returns
	 * an exit code if it has printed a message of its own, RX_OK if the kernel's
	 * is to be printed, or RUN_AGAIN if the request is to be made again at once.
	 */
	int (*refused)(const struct rx_run *run, const struct rx_err *err);
	const void *arg;	/* for refused */
};

int request_run(struct rx_req *req, void *reply, const struct rx_run *run);
int run_watch(const char *verb, enum rx_family family, const char *name,
	      void *object);
int run_done(enum rx_family family, const void *object);

#endif
