/* SPDX-License-Identifier: GPL-2.0-only */
/* A request on its way to the kernel. */
#ifndef RXADM_REQUEST_H
#define RXADM_REQUEST_H

#include "base/global.h"

struct nl_msg;
struct rx_attr;
struct rx_op;
struct rx_value;

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
/*
 * Adds the value of an option, or of a key of the table, as the attribute of its name. One
 * that is no attribute is left out.
 */
void req_value(struct rx_req *req, const struct rx_value *value);
void req_flag(struct rx_req *req, int attr);
/* Has the kernel check the request, and not carry it out. */
void req_validate(struct rx_req *req);
int attr_put_number(struct nl_msg *msg, const struct rx_attr *attr,
		    uint64_t value);

#endif
