/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of the blocks that a cache holds: saved, and found again. */
#ifndef RXADM_WARMSAVE_H
#define RXADM_WARMSAVE_H

#include <stdbool.h>

#include "kernel/object.h"
#include "warm/blocklist.h"

int warm_save(const char *verb, const struct rx_cache *cache);
bool warm_saved(const char *verb, const struct rx_cache *cache, struct warm_list *list);

#endif
