/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of work that the kernel goes on with by itself. */
#ifndef RXADM_AWAIT_H
#define RXADM_AWAIT_H

#include <stdint.h>

struct rx_cache;
struct rx_disk;

enum rx_await {
	AWAIT_ACTIVE, AWAIT_VERIFIED, AWAIT_RESIZED, AWAIT_WORKED, AWAIT_UNMAPPED,	/* of a cache */
	AWAIT_CLEARED, AWAIT_READY, AWAIT_PREPARED, AWAIT_DETACHED, /* of a disk */
};

/* END_FAILED: the object is gone, and what was waited for did not come. */
enum rx_end { END_DONE, END_FAILED, END_TIMEOUT, END_SIGNAL };

enum rx_end await_cache(enum rx_await what, struct rx_cache *cache,
			const char *verb, const char *object, long wait_ms);
/* AIM: the bytes of memory that a disk is going to have, or RX_NONE if that is not known. */
enum rx_end await_disk(enum rx_await what, struct rx_disk *disk, uint64_t aim,
		       const char *verb, long wait_ms);
/*
 * Waits until no block of CACHE is dropped or pinned in the background, and reports an end
 * that did not come. Gets the last state of CACHE. Returns RX_OK or an exit status.
 */
int await_worked(struct rx_cache *cache, const char *verb, long wait_ms);
int await_report(enum rx_end end, const char *verb, const char *object,
		 const char *name, const char *late, const char *interrupted);
/* Does so for work on the cache NAME. If the cache is gone, that came to no end either. */
int await_report_cache(enum rx_end end, const char *verb, const char *name,
		       const char *late, const char *interrupted);

#endif
