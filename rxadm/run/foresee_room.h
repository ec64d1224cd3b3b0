/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that shares, a new size and pins fit the disk of a cache. */
#ifndef RXADM_ROOM_H
#define RXADM_ROOM_H

#include "kernel/object.h"
#include "run/run.h"

/* Tells whether a request to set something names a size or a share. */
bool room_is_asked(const struct rx_req *req);

/*
 * The others return RX_OK, or an exit code after they have said why the kernel would refuse
 * REQ. DISK is the memory of the cache; for a pin, NULL if no other cache has a part of it.
 */
int room_for_new(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_disk *disk);
int room_for_set(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_cache *cache, const struct rx_disk *disk);
int room_for_pin(const struct rx_req *req, const struct rx_run *run,
		 const struct rx_cache *cache, const struct rx_disk *disk);

#endif
