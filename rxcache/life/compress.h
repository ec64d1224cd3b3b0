/* SPDX-License-Identifier: GPL-2.0-only */
/* Which caches have their blocks compressed, and the work that does it. See packed/pack.h. */
#ifndef _RXC_COMPRESS_H
#define _RXC_COMPRESS_H

#include <linux/types.h>

struct rxc_pool;

/* Why a cache with larger blocks can't have them compressed. */
extern const char rxc_compress_one_page[];

/*
 * Makes the pool, whose blocks have one page, able to compress with a codec. Context:
 * process, may sleep, rxc_mutex. Returns 0, or an errno with its text in *@why, and then
 * nothing has changed.
 */
int rxc_compress_prepare(struct rxc_pool *pool, u32 codec, const char **why);

/*
 * Sets the codec for new blocks of a cache, after rxc_compress_prepare(). What is compressed
 * stays so until it leaves. Context: as above.
 */
void rxc_compress_set(struct rxc_pool *pool, unsigned int key, u32 codec);

#endif
