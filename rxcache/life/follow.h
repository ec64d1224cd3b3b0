/* SPDX-License-Identifier: GPL-2.0-only */
/* The size of an origin that changes. */
#ifndef _RXC_FOLLOW_H
#define _RXC_FOLLOW_H

struct rxc_cache;

void rxc_follow(struct rxc_cache *cache);		/* may sleep; rxc_mutex */

#endif
