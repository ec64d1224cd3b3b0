/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks that are read-only, or have a partition that is set so (blockdev --setro). */
#ifndef RXADM_LOCKED_H
#define RXADM_LOCKED_H

#include "kernel/object.h"

/*
 * Returns what protects the content of DISK and how to end that, without a subject ("is
 * read-only; …"), which the caller frees, or NULL if nothing does.
 */
char *locked_text(const struct rx_disk *disk);

#endif
