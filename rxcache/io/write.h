/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes, discards, write-zeroes and flushes. */
#ifndef _RXC_WRITE_H
#define _RXC_WRITE_H

struct bio;
struct rxc_cache;

void rxc_write(struct rxc_cache *cache, struct bio *bio);

#endif
