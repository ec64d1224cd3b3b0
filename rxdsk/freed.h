/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the pages of all disks that are on their way back to the kernel. A writer that
 * found no memory learns from this whether more will come, and when some has.
 */
#ifndef _RXD_FREED_H
#define _RXD_FREED_H

/* @nr pages have left a store, or may have, and will be freed. Context: any. */
void rxd_freed_expect(long nr);

/* @nr of them have been freed now. Context: any. */
void rxd_freed_add(long nr);

/* @nr of them were too many: there were no such pages. Context: any. */
void rxd_freed_correct(long nr);

/*
 * Returns a number that changes when pages are freed. A task that finds it changed also
 * finds these pages. Context: any.
 */
unsigned long rxd_freed_seq(void);

/*
 * Returns how many pages are on their way, at most. If it returns 0, rxd_freed_seq() has
 * already changed for all that were. Context: any.
 */
long rxd_freed_coming(void);

/*
 * Waits until rxd_freed_seq() is no longer @seq, no page is on its way, or @timeout
 * jiffies have passed. Context: process, may sleep.
 */
void rxd_freed_wait(unsigned long seq, long timeout);

#endif
