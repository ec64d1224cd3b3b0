// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides how long a load rests, so that others keep most of the disks.
 *
 * A load reads for a while, rests, and compares how much others did in both times. If they
 * did as much while it read, the disks have capacity to spare, and the rests are short:
 * they only measure. If others did less, the load rests for several times as long as it
 * has read. While there are no others, it only looks for them now and then.
 *
 * All times are in ms, and all sectors are sums over the cache, its origin and the disks
 * below, as in warmbusy.c.
 */
#include "warmpace.h"

#define LOOK_MS		20		/* how often a load alone looks for others */
#define PROBE_MS	1		/* how long such a look takes */
#define READ_MS		200		/* between rests, or one read if that takes longer */
#define HOLD_BACK	4		/* the rest is this many times as long */
#define MEASURE		8		/* or this part of it, if the reads harm nobody */
#define REST_MIN_MS	10
#define REST_MAX_MS	2000
#define SMOOTH		8		/* a new measurement changes a rate by 1/SMOOTH */

/* Returns how long to rest before the next read, or 0. */
int64_t pace_rest(const struct warm_pace *pace, int64_t now)
{
	int64_t read = now - pace->at, rest;

	if (!pace->others)
		return read < LOOK_MS ? 0 : PROBE_MS;
	if (read < READ_MS)
		return 0;
	rest = pace->harmless ? read / MEASURE : read * HOLD_BACK;
	if (rest < REST_MIN_MS)
		return REST_MIN_MS;
	return rest < REST_MAX_MS ? rest : REST_MAX_MS;
}

/* The sum falls when a disk goes away, and its counters with it. */
static uint64_t sectors_since(const struct warm_pace *pace, uint64_t done)
{
	return done > pace->done ? done - pace->done : 0;
}

static void measure(double *rate, uint64_t sectors, int64_t ms)
{
	double now = (double)sectors / (double)(ms > 0 ? ms : 1);

	*rate = *rate ? *rate + (now - *rate) / SMOOTH : now;
}

/* Called at the start of a rest, while no read of the load is in flight. */
void pace_begin(struct warm_pace *pace, int64_t now, uint64_t done)
{
	uint64_t all = sectors_since(pace, done);

	if (pace->others)
		measure(&pace->read_rate, all > pace->own ? all - pace->own : 0,
			now - pace->at);
	pace->at = now;
	pace->done = done;
}

/*
 * Called at the end of a rest. BUSY: at its start somebody had an I/O in flight. Others
 * that have just appeared are harmed until a measurement says otherwise.
 */
void pace_end(struct warm_pace *pace, int64_t now, uint64_t done, bool busy)
{
	bool others = busy || done != pace->done;

	if (!others || !pace->others) {
		pace->read_rate = pace->rest_rate = 0;
		pace->harmless = false;
	} else {
		measure(&pace->rest_rate, sectors_since(pace, done), now - pace->at);
		pace->harmless = pace->read_rate * 4 >= pace->rest_rate * 3;
	}
	pace->others = others;
	pace->at = now;
	pace->done = done;
	pace->own = 0;
}
