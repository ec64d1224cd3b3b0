/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads. */
#ifndef _RXC_READ_H
#define _RXC_READ_H

struct bio;
struct rxc_cache;

void rxc_read(struct rxc_cache *cache, struct bio *bio);
void rxc_read_past(struct rxc_cache *cache, struct bio *bio);

#endif
