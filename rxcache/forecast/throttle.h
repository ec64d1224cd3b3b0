/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much read-ahead may be in flight, so that it saves readers more time than they lose
 * because their own requests wait for it.
 *
 * Each read of a reader's own is timed, and it is known whether read-ahead was in flight when
 * it was sent. The time that reads beside read-ahead take longer than reads alone is lost.
 * Read-ahead saves time too: that of the reads that it replaces, or a part of it. If more
 * is lost than saved, the limit is halved, down to nothing. If not, it grows. So nothing has
 * to be known of the origin.
 *
 * There is one throttle for near read-ahead and one for far read-ahead, see forecast.h,
 * because a disk with a head does the one for next to nothing, and the other for the price
 * of a read.
 *
 * Pure C, as odds.h. Any context may call any function at any time: an update that is lost to
 * another one at the same moment is a sample less.
 */
#ifndef _RXC_THROTTLE_H
#define _RXC_THROTTLE_H

#include <linux/types.h>

/* Bounds of the limit, besides 0. */
enum { RXC_THROTTLE_MIN = 64 * 1024, RXC_THROTTLE_MAX = 8 * 1024 * 1024 };

/**
 * struct rxc_throttle - what was measured; READ_ONCE/WRITE_ONCE
 * @alone: mean time of reads beside no read-ahead, in ns, up to U32_MAX; 0: none yet
 * @beside: mean time of the others
 * @limit: bytes of read-ahead that may be in flight
 * @samples: reads since the limit last changed or was confirmed
 * @replaced: reads that the read-ahead since then replaces, in 1/16
 * @lost: ns that readers have lost since then
 */
struct rxc_throttle {
	u32 alone;
	u32 beside;
	u32 limit;
	u32 samples;
	u32 replaced;
	s64 lost;
};

void rxc_throttle_init(struct rxc_throttle *throttle);

/*
 * Notes that a reader's own read took @ns, @beside read-ahead or not. One that was beside
 * other read-ahead alone is not for this throttle.
 */
void rxc_throttle_note(struct rxc_throttle *throttle, u64 ns, bool beside);

/* Notes that @blocks were read ahead for a reader whose reads have @size blocks. */
void rxc_throttle_sent(struct rxc_throttle *throttle, u32 blocks, u32 size);

/* The origin had no room for a request of read-ahead. */
void rxc_throttle_refused(struct rxc_throttle *throttle);

/* Returns how many more bytes may be sent if @in_flight are in flight. */
u32 rxc_throttle_room(const struct rxc_throttle *throttle, u64 in_flight);

/* Returns the time in ns that a read takes now; 0: not known yet. */
u32 rxc_throttle_latency(const struct rxc_throttle *throttle);

#endif
