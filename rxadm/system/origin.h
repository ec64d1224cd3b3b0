/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_SYSTEM_ORIGIN_H
#define RXADM_SYSTEM_ORIGIN_H

struct rx_cache;

void disk_event(const char *name);
void origin_event(const struct rx_cache *cache);
char *origin_parts(const struct rx_cache *cache);
void origin_released(const struct rx_cache *cache, const char *parts);

#endif
