/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells whether others use the disks of a cache. */
#ifndef RXADM_WARMBUSY_H
#define RXADM_WARMBUSY_H

#include <stdbool.h>
#include <stdint.h>

struct rx_cache;
struct rx_strv;

unsigned int warm_disks(const struct rx_cache *cache, struct rx_strv *stats);
bool warm_disks_busy(const struct rx_strv *stats, uint64_t *sectors);

#endif
