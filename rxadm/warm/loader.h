/* SPDX-License-Identifier: GPL-2.0-only */
/* The process that loads a cache from its list. */
#ifndef RXADM_WARM_LOADER_H
#define RXADM_WARM_LOADER_H

#include "base/wait.h"
#include "kernel/object.h"

bool warm_loader_runs(const char *name);
enum rx_wait warm_loader_stop(const char *name, long wait_ms);
void warm_start(const char *verb, const struct rx_cache *cache, bool warm);

#endif
