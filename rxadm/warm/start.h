/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WARM_START_H
#define RXADM_WARM_START_H

#include <stdbool.h>

struct rx_cache;

void warm_start(const char *verb, const struct rx_cache *cache, bool warm);

#endif
