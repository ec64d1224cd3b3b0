/* SPDX-License-Identifier: GPL-2.0-only */
/* What a cache admits: its mode, and whether it is frozen. */
#ifndef _RXC_MODE_H
#define _RXC_MODE_H

#include <linux/types.h>

struct rxc_cache;

void rxc_mode_set(struct rxc_cache *cache, u32 mode);
void rxc_mode_freeze(struct rxc_cache *cache, bool frozen);

#endif
