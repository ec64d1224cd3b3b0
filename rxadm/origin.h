/* SPDX-License-Identifier: GPL-2.0-only */
/* What udev is told of an origin when a cache begins or ends. */
#ifndef RXADM_ORIGIN_H
#define RXADM_ORIGIN_H

struct rx_cache;

void origin_event(const struct rx_cache *cache);
char *origin_parts(const struct rx_cache *cache);
void origin_released(const struct rx_cache *cache, const char *parts);

#endif
