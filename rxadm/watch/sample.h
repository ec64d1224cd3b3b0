/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of the counters, their differences, and the rates of these. */
#ifndef RXADM_WATCH_SAMPLE_H
#define RXADM_WATCH_SAMPLE_H

#include "kernel/list.h"
#include "kernel/name.h"

/* A device over an interval, per second; below 0: not known. */
struct rx_rate {
	enum rx_family family;
	char name[RX_NAME_LEN], state[RX_NAME_LEN], origin[128];
	uint64_t used;
	double hit;			/* 0 to 1 */
	double reads, read_bytes, read_ns;	/* read_ns: mean of one */
	double writes, write_bytes, write_ns;
};

struct rx_rates {
	struct rx_rate *rows;
	size_t n;
	uint64_t size, used;		/* of all disks */
	uint64_t index;			/* memory of the indexes of all caches */
	uint64_t compressed, compressed_memory;
	uint64_t memory, available;	/* of the machine */
};

struct rx_sampler {
	struct rx_objects only;
	bool absent;		/* the module of disks */
	struct rx_list last;		/* figures of the last sample */
	int64_t last_ns;		/* its time; 0 before the first */
	struct rx_rates rates;
};

struct rx_err;

void list_subtract(struct rx_list *now, const struct rx_list *before);
struct rx_list list_figures(const struct rx_list *list, const struct rx_objects *only);
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		uint64_t interval_ns);
int sample(struct rx_sampler *s, struct rx_err *err);
void sample_free(struct rx_sampler *s);

#endif
