/* SPDX-License-Identifier: GPL-2.0-only */
/* Unread blocks: they were read ahead, and no reader has come to them yet. See index.h. */
#ifndef _RXC_UNREAD_H
#define _RXC_UNREAD_H

#include <linux/types.h>

struct rxc_cache;

/*
 * A reader comes to the blocks from @first to @last. Makes those at the front that are
 * unread ordinary ones. Returns how many there were. Context: any.
 */
u64 rxc_unread_use(struct rxc_cache *cache, u64 first, u64 last);

/* The same for all that are unread, wherever they are between others. Context: any. */
void rxc_unread_use_all(struct rxc_cache *cache, u64 first, u64 last);

/* Returns how many blocks have left the index unread. Context: process, rxc_mutex. */
u64 rxc_unread_vain(const struct rxc_cache *cache);

#endif
