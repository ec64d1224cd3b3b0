/* SPDX-License-Identifier: GPL-2.0-only */
/* Verification: the comparison of cached blocks with the origin. */
#ifndef _RXC_VERIFY_H
#define _RXC_VERIFY_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct rxc_cache;

/**
 * struct rxc_verify - the comparison of cached blocks with the origin
 * @work: compares; queued under rxc_mutex while the cache has a device
 * @running: rxc_mutex
 * @stop: asks the work to end; READ_ONCE/WRITE_ONCE
 * @sample: one block in @sample is compared, chosen at random; constant while running
 * @compared: blocks that were compared; only the work writes this field and the
 *	following ones while it runs, READ_ONCE/WRITE_ONCE
 * @skipped: blocks that were written or left the cache meanwhile
 * @mismatches: blocks that differed
 * @errors: reads that failed at the origin, its loss, and a lack of memory for the work
 */
struct rxc_verify {
	struct work_struct work;
	bool running;
	bool stop;
	u32 sample;
	u64 compared;
	u64 skipped;
	u64 mismatches;
	u64 errors;
};

void rxc_verify_init(struct rxc_cache *cache);
void rxc_verify_start(struct rxc_cache *cache, u32 sample);	/* rxc_mutex */
void rxc_verify_cancel(struct rxc_cache *cache);		/* may sleep, no lock */

#endif
