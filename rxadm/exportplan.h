/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command line asks for, as an export. */
#ifndef RXADM_EXPORTPLAN_H
#define RXADM_EXPORTPLAN_H

#include "args.h"
#include "export.h"

/* Reads the options. Says what is wrong and returns false. */
bool plan_read(const struct rx_args *args, const char *name, struct rx_export *export);
/* Says how the export that is there differs from the options, or returns NULL. */
char *plan_differs(const struct rx_export *is, const struct rx_export *want);
/* Chooses ports, and the hosts to make. The lock is held. */
int plan_fit(const char *verb, struct rx_export *export);
/* Does so for those that are missing of an export that was made. The lock is held. */
void plan_refit(struct rx_export *export);

#endif
