// SPDX-License-Identifier: GPL-2.0-only
/* How much read-ahead may be in flight. See throttle.h. */
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include "forecast/throttle.h"

enum {
	/* The weight of the latest read in a mean is 1/WEIGHT. */
	WEIGHT		= 8,
	/* Reads beside read-ahead after which the limit changes. */
	SAMPLES		= 8,
	/* Reads after which read-ahead that was stopped is tried again. */
	REST		= 1024,
	/* The limit at first. */
	START		= 1024 * 1024,
	/* Parts of a replaced read. */
	PARTS		= 16,
	/*
	 * One in SAVED of the replaced reads is counted as saved: some are not read after all,
	 * some come before their block, and some wait for another block.
	 */
	SAVED		= 4,
};

void rxc_throttle_init(struct rxc_throttle *throttle)
{
	*throttle = (struct rxc_throttle){ .limit = START };
}

static void add_to_mean(u32 *mean, u32 ns)
{
	u32 old = READ_ONCE(*mean);

	WRITE_ONCE(*mean, old ? old - old / WEIGHT + ns / WEIGHT : ns);
}

/* Sets the limit, and begins to count anew. */
static void throttle_set(struct rxc_throttle *throttle, u32 limit)
{
	WRITE_ONCE(throttle->limit, limit);
	WRITE_ONCE(throttle->samples, 0);
	WRITE_ONCE(throttle->replaced, 0);
	WRITE_ONCE(throttle->lost, 0);
}

static u32 throttle_half(u32 limit)
{
	return max_t(u32, limit / 2, RXC_THROTTLE_MIN);
}

static void throttle_judge(struct rxc_throttle *throttle, u32 limit, s64 lost)
{
	s64 replaced = (s64)READ_ONCE(throttle->replaced) * READ_ONCE(throttle->alone);

	if (lost * PARTS * SAVED <= replaced)
		limit = min_t(u32, limit + limit / 4, RXC_THROTTLE_MAX);
	else
		limit = limit > RXC_THROTTLE_MIN ? throttle_half(limit) : 0;
	throttle_set(throttle, limit);
}

void rxc_throttle_note(struct rxc_throttle *throttle, u64 ns, bool beside)
{
	u32 limit = READ_ONCE(throttle->limit), samples = READ_ONCE(throttle->samples) + 1;
	u32 took = min_t(u64, ns, U32_MAX), alone = READ_ONCE(throttle->alone);
	s64 lost;

	add_to_mean(beside ? &throttle->beside : &throttle->alone, took);
	if (limit && !beside)
		return;
	WRITE_ONCE(throttle->samples, samples);
	if (!limit) {
		if (samples >= REST)
			throttle_set(throttle, RXC_THROTTLE_MIN);
		return;
	}
	lost = READ_ONCE(throttle->lost) + (alone ? (s64)took - alone : 0);
	WRITE_ONCE(throttle->lost, lost);
	if (samples >= SAMPLES)
		throttle_judge(throttle, limit, lost);
}

void rxc_throttle_sent(struct rxc_throttle *throttle, u32 blocks, u32 size)
{
	WRITE_ONCE(throttle->replaced, READ_ONCE(throttle->replaced) + blocks * PARTS / size);
}

void rxc_throttle_refused(struct rxc_throttle *throttle)
{
	throttle_set(throttle, throttle_half(READ_ONCE(throttle->limit)));
}

u32 rxc_throttle_room(const struct rxc_throttle *throttle, u64 in_flight)
{
	u32 limit = READ_ONCE(throttle->limit);

	return in_flight < limit ? limit - in_flight : 0;
}

u32 rxc_throttle_latency(const struct rxc_throttle *throttle)
{
	return max(READ_ONCE(throttle->alone), READ_ONCE(throttle->beside));
}
