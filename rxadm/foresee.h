/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel would say to a request of a dry run. */
#ifndef RXADM_FORESEE_H
#define RXADM_FORESEE_H

#include "run.h"

/* Says what the kernel would, and returns the exit code of a refusal. */
int foresee_refused(const struct rx_run *run, int err, const char *words);

#endif
