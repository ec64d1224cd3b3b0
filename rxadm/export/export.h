/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exports: what rxadm has configured in the kernel's NVMe target. export/record.c keeps a
 * record of each, export.c makes and removes them, and export/nvmet.c reads what is there.
 */
#ifndef RXADM_EXPORT_H
#define RXADM_EXPORT_H

#include "export/record.h"

/*
 * The lock is held. Of an export that was made, export_make() makes what is missing; what is
 * there serves hosts meanwhile.
 */
int export_make(const char *verb, struct rx_export *export);
int export_remove(const char *verb, struct rx_export *export);
/* Removes what is left of exports that were not made or removed to the end, unless another process has the lock. */
void exports_mend(const char *verb);

#endif
