/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that loads a cache from its list, and how far it has come. */
#ifndef RXADM_WARM_LOADER_H
#define RXADM_WARM_LOADER_H

#include <sys/types.h>

#include "base/wait.h"
#include "kernel/object.h"

void warm_state_get(const char *name, uint64_t id, struct rx_warm *warm);
void warm_state_add(struct rx_cache *cache);
int warm_state_put(const char *name, uint64_t id, const struct rx_warm *warm);
int warm_state_lock(const char *name);
void warm_state_remove(const char *name);
bool warm_loader_runs(const char *name);
enum rx_wait warm_loader_stop(const char *name, long wait_ms);
void warm_start(const char *verb, const struct rx_cache *cache, bool warm);

#endif
