/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of the kernel. */
#ifndef RXADM_EVENTS_H
#define RXADM_EVENTS_H

#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/object.h"

struct rx_op;

struct rx_event {
	enum rx_family family;
	const struct rx_op *op;
	union {
		struct rx_device device;
		struct rx_disk disk;
		struct rx_cache cache;
	};
};

int nl_join(enum rx_family family, struct rx_err *err);
enum rx_wait nl_wait(struct rx_event *event, long timeout_ms);

#endif
