/* SPDX-License-Identifier: GPL-2.0-only */
/* Decides how fast a load reads, so that others keep most of the disks. */
#ifndef RXADM_WARMPACE_H
#define RXADM_WARMPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "warm/busy.h"

struct warm_pace {
	unsigned int depth_max;
	unsigned int depth;	/* reads to have in flight, at least 1 */
	bool others;		/* others use the disks */
	bool harmless;		/* the load's reads do not slow them down */
	int64_t at;		/* ms: the end of the last rest */
	struct warm_done done;	/* by all, until then */
	uint64_t own;		/* sectors that the load has read since */
	unsigned int reads;	/* ... in so many reads that may need the disks */
	double read_rate, rest_rate;	/* of others, in sectors per ms; 0: not known yet */
	double requests_rate;	/* of others in a rest, per ms */

	/* How the depth is chosen: */
	bool changed;		/* others were not measured at this depth yet */
	unsigned int trial_reads;	/* of the load in this trial ... */
	int64_t trial_ms;		/* ... which took so long */
	unsigned int hold;	/* trials to go before another depth is tried */
	double speed;		/* reads per ms at half the depth, while that is compared */
};

void pace_init(struct warm_pace *pace, unsigned int depth_max);
int64_t pace_rest(const struct warm_pace *pace, int64_t now);
void pace_begin(struct warm_pace *pace, int64_t now, const struct warm_done *done);
void pace_end(struct warm_pace *pace, int64_t now, const struct warm_done *done, bool busy);

#endif
