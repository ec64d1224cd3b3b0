/* SPDX-License-Identifier: GPL-2.0-only */
/* What the core asks of the features, of which it knows none. The table is in main.c. */
#ifndef RXADM_HOOKS_H
#define RXADM_HOOKS_H

#include <stdbool.h>

#include "base/wait.h"

struct rx_cache;
struct rx_strv;

struct rx_hooks {
	/* Adds "exported as ...; run: ..." and the like for each use of the device. */
	void (*tell_users)(const char *device, struct rx_strv *says);
	/* Initiators learn that the device has another size. */
	void (*resized)(const char *device);
	/* The disk or cache of that name is gone, and so is what was noted of it. */
	void (*disk_gone)(const char *name);
	void (*cache_gone)(const char *name);
	/* Fills in what the kernel does not know of a cache. */
	void (*complete)(struct rx_cache *cache);
	/* A process of rxadm that has the cache open, and ends when the cache is to go. */
	bool (*opener_runs)(const char *cache);
	enum rx_wait (*opener_stop)(const char *cache, long wait_ms);
};

extern const struct rx_hooks hooks;

#endif
