// SPDX-License-Identifier: GPL-2.0-only
/* Builds requests. The caller names an attribute, and the model knows its width. */
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/units.h"
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

/* Adds what part_parse() has read from TEXT. NULL leaves both attributes out. */
void req_part(struct rx_req *req, int bytes_attr, int percent_attr, const char *text,
	      uint64_t num)
{
	if (text)
		req_num(req, part_is_percent(text) ? percent_attr : bytes_attr, num);
}

void req_flag(struct rx_req *req, int attr)
{
	if (nla_put_flag(req->attrs, attr))
		abort();
}
