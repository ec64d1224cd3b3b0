/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory in flight of a pool: pages of fills and of writes, from the moment when they
 * are taken to the end of the request. They are in no index, so nothing can evict them, and
 * a slow request holds its pages for as long as it takes.
 *
 * One of them may be as slow as it likes: a cgroup that is held back, an idle priority, an
 * origin that does not answer. So each holder, a cache's reads or writes of one cgroup and
 * one class, may have half of what others leave of three quarters of the room. It may also
 * have what others leave of the first half, so that a burst finds room, and a few of the last
 * quarter in any case. However slow some holders are, others find room.
 *
 * The room is the pool's slack, and all together never have more, so that they take no room
 * from cached blocks. They get no more while the pool has free memory: it will be wanted
 * for blocks while slow requests still hold their pages.
 *
 * The buffers of bounce.c are shared out by the same rule, with a room of their own.
 */
#ifndef _RXC_INFLIGHT_H
#define _RXC_INFLIGHT_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

/* If more have pages in flight, the others are one holder. */
enum { RXC_HOLDERS = 64 };

/**
 * struct rxc_holder - requests that share a bound
 * @cgroup: pays for them; only compared. Each has a bio in flight, which keeps the cgroup
 * @kind: tells apart the holders of one cgroup; rxc_inflight_kind()
 * @pages: in flight; below 0 while @cgroup and @kind change, which is only if there are none
 */
struct rxc_holder {
	const void *cgroup;
	u32 kind;
	atomic_long_t pages;
} ____cacheline_aligned_in_smp;

/**
 * struct rxc_inflight - the memory in flight of a pool
 * @used: holders below it have had pages; READ_ONCE, cmpxchg(). Only grows, to the most
 *	holders that had pages at one time: a request takes the first that has none. It must
 *	not fall below a holder with pages, or their sum would lack these. Looking at all 64
 *	takes 0.1 us (0.2 us from cold lines), and only where the origin is asked anyway
 * @holder: the last one stands for all that find no place
 */
struct rxc_inflight {
	unsigned int used;
	struct rxc_holder holder[RXC_HOLDERS];
};

static inline u32 rxc_inflight_kind(unsigned int cache, unsigned int class, bool write)
{
	return 1 | write << 1 | class << 2 | cache << 8;
}

/*
 * Takes up to @nr times 2^@order pages for the holder of @cgroup and @kind. All holders
 * together never keep more than @room. Returns how many, and the holder in *@holder.
 * Context: any.
 */
unsigned int rxc_inflight_take(struct rxc_inflight *inflight, const void *cgroup, u32 kind,
			       unsigned int nr, unsigned int order, long room,
			       struct rxc_holder **holder);

/* Gives pages of a holder back. Context: any. */
static inline void rxc_inflight_give(struct rxc_holder *holder, unsigned int nr,
				     unsigned int order)
{
	atomic_long_sub((long)nr << order, &holder->pages);
}

#endif
