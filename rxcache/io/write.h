/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes, discards, write-zeroes and flushes. */
#ifndef _RXC_WRITE_H
#define _RXC_WRITE_H

struct bio;
struct rxc_map;

void rxc_write(struct rxc_map *map, struct bio *bio);

#endif
