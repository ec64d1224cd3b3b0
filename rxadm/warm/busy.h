/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts what all users do with the disks of a cache. */
#ifndef RXADM_WARMBUSY_H
#define RXADM_WARMBUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/object.h"

/* A disk, and what its counters said last. */
struct warm_counter {
	char *name;
	struct rx_io last;
};

struct warm_disks {
	struct warm_counter *at;	/* the first is that of the cache */
	size_t n;
	uint64_t origin;		/* what the cache said last, in sectors */
};

/* Numbers that only grow. The difference of two states is what was done in between. */
struct warm_done {
	uint64_t cache, disks;		/* sectors */
	uint64_t origin;		/* sectors of the disks that the cache asked for */
	uint64_t requests;		/* of the cache and the disks */
};

void warm_disks_find(struct warm_disks *disks, const struct rx_cache *cache);
bool warm_disks_busy(struct warm_disks *disks, const struct rx_cache *now,
		     struct warm_done *done);
void warm_disks_free(struct warm_disks *disks);

#endif
