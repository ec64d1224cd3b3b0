/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_RUN_DRYRUN_H
#define RXADM_RUN_DRYRUN_H

struct rx_req;
struct json_object;

/* Whether the kernel has checked a request, can't be asked, or depends on an earlier one. */
enum req_asked { REQ_ASKED, REQ_ABSENT, REQ_LATER };

int req_show(const struct rx_req *req, enum req_asked asked);
int req_show_none(void);
void req_show_also(const char *key, struct json_object *value);
void step_show(const char *text);
void req_show_end(int status);

#endif
