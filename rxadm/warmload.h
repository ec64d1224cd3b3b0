/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of a cache from its list. */
#ifndef RXADM_WARMLOAD_H
#define RXADM_WARMLOAD_H

#include "object.h"

int warm_load(const char *verb, const struct rx_cache *cache);

/* warmstart.c APIs: */
void warm_start(const char *verb, const struct rx_cache *cache, bool warm);

#endif
