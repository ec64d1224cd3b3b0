/* SPDX-License-Identifier: GPL-2.0-only */
/* The watch over a cache that is not idle. */
#ifndef _RXC_WATCH_H
#define _RXC_WATCH_H

struct work_struct;

void rxc_watch(struct work_struct *work);

#endif
