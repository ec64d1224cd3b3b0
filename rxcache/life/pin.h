/* SPDX-License-Identifier: GPL-2.0-only */
/* Pinned parts of the origin. */
#ifndef _RXC_PIN_H
#define _RXC_PIN_H

#include <linux/types.h>

struct rxc_cache;

int rxc_pin(struct rxc_cache *cache, u64 offset, u64 length, bool commit, const char **why);
int rxc_unpin(struct rxc_cache *cache, u64 offset, u64 length, bool commit, const char **why);

#endif
