/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of several verbs that detach disks, unmap caches and change disks. */
#ifndef RXADM_ENDINGS_H
#define RXADM_ENDINGS_H

#include <stdint.h>

struct rx_disk;
struct rx_list;
struct rx_req;
struct rx_run;

/* Says why DISK could not have its memory. */
int prepare_failed(const char *verb, const char *object, const struct rx_disk *disk);
/* DONE, which may be NULL, gets the last states of the objects that are gone. */
int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done);
int disk_release(const char *verb, const char *name, struct rx_list *done);
int cache_unmap(const char *name, long wait_ms, struct rx_list *done);
int disk_change(struct rx_req *req, const struct rx_run *run, uint64_t size);

#endif
