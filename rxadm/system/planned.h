/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a dry run has shown so far, as if it had been done. A later step is then judged by
 * what the earlier ones would make, change and free.
 */
#ifndef RXADM_PLANNED_H
#define RXADM_PLANNED_H

#include "kernel/errtext.h"
#include "kernel/events.h"

struct rx_req;

/* Notes a request that was not sent. THERE is what it is about, or NULL if not known. */
void planned_note(const struct rx_req *req, const struct rx_event *there);
/* Notes that the export of NAME ends, through which the kernel's target has it open N times. */
void planned_unexport(const char *name, uint64_t n);
/* Does the same as nl_get(), but after all that was noted. */
int planned_get(enum rx_family family, const char *name, void *object,
		struct rx_err *err);
bool planned_is_new(const char *name);
bool planned_is_gone(const char *name);
bool planned_is_unexported(const char *name);

#endif
