/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a disk that have memory; all other bytes of it read as zeroes. */
#ifndef RXADM_DISKPARTS_H
#define RXADM_DISKPARTS_H

#include "system/extents.h"

/*
 * Lists the parts of DISK in rising order. Parts do not touch, and none has "unwritten".
 * A caller that wants one state of the disk keeps writers away meanwhile. Returns RX_OK,
 * and extents_free() frees PARTS, or the exit code after it has said what is wrong.
 */
int disk_parts(const char *verb, const struct rx_disk *disk, struct rx_extents *parts);

#endif
