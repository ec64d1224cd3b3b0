// SPDX-License-Identifier: GPL-2.0-only
/* The origin: parts are sent to it, it answers them, and it may be lost. */
#include <linux/ktime.h>
#include "bounce.h"
#include "compat.h"
#include "latency.h"
#include "map.h"
#include "origin.h"
#include "part.h"
#include "recent.h"
#include "stats.h"

/*
 * Notes that the origin is lost: from the first call on, every I/O fails. Context: any,
 * also inside the callback that says the origin is being removed. dead_work is cancelled
 * before the cache is freed, after the last caller of this function is gone.
 */
void rxc_origin_note_dead(struct rxc_map *map)
{
	if (!cmpxchg(&map->dead, false, true))
		queue_work(rxc_life_wq, &map->dead_work);
}

static void origin_count_read(const struct rxc_part *part, unsigned int bytes)
{
	rxc_count(part->map, RXC_ORIGIN_READS, 1);
	rxc_count(part->map, RXC_ORIGIN_READ_BYTES, bytes);
}

/* Counts and times the origin's answer to a part, and notes if the origin is lost. */
void rxc_origin_answered(struct rxc_part *part)
{
	blk_status_t status = part->bio.bi_status;

	if (part->uncounted && status != BLK_STS_AGAIN)
		origin_count_read(part, part->uncounted);
	/* A refusal to wait is not an error of the origin, as in rxc_bio_end(). */
	if (status && status != BLK_STS_AGAIN)
		rxc_recent_error(part->map, op_is_write(bio_op(&part->bio)) ?
				 RXC_ORIGIN_WRITE_ERRORS : RXC_ORIGIN_READ_ERRORS);
	else if (!status && bio_op(&part->bio) == REQ_OP_READ)
		rxc_latency_add(part->map, RXC_LATENCY_ORIGIN,
				ktime_get_ns() - part->began);
	if (rx_claim_lost(&part->map->origin, status))
		rxc_origin_note_dead(part->map);
}

/* Sends a part to the origin, which may refuse buffers that the cache takes. */
void rxc_origin_send(struct rxc_part *part)
{
	if (part->users_pages && rxc_bounce_wanted(part))
		rxc_bounce_part(part);
	else
		rxc_part_submit(part, &part->bio);
}

/* Sends a read to the origin. The read does not count if the origin refuses to wait. */
void rxc_origin_read(struct rxc_part *part)
{
	if (part->bio.bi_opf & REQ_NOWAIT)
		part->uncounted = part->bio.bi_iter.bi_size;
	else
		origin_count_read(part, part->bio.bi_iter.bi_size);
	part->began = ktime_get_ns();
	rxc_origin_send(part);
}
