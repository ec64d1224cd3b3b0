/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel would say to a request of a dry run. */
#ifndef RXADM_FORESEE_H
#define RXADM_FORESEE_H

#include "run/run.h"

/* Says what the kernel would, and returns the exit code of a refusal. */
int foresee_refused(const struct rx_run *run, int err, const char *words);
int request_foresee(const struct rx_req *req, const struct rx_run *run);

#endif
