/* SPDX-License-Identifier: GPL-2.0-only */
/* How far caches are loaded from their lists, and by whom. */
#ifndef RXADM_WARM_STATE_H
#define RXADM_WARM_STATE_H

#include <sys/types.h>

#include "kernel/object.h"

/*
 * Reads the state of the load of a cache. All fields are RX_NONE, and the ratio is -1, if
 * the cache of that name and id has no state: it was neither mapped to be warm nor loaded.
 */
void warm_state_get(const char *name, uint64_t id, struct rx_warm *warm);
void warm_state_add(struct rx_cache *cache);
/* Returns 0 or an errno. */
int warm_state_put(const char *name, uint64_t id, const struct rx_warm *warm);
/*
 * Takes the load of a cache for this process. Returns the lock, which lasts as long as it is
 * open, or -1 with errno: EAGAIN if another process has it.
 */
int warm_state_lock(const char *name);
/* Returns the process that loads the cache, 0 if there is none, or -1 if that is not known. */
pid_t warm_state_loader(const char *name);
void warm_state_remove(const char *name);

#endif
