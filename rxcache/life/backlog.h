/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The backlog of a cache: work on its cached blocks that takes time with their number. A
 * request only adds to it and returns, because requests run under generic netlink's lock,
 * and lists wait for rxc_mutex. A worker does the work, and an event tells of its end.
 */
#ifndef _RXC_BACKLOG_H
#define _RXC_BACKLOG_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct rxc_cache;

/* Blocks from @first to @last; none if @last is the smaller one. */
struct rxc_blocks {
	u64 first;
	u64 last;
};

/**
 * struct rxc_todo - what a run of the worker does
 * @drop: blocks to be dropped
 * @settle: blocks to be pinned or not, as the pinned ranges say
 * @all: a request asked for all blocks to be dropped
 * @entered: bypass mode was entered
 * @tail: @drop has blocks behind a former end of the origin
 */
struct rxc_todo {
	struct rxc_blocks drop;
	struct rxc_blocks settle;
	bool all;
	bool entered;
	bool tail;
};

/**
 * struct rxc_backlog - work on cached blocks that was not done yet
 * @work: does it; queued under rxc_mutex while the cache has a device
 * @stop: the cache ends; READ_ONCE/WRITE_ONCE
 * @running: @work is queued or runs; rxc_mutex, as are the following ones
 * @todo: of the next run
 * @leave: bypass mode ends, for @mode, with the next run
 * @orders: how often bypass mode was entered, left or ordered to stay. A run ends it only if
 *	no later order came
 * @mode: see @leave
 * @tail: blocks behind a former end of the origin are not all dropped yet
 */
struct rxc_backlog {
	struct work_struct work;
	bool stop;
	bool running;
	struct rxc_todo todo;
	bool leave;
	u64 orders;
	u32 mode;
	bool tail;
};

void rxc_backlog_init(struct rxc_cache *cache);

/* These return at once. Context: under rxc_mutex; the cache has a device. */
void rxc_backlog_drop_all(struct rxc_cache *cache);
void rxc_backlog_enter_bypass(struct rxc_cache *cache);
void rxc_backlog_leave_bypass(struct rxc_cache *cache, u32 mode);
void rxc_backlog_stay(struct rxc_cache *cache);	/* in bypass mode */
void rxc_backlog_drop(struct rxc_cache *cache, u64 first, u64 last);
void rxc_backlog_drop_tail(struct rxc_cache *cache, u64 first, u64 last);
void rxc_backlog_settle(struct rxc_cache *cache, u64 first, u64 last);

/* Ends the work early. Context: may sleep, no lock; nothing is added any more. */
void rxc_backlog_cancel(struct rxc_cache *cache);

#endif
