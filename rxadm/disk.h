/* SPDX-License-Identifier: GPL-2.0-only */
/* What several verbs do with a disk. */
#ifndef RXADM_DISK_H
#define RXADM_DISK_H

struct rx_disk;
struct rx_list;

int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done);
int disk_clear(const char *verb, struct rx_disk *disk, long wait_ms);

#endif
