/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_RUN_DRYRUN_H
#define RXADM_RUN_DRYRUN_H

#include <stdbool.h>

struct rx_req;
struct json_object;

/* ASKED: whether the kernel has checked the request. It can't while its module is absent. */
int req_show(const struct rx_req *req, bool asked);
int req_show_none(void);
void req_show_also(const char *key, struct json_object *value);
void step_show(const char *text);
void req_show_end(int status);

#endif
