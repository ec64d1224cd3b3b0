// SPDX-License-Identifier: GPL-2.0-only
/* Builds requests. The caller names an attribute, and the model knows its width. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/units.h"
#include "base/value.h"
#include "kernel/model.h"
#include "kernel/request.h"

/* CMD and the numbers of the attributes are constants of the family's UAPI. */
void req_init(struct rx_req *req, enum rx_family family, uint8_t cmd)
{
	memset(req, 0, sizeof(*req));
	req->family = family;
	req->op = model_op_by_cmd(family, cmd);
	req->attrs = nlmsg_alloc_size(8192);
	if (!req->op || !req->attrs)
		abort();
}

/* Begins a request for the object NAME. */
void req_named(struct rx_req *req, enum rx_family family, uint8_t cmd,
	       const char *name)
{
	static const int attrs[RX_FAMILIES] = {
		[RX_DISK] = RXDSK_A_DISK_NAME, [RX_CACHE] = RXCACHE_A_CACHE_NAME,
	};

	req_init(req, family, cmd);
	req_text(req, attrs[family], name);
}

void req_free(struct rx_req *req)
{
	nlmsg_free(req->attrs);
	req->attrs = NULL;
}

int attr_put_number(struct nl_msg *msg, const struct rx_attr *attr,
		    uint64_t value)
{
	switch (attr->type) {
	case A_U8:
		return nla_put_u8(msg, attr->nr, value);
	case A_U32:
		return nla_put_u32(msg, attr->nr,
				   value > UINT32_MAX ? UINT32_MAX : value);
	case A_U64:
		return nla_put_u64(msg, attr->nr, value);
	default:
		return -1;
	}
}

/* NULL leaves the attribute out. */
void req_text(struct rx_req *req, int attr, const char *value)
{
	if (value && nla_put_string(req->attrs, attr, value))
		abort();
}

/* RX_NONE leaves the attribute out. */
void req_num(struct rx_req *req, int attr, uint64_t value)
{
	if (value != RX_NONE &&
	    attr_put_number(req->attrs,
			    attr_by_nr(rx_models[req->family].attrs, attr), value))
		abort();
}

void req_flag(struct rx_req *req, int attr)
{
	if (nla_put_flag(req->attrs, attr))
		abort();
}

void req_validate(struct rx_req *req)
{
	static const int attrs[RX_FAMILIES] = {
		[RX_DISK] = RXDSK_A_DISK_VALIDATE, [RX_CACHE] = RXCACHE_A_CACHE_VALIDATE,
	};

	req_flag(req, attrs[req->family]);
}

/* Attributes whose names say more than those of their options. */
static const char *attr_name(const struct rx_value *value)
{
	const char *name = value->opt->name;

	if (!strcmp(name, "block"))
		return "block-size";
	if (!strcmp(name, "numa"))
		return value->num == RX_NONE ? "interleave" : "node";
	return strcmp(name, "no-write-allocate") ? name : "write-allocate";
}

void req_value(struct rx_req *req, const struct rx_value *value)
{
	enum rx_opt_type type = value->opt->type;
	bool part = type == OPT_PART || type == OPT_MOST;
	const struct rx_attr *attr;
	uint64_t num = value->num;
	char name[64];

	if (type == OPT_TEXT || type == OPT_NAME)
		return;
	if (type == OPT_NODE && num == RX_NONE)
		num = 1;
	if (!strcmp(value->opt->name, "no-write-allocate"))
		num = 0;
	snprintf(name, sizeof(name), "%s%s", attr_name(value),
		 part && part_is_percent(value->text) ? "-percent" : "");
	attr = attr_by_name(rx_models[req->family].attrs, name, strlen(name));
	if (attr && attr->type == A_FLAG)
		req_flag(req, attr->nr);
	else if (attr)
		req_num(req, attr->nr, num);
}
