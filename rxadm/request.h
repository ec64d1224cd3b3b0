/* SPDX-License-Identifier: GPL-2.0-only */
/* A request on its way to the kernel. */
#ifndef RXADM_REQUEST_H
#define RXADM_REQUEST_H

#include "global.h"

struct json_object;
struct nl_msg;
struct rx_op;

struct rx_req {
	enum rx_family family;
	const struct rx_op *op;
	bool dump;
	struct nl_msg *attrs;
};

void req_init(struct rx_req *req, enum rx_family family, uint8_t cmd);
void req_named(struct rx_req *req, enum rx_family family, uint8_t cmd,
	       const char *name);
void req_free(struct rx_req *req);
void req_text(struct rx_req *req, int attr, const char *value);
void req_num(struct rx_req *req, int attr, uint64_t value);
void req_part(struct rx_req *req, int bytes_attr, int percent_attr, const char *text,
	      uint64_t num);
void req_flag(struct rx_req *req, int attr);
uint64_t req_number(const struct rx_req *req, int attr);

/* attrtext.c APIs: */
char *req_to_text(const struct rx_req *req);

/* dryrun.c APIs: */
int req_show(const struct rx_req *req);
int req_show_none(void);
void req_show_also(const char *key, struct json_object *value);
void step_show(const char *text);
void req_show_end(int status);

#endif
