/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests that get EBUSY. */
#ifndef RXADM_BUSY_H
#define RXADM_BUSY_H

struct rx_err;
struct rx_req;

int busy_do(const struct rx_req *req, void *object, const char *name,
	    long wait_ms, struct rx_err *err);
int busy_report(const char *verb, const char *object, const char *subject,
		const char *name, const struct rx_err *err);

#endif
