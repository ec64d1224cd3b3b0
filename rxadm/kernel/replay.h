/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings of requests to the kernel, and answers from recordings. */
#ifndef RXADM_REPLAY_H
#define RXADM_REPLAY_H

#include "base/global.h"
#include "base/wait.h"
#include "kernel/errtext.h"

struct nl_msg;
struct rx_op;
struct rx_req;

bool replay_active(void);
bool replay_absent(enum rx_family family);
int replay_do(const struct rx_req *req,
	      int (*reply)(void *arg, const void *attrs, size_t len),
	      void *arg, struct rx_err *err);
void replay_join(enum rx_family family);
enum rx_wait replay_wait(enum rx_family *family, const struct rx_op **op,
			 struct nl_msg **attrs);
void record_request(const struct rx_req *req);
void record_join(enum rx_family family);
void record_reply(enum rx_family family, const void *attrs, size_t len);
void record_error(const struct rx_err *err);
void record_event(enum rx_family family, const struct rx_op *op,
		  const void *attrs, size_t len);
int replay_finish(int status);

#endif
