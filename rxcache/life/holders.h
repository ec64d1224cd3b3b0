/* SPDX-License-Identifier: GPL-2.0-only */
/* What is asked of the origin's holder is passed on to the holders of the cache. */
#ifndef _RXC_HOLDERS_H
#define _RXC_HOLDERS_H

struct rx_claim_up;
struct rxc_cache;

extern const struct rx_claim_up rxc_holders;

void rxc_holders_end(struct rxc_cache *cache);	/* may sleep, no lock */

#endif
