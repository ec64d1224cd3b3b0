// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides how fast a load reads, so that others keep most of the disks.
 *
 * A load reads for a while, rests, and compares how much others did in both times. If they
 * did as much while it read, the disks have capacity to spare, and the rests are short:
 * they only measure. If others did less, the load rests for several times as long as it
 * has read. While there are no others, it only looks for them now and then.
 *
 * As long as nobody is harmed, it doubles the number of its reads in flight, and keeps
 * that if it gets more done. So a disk that does many requests at once is used, and one
 * with a single head has no queue. If others do less with several reads in flight, there
 * are half as many before there are long rests.
 *
 * All times are in ms, and what is done is in sectors of the cache and of the disks below
 * it, as in busy.c.
 */
#include "warm/pace.h"

#define LOOK_MS		20		/* how often a load alone looks for others */
#define PROBE_MS	1		/* how long such a look takes */
#define READ_MS		200		/* between rests, or one read if that takes longer */
#define HOLD_BACK	4		/* the rest is this many times as long */
#define MEASURE		8		/* or this part of it, if the reads harm nobody */
#define REQUESTS	8		/* ... but as many requests of others, at most READ_MS */
#define REST_MIN_MS	10
#define REST_MAX_MS	2000
#define SMOOTH		8		/* a new measurement changes a rate by 1/SMOOTH ... */
#define SMOOTH_CHANGED	2		/* ... the first one at another depth by this */
#define HOLD_TRIALS	8		/* before another depth is tried again */
#define UNHARMED	0.75		/* others that do at least this part are unharmed */
#define GAIN		1.3		/* twice the depth must get this many times as much done */

void pace_init(struct warm_pace *pace, unsigned int depth_max)
{
	*pace = (struct warm_pace){ .depth_max = depth_max, .depth = 1 };
}

/*
 * Returns how long to rest beside others that are not harmed. In a rest that is as short
 * as one of their requests, they would seem to do less than they do.
 */
static int64_t short_rest(const struct warm_pace *pace, int64_t read)
{
	double ms = REQUESTS / pace->requests_rate;

	if (ms > read)
		return read;
	return ms > read / MEASURE ? ms : read / MEASURE;
}

/* Returns how long to rest before the next read, or 0. */
int64_t pace_rest(const struct warm_pace *pace, int64_t now)
{
	int64_t read = now - pace->at, rest;

	if (!pace->others)
		return read < LOOK_MS ? 0 : PROBE_MS;
	if (read < READ_MS)
		return 0;
	/* Equal times are enough for the first comparison. */
	rest = pace->rest_rate ? read * HOLD_BACK : read;
	if (pace->harmless)
		rest = short_rest(pace, read);
	if (rest < REST_MIN_MS)
		return REST_MIN_MS;
	return rest < REST_MAX_MS ? rest : REST_MAX_MS;
}

static void measure(double *rate, uint64_t sectors, int64_t ms, unsigned int smooth)
{
	double now = (double)sectors / (double)(ms > 0 ? ms : 1);

	*rate = *rate ? *rate + (now - *rate) / smooth : now;
}

/*
 * Returns what others have done up to DONE, while the load has read OWN: with the cache,
 * and with the disks beside the cache.
 */
static uint64_t of_others(const struct warm_pace *pace, const struct warm_done *done,
			  uint64_t own)
{
	uint64_t cache = done->cache - pace->done.cache;
	uint64_t disks = done->disks - pace->done.disks;
	uint64_t origin = done->origin - pace->done.origin;

	return (cache > own ? cache - own : 0) + (disks > origin ? disks - origin : 0);
}

/* Called at the start of a rest, while no read of the load is in flight. */
void pace_begin(struct warm_pace *pace, int64_t now, const struct warm_done *done)
{
	int64_t ms = now - pace->at;

	if (pace->others)
		measure(&pace->read_rate, of_others(pace, done, pace->own), ms,
			pace->changed ? SMOOTH_CHANGED : SMOOTH);
	pace->changed = false;
	if (pace->reads) {
		pace->trial_reads += pace->reads;
		pace->trial_ms += ms;
	}
	pace->at = now;
	pace->done = *done;
}

static void begin_trial(struct warm_pace *pace)
{
	pace->trial_reads = 0;
	pace->trial_ms = 0;
}

/* SPEED: that of the present depth, if another depth is to be compared with it, or 0. */
static void set_depth(struct warm_pace *pace, unsigned int depth, double speed)
{
	pace->changed = depth != pace->depth;
	pace->depth = depth;
	pace->speed = speed;
	pace->hold = speed ? 0 : HOLD_TRIALS;
	begin_trial(pace);
}

static void choose_depth(struct warm_pace *pace)
{
	double speed;

	if (pace->others && !pace->harmless) {
		begin_trial(pace);
		if (pace->depth == 1)
			return;
		/* Fewer reads in flight may be enough of a change. */
		set_depth(pace, pace->depth / 2, 0);
		pace->harmless = true;
		return;
	}
	if (pace->trial_ms < READ_MS)
		return;
	speed = (double)pace->trial_reads / (double)pace->trial_ms;
	begin_trial(pace);
	if (pace->hold) {
		pace->hold--;
		return;
	}
	if (pace->speed && speed < pace->speed * GAIN)
		set_depth(pace, pace->depth / 2, 0);
	else if (pace->depth == pace->depth_max)
		set_depth(pace, pace->depth, 0);
	else
		set_depth(pace, pace->depth * 2, speed);
}

/*
 * Called at the end of a rest. BUSY: at its start or end somebody had an I/O in flight.
 * Others that have just appeared are harmed until a measurement says otherwise.
 */
void pace_end(struct warm_pace *pace, int64_t now, const struct warm_done *done, bool busy)
{
	uint64_t theirs = of_others(pace, done, 0);
	bool others = busy || theirs;

	if (!others || !pace->others) {
		pace->read_rate = pace->rest_rate = pace->requests_rate = 0;
		pace->harmless = false;
	} else {
		measure(&pace->rest_rate, theirs, now - pace->at, SMOOTH);
		measure(&pace->requests_rate, done->requests - pace->done.requests,
			now - pace->at, SMOOTH);
		pace->harmless = pace->read_rate >= pace->rest_rate * UNHARMED;
	}
	if (others && !pace->others) {
		pace->depth = 1;
		pace->speed = pace->hold = 0;
	}
	pace->others = others;
	choose_depth(pace);
	pace->at = now;
	pace->done = *done;
	pace->own = 0;
	pace->reads = 0;
}
