/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings that stand for the kernel, and recordings of what it answers. Only tests have
 * them, from tests/cli/replay; in a package there are neither.
 */
#ifndef RXADM_REPLAY_H
#define RXADM_REPLAY_H

#include "base/global.h"
#include "base/wait.h"
#include "kernel/errtext.h"

struct nl_msg;
struct rx_op;
struct rx_req;

struct rx_replay {
	bool (*absent)(enum rx_family family);
	/* Returns as nl_do() does. */
	int (*call)(const struct rx_req *req,
		    int (*reply)(void *arg, const void *attrs, size_t len),
		    void *arg, struct rx_err *err);
	void (*join)(enum rx_family family);
	/* Returns the next event whose request was made, or a time-out. */
	enum rx_wait (*wait)(enum rx_family *family, const struct rx_op **op,
			     struct nl_msg **attrs);
	/* Returns STATUS, or a failure if a request was expected and never came. */
	int (*finish)(int status);
};

struct rx_record {
	void (*request)(const struct rx_req *req);
	void (*join)(enum rx_family family);
	void (*reply)(enum rx_family family, const void *attrs, size_t len);
	void (*error)(const struct rx_err *err);
	void (*event)(enum rx_family family, const struct rx_op *op,
		      const void *attrs, size_t len);
};

/* NULL where nothing is replayed, and where nothing is recorded. */
#ifdef RXADM_TEST_HOOKS
const struct rx_replay *replay(void);
const struct rx_record *record(void);
#else
static inline const struct rx_replay *replay(void) { return NULL; }
static inline const struct rx_record *record(void) { return NULL; }
#endif

#endif
