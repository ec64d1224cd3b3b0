/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of a cache from its list. */
#ifndef RXADM_WARMLOAD_H
#define RXADM_WARMLOAD_H

#include "kernel/object.h"

/* Tells whether a cache keeps what is read through it. */
bool warm_keeps(const struct rx_cache *cache);
int warm_load(const char *verb, const struct rx_cache *cache);

#endif
