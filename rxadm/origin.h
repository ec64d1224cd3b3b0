/* SPDX-License-Identifier: GPL-2.0-only */
/* What udev is told of an origin when a cache begins or ends. */
#ifndef RXADM_ORIGIN_H
#define RXADM_ORIGIN_H

#include <stdbool.h>

struct rx_cache;
struct rx_origin;

void origin_event(const struct rx_cache *cache);
struct rx_origin *origin_before(const struct rx_cache *cache);
void origin_after(struct rx_origin *origin, bool gone);

#endif
