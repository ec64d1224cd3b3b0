/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the blocks of a list through their cache, so that the cache holds them. */
#ifndef RXADM_WARM_LOADING_H
#define RXADM_WARM_LOADING_H

#include "kernel/object.h"
#include "warm/blocklist.h"
#include "warm/busy.h"
#include "warm/pace.h"
#include "warm/read.h"

struct warm_loading {
	const char *verb;
	const struct rx_cache *cache;
	struct warm_list list;		/* of blocks of the cache's size */
	struct rx_warm warm;
	struct warm_disks disks;
	struct warm_done done;		/* see busy.c */
	int lock, device;
	struct warm_reads reads;
	struct warm_pace pace;
	bool again;			/* what is read now was loaded already */
	uint64_t given;			/* bytes of the first reads that were begun */
	int64_t told;
};

/* Makes all reads. Returns false if it was stopped before. */
typedef bool warm_passes(struct warm_loading *load);

bool warm_keeps(const struct rx_cache *cache);
uint64_t load_begin_of(const struct warm_loading *load, size_t i);
size_t load_neighbours(const struct warm_loading *load, size_t i, bool equal, unsigned int *heat);
bool load_settle(struct warm_loading *load, uint64_t next);
bool load_hold_back(struct warm_loading *load, uint64_t next);
void load_read(struct warm_loading *load, size_t i, size_t next, unsigned int depth);
int load_list(struct warm_loading *load, warm_passes *passes);

#endif
