/* SPDX-License-Identifier: GPL-2.0-only */
/* Decides how long a load rests, so that others keep most of the disks. */
#ifndef RXADM_WARMPACE_H
#define RXADM_WARMPACE_H

#include <stdbool.h>
#include <stdint.h>

struct warm_pace {
	bool others;		/* others use the disks */
	bool harmless;		/* the load's reads do not slow them down */
	int64_t at;		/* ms: the end of the last rest */
	uint64_t done;		/* sectors that all had done then, summed over the disks */
	uint64_t own;		/* sectors of the load since, counted in the same way */
	double read_rate, rest_rate;	/* of others, in sectors per ms; 0: not known yet */
};

int64_t pace_rest(const struct warm_pace *pace, int64_t now);
void pace_begin(struct warm_pace *pace, int64_t now, uint64_t done);
void pace_end(struct warm_pace *pace, int64_t now, uint64_t done, bool busy);

#endif
